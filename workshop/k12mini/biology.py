"""K12-Mini: biology, grades 9 and 12."""

from __future__ import annotations

import math
from fractions import Fraction

from workshop.k12mini.item import Item, Pair, problem
from workshop.k12mini.style import BLUE, GREEN, GREY, PALE, RED, WATER, WHITE, XY, Pen, smooth


@problem("biology", "middle", "choice")
def web() -> Item:
    names: dict[str, tuple[Pair, XY]] = {
        "grass": (("草", "grass"), (5.0, 0.0)),
        "rabbit": (("兔", "rabbit"), (1.0, 2.0)),
        "mouse": (("鼠", "mouse"), (5.0, 2.0)),
        "locust": (("蝗虫", "locust"), (9.0, 2.0)),
        "frog": (("蛙", "frog"), (9.0, 4.2)),
        "snake": (("蛇", "snake"), (6.4, 5.6)),
        "fox": (("狐", "fox"), (3.5, 4.6)),
        "eagle": (("鹰", "eagle"), (2.3, 7.2)),
    }
    eaten_by = {
        "grass": ["rabbit", "mouse", "locust"],
        "rabbit": ["fox", "eagle"],
        "mouse": ["fox", "snake"],
        "locust": ["frog"],
        "frog": ["snake"],
        "snake": ["eagle"],
    }

    def draw(pen: Pen) -> None:
        pen.picture(-0.6, 10.6, -0.8, 8.0, width=5.2)
        for prey, hunters in eaten_by.items():
            for hunter in hunters:
                pen.link(names[prey][1], names[hunter][1], half=(0.95, 0.48))
        for (zh, en), at in names.values():
            pen.box(at[0] - 0.95, at[1] - 0.48, 1.9, 0.96, fill=PALE, round_by=0.2, line=1.2, z=3.5)
            pen.label(at, pen.say(zh, en), halo=False)

    def chains(start: str) -> list[list[str]]:
        hunters = eaten_by.get(start, [])
        return [[start, *rest] for hunter in hunters for rest in chains(hunter)] or [[start]]

    def prey(hunter: str) -> set[str]:
        return {p for p, hunters in eaten_by.items() if hunter in hunters}

    def holds() -> list[bool]:
        return [
            sum("eagle" in chain for chain in chains("grass")) == 3,
            len(chains("grass")) == 4,
            prey("snake") == {"mouse"},
            not prey("eagle") & prey("fox"),
        ]

    return Item(
        question=(
            "某草原生态系统的食物网如图所示。下列说法正确的是（　　）",
            "The food web of a grassland ecosystem is shown. Which statement is correct?",
        ),
        options=[
            ("鹰出现在 3 条食物链中", "The eagle is in 3 food chains"),
            ("该食物网中共有 4 条食物链", "There are 4 food chains in this food web"),
            ("图中的蛇只以鼠为食", "In this food web the snake feeds on mice only"),
            ("鹰和狐之间没有竞争关系", "The eagle and the fox do not compete"),
        ],
        answers=["A"],
        caption=(
            "食物网，箭头由被吃者指向捕食者：草→兔，草→鼠，草→蝗虫，兔→狐，兔→鹰，鼠→狐，鼠→蛇，蝗虫→蛙，蛙→蛇，蛇→鹰。",
            "A food web; arrows point from the eaten to the eater: grass→rabbit, grass→mouse, grass→locust, rabbit→fox, rabbit→eagle, mouse→fox, mouse→snake, locust→frog, frog→snake, snake→eagle.",
        ),
        solution=[
            (
                "食物链有：草→兔→狐，草→兔→鹰，草→鼠→狐，草→鼠→蛇→鹰，草→蝗虫→蛙→蛇→鹰，共 5 条，B 错。",
                "The chains are grass→rabbit→fox, grass→rabbit→eagle, grass→mouse→fox, grass→mouse→snake→eagle and grass→locust→frog→snake→eagle, 5 in all, so B is wrong.",
            ),
            (
                "其中有鹰的是 3 条：草→兔→鹰，草→鼠→蛇→鹰，草→蝗虫→蛙→蛇→鹰，A 正确。",
                "The eagle is in 3 of them: grass→rabbit→eagle, grass→mouse→snake→eagle and grass→locust→frog→snake→eagle, so A is correct.",
            ),
            (
                "蛇吃鼠，也吃蛙，C 错；鹰和狐都吃兔，存在竞争关系，D 错。",
                "Snakes eat mice and frogs, so C is wrong; the eagle and the fox both eat rabbits and compete, so D is wrong.",
            ),
        ],
        knowledge=[("食物链与食物网", "food chains and food webs"), ("生物之间的关系", "relations between organisms")],
        draw=draw,
        check=holds,
    )  # fmt: skip


@problem("biology", "middle", "blank")
def cell() -> Item:
    parts = {"membrane": 3, "nucleus": 5, "chloroplast": 1, "vacuole": 4, "wall": 2}
    sign = {part: str(place) for part, place in parts.items()}

    def draw(pen: Pen) -> None:
        pen.picture(-2.4, 12.6, -0.6, 8.8, width=5.4)
        pen.box(0, 0, 10, 8, fill="#D9E8C9", round_by=0.9, line=1.4)
        pen.box(0.38, 0.38, 9.24, 7.24, fill="#F6F8EE", round_by=0.75, line=1.2, color="#8A5A00")
        pen.shape(*smooth([(2.6, 1.7), (6.0, 1.5), (8.1, 2.2), (8.1, 4.6), (6.3, 5.4), (3.4, 5.2), (2.2, 3.4)], closed=True), fill=WATER, width=1.3)  # fmt: skip
        pen.circle((2.9, 6.35), 0.95, fill="#D8C4E2", width=1.3)
        pen.circle((3.15, 6.5), 0.27, fill="#7D5A93", width=1.0)
        for x, y, turn in (
            (5.8, 6.6, 8),
            (8.3, 6.3, -35),
            (1.3, 4.2, 80),
            (1.5, 1.5, -50),
            (5.2, 0.85, 0),
            (9.0, 3.4, 88),
        ):
            angle = math.radians(turn)
            rim = []
            for k in range(40):
                t = 2 * math.pi * k / 40
                u, v = 0.66 * math.cos(t), 0.33 * math.sin(t)
                rim.append(
                    (
                        x + u * math.cos(angle) - v * math.sin(angle),
                        y + u * math.sin(angle) + v * math.cos(angle),
                    )
                )
            pen.shape(*rim, fill="#4F9D5D", width=1.1)
            for shift in (-0.3, 0, 0.3):
                a = (
                    x + shift * math.cos(angle) + 0.18 * math.sin(angle),
                    y + shift * math.sin(angle) - 0.18 * math.cos(angle),
                )
                b = (
                    x + shift * math.cos(angle) - 0.18 * math.sin(angle),
                    y + shift * math.sin(angle) + 0.18 * math.cos(angle),
                )
                pen.line(a, b, width=1.0)
        marks = {
            "wall": ((0.19, 2.6), (-1.5, 2.6)),
            "membrane": ((9.62, 5.4), (11.4, 5.4)),
            "nucleus": ((2.4, 6.3), (-1.5, 6.3)),
            "chloroplast": ((8.4, 6.4), (11.4, 7.3)),
            "vacuole": ((6.8, 3.4), (11.4, 1.6)),
        }
        for part, (at, end) in marks.items():
            pen.line(at, end, width=1.0, z=4)
            pen.dot(at, size=2.5)
            pen.label(end, sign[part], "w" if end[0] < 0 else "e", size=15, gap=3)

    return Item(
        question=(
            "植物叶肉细胞的结构如图，填图中结构的数字：控制物质进出细胞的结构是____，含有遗传物质、是细胞的控制中心的结构是____，把光能转变成化学能的结构是____，切番茄时流出的汁液主要来自的结构是____。",
            "The figure shows a mesophyll cell of a plant leaf. Give the number of each structure as in the figure: the structure that controls what enters and leaves the cell is ____; the one that holds the genetic material and is the control centre of the cell is ____; the one that turns light energy into chemical energy is ____; the juice that runs out when a tomato is cut comes mainly from ____.",
        ),
        answers=[str(parts[p]) for p in ("membrane", "nucleus", "chloroplast", "vacuole")],
        caption=(
            f"植物细胞示意图。{sign['wall']}指最外层较厚的一层；{sign['membrane']}指紧贴其内侧的一层薄膜；{sign['nucleus']}指细胞左上方的球形结构，内有一个深色小球；{sign['chloroplast']}指细胞质中许多带片层的绿色椭球形小体之一；{sign['vacuole']}指细胞中央充满液体的大泡。",
            f"A drawing of a plant cell. {sign['wall']} points to the thick outermost layer; {sign['membrane']} to the thin film just inside it; {sign['nucleus']} to the round body at the upper left with a small dark body inside; {sign['chloroplast']} to one of many green oval bodies with layers in the cytoplasm; {sign['vacuole']} to the large sac filled with liquid in the middle.",
        ),
        solution=[
            (
                f"{sign['membrane']}是细胞膜，控制物质进出细胞；{sign['wall']}是细胞壁，起保护和支持作用。",
                f"{sign['membrane']} is the cell membrane, which controls what enters and leaves; {sign['wall']} is the cell wall, which protects and supports.",
            ),
            (
                f"{sign['nucleus']}是细胞核，含有遗传物质，是细胞的控制中心。",
                f"{sign['nucleus']} is the nucleus, which holds the genetic material and is the control centre.",
            ),
            (
                f"{sign['chloroplast']}是叶绿体，把光能转变成化学能。",
                f"{sign['chloroplast']} is a chloroplast, which turns light energy into chemical energy.",
            ),
            (
                f"{sign['vacuole']}是液泡，内有细胞液，切番茄流出的汁液主要是细胞液。",
                f"{sign['vacuole']} is the vacuole; it holds the cell sap, which is most of the juice of a cut tomato.",
            ),
        ],
        knowledge=[("植物细胞的结构与功能", "structure and functions of a plant cell")],
        draw=draw,
        check=lambda: [parts["membrane"], parts["nucleus"], parts["chloroplast"], parts["vacuole"]],
        reading=True,
    )  # fmt: skip


@problem("biology", "middle", "free")
def breath() -> Item:
    low, high, period = 2200, 2700, 4  # mL, mL, s

    def volume(t: float) -> float:
        return low + (high - low) * (1 - math.cos(2 * math.pi * t / period)) / 2

    def draw(pen: Pen) -> None:
        ticks = list(range(2000, 3001, 100))
        pen.chart(
            (pen.say("时间/s", "Time (s)"), list(range(13))), (pen.say("肺容积/mL", "Volume of the lungs (mL)"), ticks),
            y_names=[str(v) if v % 200 == 0 else "" for v in ticks], size=(5.8, 3.7),
        )  # fmt: skip
        pen.curve(volume, 0, 12, color=BLUE, width=2.2)
        for t, name, side in ((0, "a", "s"), (2, "b", "n"), (4, "c", "s")):
            pen.dot((t, volume(t)), color=BLUE)
            pen.label((t, volume(t)), name, side if t else "se", gap=6)  # type: ignore[arg-type]

    tidal, rate = high - low, 60 // period
    return Item(
        question=(
            "某人平静呼吸时肺容积的变化如图。\n（1）他平静呼吸一次吸入的气体是多少毫升？\n（2）他每分钟呼吸多少次？\n（3）他平静呼吸时，每分钟吸入的气体一共是多少毫升？\n（4）bc 段膈肌是收缩还是舒张？",
            "The figure shows the volume of a person's lungs during quiet breathing.\n(1) How many millilitres of air does the person take in with one quiet breath?\n(2) How many breaths does the person take per minute?\n(3) How many millilitres of air does the person take in per minute in all?\n(4) During bc, is the diaphragm contracting or relaxing?",
        ),
        answers=[f"{tidal} mL", (f"{rate} 次", str(rate)), f"{tidal * rate} mL", ("舒张", "relaxing")],
        caption=(
            f"肺容积—时间图，横轴时间（s），纵轴肺容积（mL）。曲线规则地起伏：a 点（0 s，{low} mL），升到 b 点（2 s，{high} mL），降到 c 点（4 s，{low} mL），以后重复。",
            f"Volume of the lungs (mL) against time (s). The curve goes up and down regularly: point a (0 s, {low} mL), up to point b (2 s, {high} mL), down to point c (4 s, {low} mL), and so on.",
        ),
        solution=[
            (
                f"一次吸入的气体等于肺容积的最大值与最小值之差：{high} − {low} = {tidal}（mL）。",
                f"The air of one breath is the difference of the largest and the smallest volume: {high} − {low} = {tidal} mL.",
            ),
            (
                f"一次呼吸用 {period} s，每分钟呼吸 60 ÷ {period} = {rate}（次）。",
                f"One breath takes {period} s, so there are 60 ÷ {period} = {rate} breaths per minute.",
            ),
            (
                f"每分钟吸入 {tidal} × {rate} = {tidal * rate}（mL）。",
                f"Per minute {tidal} × {rate} = {tidal * rate} mL are taken in.",
            ),
            (
                "bc 段肺容积减小，是呼气过程，膈肌舒张、顶部上升，胸腔容积减小。",
                "During bc the volume falls, which is breathing out: the diaphragm relaxes and rises, and the chest becomes smaller.",
            ),
        ],
        knowledge=[("呼吸运动", "breathing movements"), ("曲线图的解读", "reading a graph")],
        draw=draw,
        check=lambda: [volume(2) - volume(4), 60 / period, (volume(2) - volume(4)) * 60 / period, None],
    )  # fmt: skip


@problem("biology", "high", "choice")
def pedigree() -> Item:
    # name: (x, generation, male, affected)
    people = {
        "Ⅰ-1": (1.0, 0, True, False), "Ⅰ-2": (3.0, 0, False, False), "Ⅰ-3": (7.0, 0, True, False), "Ⅰ-4": (9.0, 0, False, False),
        "Ⅱ-1": (1.0, 1, False, True), "Ⅱ-2": (4.0, 1, True, False), "Ⅱ-3": (6.0, 1, False, False), "Ⅱ-4": (9.0, 1, True, True),
        "Ⅲ-1": (5.0, 2, True, False),
    }  # fmt: skip
    families = [
        (("Ⅰ-1", "Ⅰ-2"), ("Ⅱ-1", "Ⅱ-2")),
        (("Ⅰ-3", "Ⅰ-4"), ("Ⅱ-3", "Ⅱ-4")),
        (("Ⅱ-2", "Ⅱ-3"), ("Ⅲ-1",)),
    ]
    step, half = 2.5, 0.42

    def draw(pen: Pen) -> None:
        pen.picture(-1.6, 12.6, -6.9, 0.9, width=6.0)

        def at(name: str) -> XY:
            x, generation, _, _ = people[name]
            return x, -step * generation

        for (father, mother), children in families:
            a, b = at(father), at(mother)
            pen.line(a, b, z=1)
            middle, drop = (a[0] + b[0]) / 2, at(children[0])[1] + 1.0
            pen.line((middle, a[1]), (middle, drop), z=1)
            xs = [at(child)[0] for child in children]
            pen.line((min(*xs, middle), drop), (max(*xs, middle), drop), z=1)
            for child in children:
                pen.line((at(child)[0], drop), at(child), z=1)
        for name, (_, generation, male, affected) in people.items():
            x, y = at(name)
            fill = "#4A4F55" if affected else WHITE
            if name == "Ⅲ-1":
                pen.shape((x, y - 0.58), (x + 0.58, y), (x, y + 0.58), (x - 0.58, y), fill=WHITE, z=3)
                pen.label((x, y), "?", halo=False)
            elif male:
                pen.box(x - half, y - half, 2 * half, 2 * half, fill=fill, z=3)
            else:
                pen.circle((x, y), half + 0.03, fill=fill, z=3)
            number = name.partition("-")[2]
            if generation < 2:
                pen.label((x, y - half), number, "s", gap=5, size=11)
            else:
                pen.label((x + 0.6, y), number, "e", gap=3, size=11)
        for generation, name in enumerate("ⅠⅡⅢ"):
            pen.label((-0.8, -step * generation), name, "w", size=13)
        x = 10.3
        for i, (text, male, affected) in enumerate(
            (
                (pen.say("正常男", "normal male"), True, False),
                (pen.say("正常女", "normal female"), False, False),
                (pen.say("患病男", "affected male"), True, True),
                (pen.say("患病女", "affected female"), False, True),
            )
        ):
            y = -3.4 - 0.85 * i
            fill = "#4A4F55" if affected else WHITE
            if male:
                pen.box(x - 0.25, y - 0.25, 0.5, 0.5, fill=fill, line=1.2)
            else:
                pen.circle((x, y), 0.27, fill=fill, width=1.2)
            pen.label((x + 0.3, y), text, "e", size=11, gap=4)

    carrier = Fraction(2, 3)  # of a healthy child of two carriers
    risk = carrier * carrier * Fraction(1, 4)
    options = [Fraction(1, 4), Fraction(1, 9), Fraction(1, 8), Fraction(1, 6)]
    return Item(
        question=(
            "某家族中一种单基因遗传病的系谱图如图所示，不考虑突变。Ⅱ-2 与 Ⅱ-3 的孩子 Ⅲ-1 患该病的概率是（　　）",
            "The figure shows the pedigree of a family with a disease caused by a single gene; mutations are not considered. What is the probability that Ⅲ-1, the child of Ⅱ-2 and Ⅱ-3, has the disease?",
        ),
        options=[f"{p.numerator}/{p.denominator}" for p in options],
        answers=["B"],
        caption=(
            "系谱图。Ⅰ-1（正常男）与Ⅰ-2（正常女）生Ⅱ-1（患病女）和Ⅱ-2（正常男）；Ⅰ-3（正常男）与Ⅰ-4（正常女）生Ⅱ-3（正常女）和Ⅱ-4（患病男）；Ⅱ-2 与 Ⅱ-3 婚配，孩子 Ⅲ-1 标着“?”。",
            "A pedigree. Ⅰ-1 (normal male) and Ⅰ-2 (normal female) have Ⅱ-1 (affected female) and Ⅱ-2 (normal male); Ⅰ-3 (normal male) and Ⅰ-4 (normal female) have Ⅱ-3 (normal female) and Ⅱ-4 (affected male); Ⅱ-2 and Ⅱ-3 are the parents of Ⅲ-1, who is marked “?”.",
        ),
        solution=[
            (
                "Ⅰ-1、Ⅰ-2 正常而女儿 Ⅱ-1 患病，致病基因是隐性且在常染色体上，设为 a。",
                "Ⅰ-1 and Ⅰ-2 are normal and their daughter Ⅱ-1 is affected, so the allele is recessive and autosomal; call it a.",
            ),
            (
                "Ⅰ-1、Ⅰ-2 都是 Aa，正常的 Ⅱ-2 是 Aa 的概率为 2/3；同理 Ⅱ-3 是 Aa 的概率为 2/3。",
                "Ⅰ-1 and Ⅰ-2 are both Aa, so the normal Ⅱ-2 is Aa with probability 2/3; likewise Ⅱ-3 is Aa with probability 2/3.",
            ),
            (
                "Ⅲ-1 患病的概率为 2/3 × 2/3 × 1/4 = 1/9，选 B。",
                "The probability that Ⅲ-1 is affected is 2/3 × 2/3 × 1/4 = 1/9, so B.",
            ),
        ],
        knowledge=[("遗传系谱图分析", "pedigree analysis"), ("基因的分离定律", "law of segregation"), ("概率计算", "probability")],
        draw=draw,
        check=lambda: [option == risk for option in options],
    )  # fmt: skip


@problem("biology", "high", "blank")
def light() -> Item:
    dark, compensation, top, full = -2, 2, 6, 12  # mg, klx, mg, klx

    def uptake(x: float) -> float:
        """Net uptake of CO₂ at a light intensity: through (0, dark), (compensation, 0), flat from `full` on."""
        if x >= full:
            return top
        power = math.log(1 + dark / (top - dark)) / math.log(1 - compensation / full)
        return dark + (top - dark) * (1 - math.pow(1 - x / full, power))

    def draw(pen: Pen) -> None:
        pen.chart(
            (pen.say("光照强度/klx", "Light intensity (klx)"), list(range(0, 17, 2))),
            (pen.say("CO$_2$ 吸收量/[mg/(100 cm$^2$·h)]", "CO$_2$ taken up [mg/(100 cm$^2$·h)]"), list(range(-4, 9, 2))),
            size=(5.6, 4.2),
        )  # fmt: skip
        pen.ax.spines["bottom"].set_visible(False)
        pen.line((0, 0), (16, 0), width=1.2)
        pen.curve(uptake, 0, 16, color=GREEN, width=2.4)
        pen.dot((0, dark), (compensation, 0), (full, top), color=GREEN)
        for at, name, side in (
            ((0, dark), "A", "se"),
            ((compensation, 0), "B", "se"),
            ((full, top), "C", "n"),
        ):
            pen.label(at, name, side, gap=6)  # type: ignore[arg-type]

    respiration = -dark
    gross = top + respiration
    day = top * 12 - respiration * 12
    return Item(
        question=(
            "在适宜温度和大气 CO₂ 浓度下，测得某植物叶片的 CO₂ 吸收量与光照强度的关系如图（负值表示释放）。该叶片的呼吸速率为____mg/(100 cm²·h)；光照强度为 12 klx 时，叶片的实际（总）光合速率为____mg/(100 cm²·h)（均以 CO₂ 计）；若每天以 14 klx 光照 12 h、黑暗 12 h，温度不变，则每 100 cm² 叶片一昼夜净吸收 CO₂ ____mg。",
            "At a suitable temperature and the CO₂ concentration of air, the CO₂ taken up by a leaf was measured against the light intensity (negative values mean release). The respiration rate of the leaf is ____ mg/(100 cm²·h); at 12 klx its gross rate of photosynthesis is ____ mg/(100 cm²·h) (both as CO₂); with 12 h of light at 14 klx and 12 h of darkness each day at the same temperature, 100 cm² of leaf takes up ____ mg of CO₂ net in 24 h.",
        ),
        answers=[str(respiration), str(gross), str(day)],
        caption=(
            f"曲线图，横轴光照强度（klx），纵轴 CO₂ 吸收量[mg/(100 cm²·h)]。曲线从 A 点（0，−{respiration}）上升，在 B 点（{compensation}，0）与横轴相交，到 C 点（{full}，{top}）以后水平。",
            f"A graph of CO₂ taken up in mg/(100 cm²·h) against light intensity in klx. The curve rises from A (0, −{respiration}), crosses the horizontal axis at B ({compensation}, 0), and is horizontal from C ({full}, {top}) on.",
        ),
        solution=[
            (
                f"光照强度为 0 时只进行呼吸作用，释放 CO₂ {respiration} mg/(100 cm²·h)，这就是呼吸速率。",
                f"Without light there is only respiration, which releases {respiration} mg/(100 cm²·h) of CO₂: this is the respiration rate.",
            ),
            (
                f"12 klx 时净吸收为 {top}，总光合速率 = 净光合速率 + 呼吸速率，即 {top} + {respiration} = {gross}。",
                f"At 12 klx the net uptake is {top}; gross photosynthesis is net photosynthesis plus respiration, {top} + {respiration} = {gross}.",
            ),
            (
                f"14 klx 时净吸收仍为 {top}，白天净吸收 {top} × 12 = {top * 12}（mg），夜间释放 {respiration} × 12 = {respiration * 12}（mg）。",
                f"At 14 klx the net uptake is still {top}; in the light {top} × 12 = {top * 12} mg are taken up, in the dark {respiration} × 12 = {respiration * 12} mg are released.",
            ),
            (
                f"一昼夜净吸收 {top * 12} − {respiration * 12} = {day}（mg）。",
                f"In 24 h the net uptake is {top * 12} − {respiration * 12} = {day} mg.",
            ),
        ],
        knowledge=[("光照强度对光合作用的影响", "light intensity and photosynthesis"), ("净光合与总光合速率", "net and gross photosynthesis")],
        draw=draw,
        reading=True,
        check=lambda: [-uptake(0), uptake(12) - uptake(0), 12 * uptake(14) + 12 * uptake(0)],
    )  # fmt: skip


@problem("biology", "high", "free")
def energy() -> Item:
    producers = {"respiration": 1800, "decomposers": 600, "unused": 1900, "next": 700}
    consumers = {"respiration": 280, "decomposers": 90, "unused": 225}
    unit = "kJ/(m²·a)"

    def draw(pen: Pen) -> None:
        pen.picture(-1.6, 15.4, -3.6, 5.2, width=6.6)
        names = (
            ("生产者", "Producers"),
            ("初级消费者", "Primary\nconsumers"),
            ("次级消费者", "Secondary\nconsumers"),
        )
        lefts = (1.4, 6.4, 11.4)
        for left, name in zip(lefts, names, strict=True):
            pen.box(left, 0, 2.9, 1.6, fill=PALE)
            pen.label((left + 1.45, 0.8), pen.say(*name), halo=False, size=11)
        pen.arrow((-1.3, 0.8), (1.4, 0.8), color=GREEN, width=2.4, head=16)
        pen.label((0.05, 0.95), pen.say("太阳能", "sunlight"), "n", size=11)
        pen.arrow((4.3, 0.8), (6.4, 0.8), color=GREEN, width=2.4, head=16)
        pen.label((5.35, 0.95), str(producers["next"]), "n")
        pen.arrow((9.3, 0.8), (11.4, 0.8), color=GREEN, width=2.4, head=16)
        pen.label((10.35, 0.95), "?", "n", size=15)
        for left, flow in ((1.4, producers), (6.4, consumers)):
            pen.arrow((left + 0.8, 1.6), (left + 0.8, 3.0), color=RED)
            pen.label(
                (left + 0.8, 3.0),
                pen.say("呼吸作用", "respiration") + f"\n{flow['respiration']}",
                "n",
                size=11,
            )
            pen.arrow((left + 0.6, 0), (left + 0.6, -1.5), color=BLUE)
            pen.label(
                (left + 0.6, -1.5),
                pen.say("分解者", "decom-\nposers") + f"\n{flow['decomposers']}",
                "s",
                size=11,
            )
            pen.arrow((left + 2.3, 0), (left + 2.3, -1.5), color=GREY)
            pen.label(
                (left + 2.3, -1.5), pen.say("未利用", "not used\nyet") + f"\n{flow['unused']}", "s", size=11
            )
        pen.label((14.9, 4.6), pen.say(f"单位：{unit}", f"unit: {unit}"), "w", size=11)

    fixed = sum(producers.values())
    passed = producers["next"] - sum(consumers.values())
    return Item(
        question=(
            "某草地生态系统的能量流动如图所示（“未利用”指未被自身呼吸消耗，也未被下一营养级和分解者利用的能量）。\n（1）流入该生态系统的总能量是多少 kJ/(m²·a)？\n（2）流入次级消费者的能量（图中“?”）是多少 kJ/(m²·a)？\n（3）第一营养级到第二营养级的能量传递效率是多少（用百分数表示）？\n（4）第二营养级到第三营养级的能量传递效率是多少（用百分数表示）？",
            "The energy flow of a grassland ecosystem is shown (“not used yet” is the energy neither spent in the level's own respiration nor used by the next trophic level or by decomposers).\n(1) What is the total energy that flows into this ecosystem, in kJ/(m²·a)?\n(2) What is the energy that flows to the secondary consumers (“?” in the figure), in kJ/(m²·a)?\n(3) What is the efficiency of energy transfer from the first to the second trophic level, in per cent?\n(4) What is the efficiency of energy transfer from the second to the third trophic level, in per cent?",
        ),
        answers=[str(fixed), str(passed), "14%", "15%"],
        caption=(
            f"能量流动图（单位 {unit}）：太阳能→生产者→初级消费者→次级消费者。生产者：呼吸作用 {producers['respiration']}，流向分解者 {producers['decomposers']}，未利用 {producers['unused']}，流向初级消费者 {producers['next']}。初级消费者：呼吸作用 {consumers['respiration']}，流向分解者 {consumers['decomposers']}，未利用 {consumers['unused']}，流向次级消费者的标着“?”。",
            f"An energy flow diagram (unit {unit}): sunlight → producers → primary consumers → secondary consumers. Producers: respiration {producers['respiration']}, to decomposers {producers['decomposers']}, not used yet {producers['unused']}, to primary consumers {producers['next']}. Primary consumers: respiration {consumers['respiration']}, to decomposers {consumers['decomposers']}, not used yet {consumers['unused']}; the flow to secondary consumers is marked “?”.",
        ),
        solution=[
            (
                f"流入生态系统的总能量是生产者固定的能量：1800 + 600 + 1900 + 700 = {fixed}，单位 {unit}。",
                f"The energy that flows in is what the producers fix: 1800 + 600 + 1900 + 700 = {fixed}, in {unit}.",
            ),
            (
                f"流入次级消费者的能量：700 − 280 − 90 − 225 = {passed}，单位 {unit}。",
                f"The energy to the secondary consumers: 700 − 280 − 90 − 225 = {passed}, in {unit}.",
            ),
            (
                f"第一到第二营养级的传递效率：700 ÷ {fixed} = 14%。",
                f"Efficiency from the first to the second level: 700 ÷ {fixed} = 14%.",
            ),
            (
                f"第二到第三营养级的传递效率：{passed} ÷ 700 = 15%。",
                f"Efficiency from the second to the third level: {passed} ÷ 700 = 15%.",
            ),
        ],
        knowledge=[("生态系统的能量流动", "energy flow in ecosystems"), ("能量传递效率", "efficiency of energy transfer")],
        draw=draw,
        check=lambda: [
            fixed,
            passed,
            Fraction(producers["next"], sum(producers.values())),
            Fraction(producers["next"] - sum(consumers.values()), producers["next"]),
        ],
    )  # fmt: skip
