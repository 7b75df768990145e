"""K12-Mini: chemistry, grades 9 and 12."""

from __future__ import annotations

import math
from collections.abc import Callable

from workshop.k12mini.item import Item, problem
from workshop.k12mini.style import BLUE, GREEN, GREY, INK, PALE, RED, WATER, WHITE, XY, Pen


@problem("chemistry", "middle", "choice")
def solubility() -> Item:
    def through(a: float, b: float, c: float) -> Callable[[float], float]:
        """The quadratic with the given values at 0, 20 and 60 °C."""
        square = ((c - a) / 60 - (b - a) / 20) / 40
        return lambda t: a + ((b - a) / 20 - 20 * square) * t + square * t * t

    jia, yi, bing = through(10, 30, 80), through(26, 30, 40), through(20, 15, 8)
    solid, water = 50, 50

    def draw(pen: Pen) -> None:
        pen.chart(
            (pen.say("温度/℃", "Temperature (°C)"), list(range(0, 71, 10))),
            (pen.say("溶解度/g", "Solubility (g per 100 g water)"), list(range(0, 91, 10))),
            size=(5.4, 4.3),
        )  # fmt: skip
        pen.ax.set_position((0.13, 0.14, 0.82, 0.78))
        for curve, zh, en, color, dash in (
            (jia, "甲", "X", BLUE, "-"),
            (yi, "乙", "Y", RED, "--"),
            (bing, "丙", "Z", GREEN, "-."),
        ):
            pen.curve(curve, 0, 64, color=color, dash=dash, width=2.2)
            pen.label((64, curve(64)), pen.say(zh, en), "e", color=color, gap=5)
        pen.dot((20, 30), (60, 80), (60, 40))

    return Item(
        question=(
            "甲、乙、丙三种固体物质（均不含结晶水）的溶解度曲线如图所示。下列说法正确的是（　　）",
            "The solubility curves of three solids X, Y and Z (none of them contains water of crystallisation) are shown. Which statement is correct?",
        ),
        options=[
            ("20 ℃时，甲的溶解度大于乙的溶解度", "At 20 °C the solubility of X is greater than that of Y"),
            (
                f"60 ℃时，将 {solid} g 甲加入 {water} g 水中，充分搅拌后得到 90 g 溶液",
                f"At 60 °C, {solid} g of X stirred thoroughly in {water} g of water gives 90 g of solution",
            ),
            (
                "将接近饱和的丙溶液变为饱和溶液，可采用降温的方法",
                "A nearly saturated solution of Z can be made saturated by cooling",
            ),
            (
                "将 60 ℃时甲、乙的饱和溶液降温到 20 ℃，析出晶体的质量甲一定大于乙",
                "When saturated solutions of X and Y are cooled from 60 °C to 20 °C, the mass of crystals from X is certainly greater than from Y",
            ),
        ],
        answers=["B"],
        caption=(
            "溶解度曲线，横轴温度（℃），纵轴溶解度（g）。甲的曲线陡升：0 ℃为 10 g，20 ℃为 30 g，60 ℃为 80 g；乙的曲线缓升：0 ℃为 26 g，20 ℃为 30 g，60 ℃为 40 g；丙的曲线下降：0 ℃为 20 g，60 ℃为 8 g。",
            "Solubility curves, temperature in °C against solubility in g per 100 g of water. X rises steeply: 10 g at 0 °C, 30 g at 20 °C, 80 g at 60 °C; Y rises slowly: 26 g at 0 °C, 30 g at 20 °C, 40 g at 60 °C; Z falls: 20 g at 0 °C, 8 g at 60 °C.",
        ),
        solution=[
            (
                "20 ℃时甲、乙的曲线相交，溶解度都是 30 g，A 错。",
                "At 20 °C the curves of X and Y cross; both solubilities are 30 g, so A is wrong.",
            ),
            (
                f"60 ℃时甲的溶解度为 80 g，{water} g 水最多溶解 80 ÷ 2 = 40（g），溶液质量为 40 + {water} = 90（g），B 正确。",
                f"At 60 °C the solubility of X is 80 g, so {water} g of water dissolves at most 80 ÷ 2 = 40 g and the solution has the mass 40 + {water} = 90 g: B is correct.",
            ),
            (
                "丙的溶解度随温度升高而减小，降温时溶解度增大，溶液更不饱和，C 错。",
                "The solubility of Z falls as the temperature rises; cooling raises it and the solution becomes less saturated, so C is wrong.",
            ),
            (
                "没有说明两份饱和溶液的质量，析出晶体的质量无法比较，D 错。",
                "The masses of the two solutions are not given, so the masses of crystals cannot be compared: D is wrong.",
            ),
        ],
        knowledge=[("溶解度曲线", "solubility curves"), ("饱和溶液与不饱和溶液的转化", "saturated and unsaturated solutions")],
        draw=draw,
        check=lambda: [
            jia(20) > yi(20),
            min(solid, round(jia(60), 9) * water / 100) + water == 90,
            bing(20) < bing(60),
            False,  # true only for equal masses of solution
        ],
    )  # fmt: skip


def _jar(
    pen: Pen, x: float, y: float, *, width: float = 1.3, height: float = 2.1, down: bool = False
) -> None:
    """A gas jar with its lower left corner at (x, y), its mouth up or down."""
    if down:
        pen.line((x, y), (x, y + height), (x + width, y + height), (x + width, y), z=3)
        pen.line((x - 0.12, y), (x + 0.02, y), z=3)
        pen.line((x + width - 0.02, y), (x + width + 0.12, y), z=3)
    else:
        pen.line((x, y + height), (x, y), (x + width, y), (x + width, y + height), z=3)
        pen.line((x - 0.12, y + height), (x + 0.02, y + height), z=3)
        pen.line((x + width - 0.02, y + height), (x + width + 0.12, y + height), z=3)


def _tube(pen: Pen, *points: XY) -> None:
    """A glass tube along the points: a white line inside a black one."""
    pen.line(*points, width=5.2, z=4)
    pen.line(*points, width=2.6, color=WHITE, z=4.1)


@problem("chemistry", "middle", "blank")
def oxygen() -> Item:
    def draw(pen: Pen) -> None:
        pen.picture(-0.4, 13.2, -6.4, 4.3, width=6.2)
        # A: conical flask with thistle funnel
        pen.shape((1.0, 0), (3.4, 0), (2.55, 1.9), (2.55, 2.5), (1.85, 2.5), (1.85, 1.9), fill=WHITE)
        pen.shape((1.03, 0.03), (3.37, 0.03), (3.08, 0.7), (1.32, 0.7), fill=WATER, color=None, z=1.6)
        pen.line((1.32, 0.7), (3.08, 0.7), color=BLUE, width=1.4)
        pen.shape((1.89, 2.2), (2.51, 2.2), (2.6, 2.75), (1.8, 2.75), fill=GREY, z=3)
        _tube(pen, (2.02, 0.3), (2.02, 3.4))
        pen.shape((1.72, 4.0), (2.32, 4.0), (2.07, 3.4), (1.97, 3.4), fill=WHITE, z=4.2)
        _tube(pen, (2.4, 1.9), (2.4, 3.1), (4.2, 3.1), (4.2, 2.7))
        for x, y in ((1.5, 0.12), (2.3, 0.16), (2.7, 0.1), (1.8, 0.1), (3.0, 0.14)):
            pen.dot((x, y), size=2.5)
        # B: test tube with a solid, heated; its mouth a little lower
        tilt = math.radians(-7)
        base = (7.0, 2.45)

        def along(s: float, n: float) -> XY:
            return (
                base[0] + s * math.cos(tilt) - n * math.sin(tilt),
                base[1] + s * math.sin(tilt) + n * math.cos(tilt),
            )

        rim = [
            along(0.3 + 0.3 * math.cos(t), 0.3 * math.sin(t))
            for t in (math.pi / 2 + math.pi * k / 20 for k in range(21))
        ]
        pen.line(along(3.3, 0.3), *rim, along(3.3, -0.3), z=3)
        pen.line(along(3.3, 0.3), along(3.3, 0.42), z=3)
        pen.line(along(3.3, -0.3), along(3.3, -0.42), z=3)
        pen.shape(
            along(0.25, -0.27),
            along(1.5, -0.27),
            along(1.3, -0.05),
            along(0.35, -0.02),
            fill="#6B4C7A",
            color=None,
            z=2,
        )
        pen.shape(
            along(2.95, -0.24), along(3.55, -0.34), along(3.55, 0.34), along(2.95, 0.24), fill=GREY, z=3.2
        )
        pen.shape(
            along(2.35, -0.26),
            along(2.75, -0.26),
            along(2.75, 0.2),
            along(2.35, 0.2),
            fill=PALE,
            width=0.9,
            z=2.4,
        )
        _tube(pen, along(3.0, 0), along(4.1, 0), (along(4.1, 0)[0] + 0.5, along(4.1, 0)[1] - 0.6))
        lamp = 7.75  # the alcohol lamp
        pen.shape(
            (lamp - 0.6, 0),
            (lamp + 0.6, 0),
            (lamp + 0.75, 0.5),
            (lamp + 0.25, 1.0),
            (lamp - 0.25, 1.0),
            (lamp - 0.75, 0.5),
            fill=WATER,
        )
        pen.box(lamp - 0.18, 1.0, 0.36, 0.2, fill=GREY)
        pen.shape(
            (lamp - 0.17, 1.2),
            (lamp + 0.17, 1.2),
            (lamp + 0.24, 1.5),
            (lamp, 2.0),
            (lamp - 0.24, 1.5),
            fill="#F5D48A",
            width=1,
        )
        stand = 6.0  # the iron stand
        pen.box(stand - 0.5, -0.05, 4.6, 0.12, fill=INK)
        pen.line((stand - 0.2, 0), (stand - 0.2, 3.7), width=2.4)
        pen.line((stand - 0.2, 2.85), along(2.0, 0.55), width=1.6, z=1)
        pen.box(along(2.0, 0)[0] - 0.1, along(2.0, 0)[1] - 0.36, 0.2, 1.0, fill=WHITE, line=1.2, z=4)
        # C: jar with the tube down to its bottom; D: over water; E: inverted jar
        _jar(pen, 1.0, -5.6)
        _tube(pen, (0.2, -2.6), (1.65, -2.6), (1.65, -5.35))
        pen.box(4.4, -5.75, 3.7, 1.5, fill=WATER, color=None, z=1)
        pen.line((4.4, -3.9), (4.4, -5.75), (8.1, -5.75), (8.1, -3.9), z=3)
        pen.line((4.4, -4.25), (8.1, -4.25), color=BLUE, width=1.4)
        pen.box(6.02, -5.2, 1.26, 1.5, fill=WATER, color=None, z=1.2)
        pen.line((6.02, -3.7), (7.28, -3.7), color=BLUE, width=1.4)
        _jar(pen, 6.0, -5.2, down=True)
        _tube(pen, (3.7, -2.9), (4.9, -2.9), (4.9, -5.45), (6.65, -5.45), (6.65, -4.85))
        for x, y in ((6.55, -4.55), (6.75, -4.2), (6.6, -3.9)):
            pen.circle((x, y), 0.07, width=0.9, z=3)
        _jar(pen, 10.6, -5.2, down=True)
        _tube(pen, (9.7, -4.3 - 1.4), (11.25, -4.3 - 1.4), (11.25, -3.4))
        for x, y, name in (
            (2.2, -0.75, "A"),
            (7.9, -0.75, "B"),
            (1.65, -6.5, "C"),
            (6.25, -6.5, "D"),
            (11.25, -6.5, "E"),
        ):
            pen.label((x, y), name, size=14)

    return Item(
        question=(
            "实验室制取气体的常用装置如图（A、B 为发生装置，C、D、E 为收集装置），填装置的字母：用高锰酸钾制取氧气，发生装置选____；用过氧化氢溶液和二氧化锰制取氧气，发生装置选____；要收集到较纯净的氧气，收集装置选____。",
            "The figure shows common laboratory apparatus for preparing gases (A and B generate, C, D and E collect). Give the letters: to make oxygen from potassium permanganate, the generator is ____; to make oxygen from hydrogen peroxide solution and manganese dioxide, the generator is ____; to collect oxygen that is as pure as possible, the collector is ____.",
        ),
        answers=["B", "A", "D"],
        caption=(
            "五个装置。A：锥形瓶，配双孔塞，插有伸到液面下的长颈漏斗和导气管，瓶内有固体和液体，不加热。B：铁架台夹持的试管，管口略向下倾斜，内有固体，管口处有棉花，下方用酒精灯加热，配导气管。C：集气瓶口向上，导管伸到瓶底。D：水槽中倒立着装有水的集气瓶，导管从瓶口伸入，瓶中有气泡上升。E：集气瓶口向下，导管伸到瓶底。",
            "Five pieces of apparatus. A: a conical flask with a thistle funnel that dips into the liquid and a delivery tube; it holds a solid and a liquid and is not heated. B: a test tube on a stand, its mouth tilted slightly down, with a solid inside and cotton wool near the mouth, heated from below by an alcohol lamp, with a delivery tube. C: a gas jar with its mouth up, the tube reaching down to the bottom. D: a jar filled with water upside down in a trough of water, the tube entering its mouth and bubbles rising. E: a jar with its mouth down, the tube reaching up to its end.",
        ),
        solution=[
            (
                "高锰酸钾是固体，受热分解放出氧气，用固体加热型装置；试管口略向下倾斜并放棉花的是 B。",
                "Potassium permanganate is a solid that gives oxygen when heated, so a heated-solid apparatus is needed: B, with its mouth tilted down and cotton wool.",
            ),
            (
                "过氧化氢溶液与二氧化锰是液体与固体，常温下反应，用固液不加热型装置 A。",
                "Hydrogen peroxide solution and manganese dioxide are a liquid and a solid that react at room temperature, so no heating is needed: A.",
            ),
            (
                "氧气不易溶于水，排水法收集的气体混入的空气少，较纯净，选 D。",
                "Oxygen is only slightly soluble in water; gas collected over water is mixed with little air and purer: D.",
            ),
        ],
        knowledge=[("氧气的实验室制法", "laboratory preparation of oxygen"), ("发生装置与收集装置的选择", "choosing apparatus for gases")],
        draw=draw,
        check=lambda: [None, None, None],
    )  # fmt: skip


@problem("chemistry", "middle", "free")
def limestone() -> Item:
    sample, acid, gas = 12.5, 100, 4.4
    caco3, hcl, co2 = 100, 36.5, 44

    def draw(pen: Pen) -> None:
        pen.chart(
            (pen.say("加入稀盐酸的质量/g", "Mass of dilute hydrochloric acid added (g)"), [0, 25, 50, 75, 100, 125, 150]),
            (pen.say("生成 CO$_2$ 的质量/g", "Mass of CO$_2$ formed (g)"), [0, 1.1, 2.2, 3.3, 4.4, 5.5]),
            size=(5.4, 3.7),
        )  # fmt: skip
        pen.line((0, 0), (acid, gas), (150, gas), color=BLUE, width=2.2)
        pen.dot((acid, gas), color=BLUE)

    carbonate = gas * caco3 / co2
    acid_mass = gas * 2 * hcl / co2
    return Item(
        question=(
            f"取 {sample} g 石灰石样品（杂质不溶于水，也不与酸反应）放入烧杯，逐滴加入稀盐酸，生成二氧化碳的质量与加入稀盐酸的质量的关系如图。（相对原子质量：H—1，C—12，O—16，Cl—35.5，Ca—40）\n（1）样品完全反应后生成二氧化碳多少克？\n（2）求样品中碳酸钙的质量分数（用百分数表示）。\n（3）求所用稀盐酸中溶质的质量分数（用百分数表示）。",
            f"Dilute hydrochloric acid is added drop by drop to {sample} g of a limestone sample (its impurities neither dissolve in water nor react with acid). The graph shows the mass of carbon dioxide formed against the mass of acid added. (Relative atomic masses: H 1, C 12, O 16, Cl 35.5, Ca 40.)\n(1) How many grams of carbon dioxide are formed when the sample has reacted completely?\n(2) Find the mass fraction of calcium carbonate in the sample, in per cent.\n(3) Find the mass fraction of the solute in the dilute hydrochloric acid, in per cent.",
        ),
        answers=["4.4 g", "80%", "7.3%"],
        caption=(
            f"图线：横轴为加入稀盐酸的质量（g），纵轴为生成 CO₂ 的质量（g）。图线从原点直线上升到（{acid} g，{gas} g），以后是水平线。",
            f"A graph of the mass of CO₂ formed (g) against the mass of dilute hydrochloric acid added (g). It rises in a straight line from the origin to ({acid} g, {gas} g) and is horizontal afterwards.",
        ),
        solution=[
            (
                f"图线变平时碳酸钙已完全反应，生成二氧化碳 {gas} g。",
                f"Where the graph becomes flat the calcium carbonate has reacted completely; {gas} g of carbon dioxide is formed.",
            ),
            (
                "CaCO₃ + 2HCl = CaCl₂ + H₂O + CO₂↑，质量比 CaCO₃ : 2HCl : CO₂ = 100 : 73 : 44。",
                "CaCO₃ + 2HCl → CaCl₂ + H₂O + CO₂↑; the masses are in the ratio CaCO₃ : 2HCl : CO₂ = 100 : 73 : 44.",
            ),
            (
                f"碳酸钙的质量为 {gas} × 100 ÷ 44 = 10（g），质量分数为 10 ÷ {sample} = 80%。",
                f"The mass of calcium carbonate is {gas} × 100 ÷ 44 = 10 g, its mass fraction 10 ÷ {sample} = 80%.",
            ),
            (
                f"恰好反应时加入稀盐酸 {acid} g，其中 HCl 为 {gas} × 73 ÷ 44 = 7.3（g），质量分数为 7.3 ÷ {acid} = 7.3%。",
                f"At the end of the reaction {acid} g of acid has been added; it holds {gas} × 73 ÷ 44 = 7.3 g of HCl, so the mass fraction is 7.3 ÷ {acid} = 7.3%.",
            ),
        ],
        knowledge=[("根据化学方程式的计算", "calculations from equations"), ("溶质的质量分数", "mass fraction of a solute"), ("图像题", "reading graphs")],
        draw=draw,
        reading=True,
        check=lambda: [gas, carbonate / sample, acid_mass / acid],
    )  # fmt: skip


@problem("chemistry", "high", "choice")
def titration() -> Item:
    ka, kw, strength, start = 1e-5, 1e-14, 0.1, 20.0  # mol/L, mL

    def state(volume: float) -> tuple[float, float, float, float]:
        """pH and the concentrations of Na⁺, A⁻ and HA after the given volume of NaOH."""
        total = strength * start / (start + volume)
        sodium = strength * volume / (start + volume)
        low, high = 0.0, 14.0
        for _ in range(80):
            middle = (low + high) / 2
            h = math.pow(10, -middle)
            if sodium + h - kw / h - total * ka / (ka + h) > 0:  # too many positive charges: the pH is higher
                low = middle
            else:
                high = middle
        h = math.pow(10, -low)
        return low, sodium, total * ka / (ka + h), total * h / (ka + h)

    def draw(pen: Pen) -> None:
        pen.chart(
            ("$V$(NaOH)/mL", [0, 5, 10, 15, 20, 25, 30]), ("pH", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]),
            y_names=["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", ""], size=(5.4, 4.4),
        )  # fmt: skip
        pen.ax.set_position((0.1, 0.14, 0.85, 0.78))
        volumes = (
            [k / 10 for k in range(190)]
            + [19 + k / 200 for k in range(401)]
            + [21 + k / 10 for k in range(91)]
        )
        pen.line(*[(v, state(v)[0]) for v in volumes], color=BLUE, width=2.2)
        for volume, name, side in ((10.0, "a", "nw"), (20.0, "b", "e"), (25.0, "c", "s")):
            pen.dot((volume, state(volume)[0]))
            pen.label((volume, state(volume)[0]), name, side, gap=6)  # type: ignore[arg-type]

    def water(volume: float) -> float:
        """The concentration of water that is ionised: that of the OH⁻ that does not come from NaOH left over."""
        ph, _, _, acid = state(volume)
        h = math.pow(10, -ph)
        return h + acid if volume > start else kw / h

    return Item(
        question=(
            "常温下，用 0.1000 mol/L NaOH 溶液滴定 20.00 mL 0.1000 mol/L 一元酸 HA 溶液，滴定曲线如图所示。下列说法正确的是（　　）",
            "At room temperature 20.00 mL of a 0.1000 mol/L solution of a monoprotic acid HA is titrated with 0.1000 mol/L NaOH solution; the titration curve is shown. Which statement is correct?",
        ),
        options=[
            (
                "该滴定应选用甲基橙（变色范围 pH 3.1～4.4）作指示剂",
                "Methyl orange (colour change at pH 3.1 to 4.4) is the suitable indicator",
            ),
            ("HA 的电离常数 Ka 约为 1.0×10⁻³", "The acid constant Ka of HA is about 1.0×10⁻³"),
            ("b 点溶液中：c(Na⁺) = c(A⁻)", "In the solution at point b, c(Na⁺) = c(A⁻)"),
            ("水的电离程度：b 点大于 c 点", "Water is ionised to a greater degree at point b than at point c"),
        ],
        answers=["D"],
        caption=(
            f"滴定曲线，横轴 V(NaOH)（mL），纵轴 pH。起点 pH 约为 3；a 点（10 mL，pH 5）；b 点（20 mL，pH 约 {state(20)[0]:.1f}）位于突跃中；c 点（25 mL，pH 约 {state(25)[0]:.0f}）位于突跃后的平缓部分。",
            f"A titration curve, V(NaOH) in mL against pH. It begins at about pH 3; point a is at 10 mL and pH 5; point b is at 20 mL and about pH {state(20)[0]:.1f}, in the steep part; point c is at 25 mL and about pH {state(25)[0]:.0f}, in the flat part after it.",
        ),
        solution=[
            (
                "0.1000 mol/L 的 HA 起点 pH 约为 3，HA 是弱酸；b 点恰好生成 NaA，溶液呈碱性，应选在碱性范围变色的酚酞，A 错。",
                "0.1000 mol/L HA begins at about pH 3, so HA is a weak acid. At point b exactly NaA has formed and the solution is alkaline, so phenolphthalein, which changes in the alkaline range, is needed: A is wrong.",
            ),
            (
                "a 点中和了一半，c(A⁻) ≈ c(HA)，Ka ≈ c(H⁺) = 1.0×10⁻⁵ mol/L，B 错。",
                "At point a, half of the acid is neutralised, c(A⁻) ≈ c(HA), so Ka ≈ c(H⁺) = 1.0×10⁻⁵: B is wrong.",
            ),
            (
                "b 点溶液呈碱性，c(OH⁻) > c(H⁺)，由电荷守恒 c(Na⁺) + c(H⁺) = c(A⁻) + c(OH⁻) 得 c(Na⁺) > c(A⁻)，C 错。",
                "The solution at point b is alkaline, c(OH⁻) > c(H⁺); from the charge balance c(Na⁺) + c(H⁺) = c(A⁻) + c(OH⁻) follows c(Na⁺) > c(A⁻): C is wrong.",
            ),
            (
                "b 点是 NaA 溶液，A⁻ 水解促进水的电离；c 点有过量的 NaOH，抑制水的电离，所以水的电离程度 b 点大于 c 点，D 正确。",
                "At point b there is only NaA, and the hydrolysis of A⁻ promotes the ionisation of water; at point c the excess of NaOH suppresses it. So it is greater at b than at c: D is correct.",
            ),
        ],
        knowledge=[("酸碱中和滴定曲线", "titration curves"), ("弱电解质的电离平衡", "ionisation of weak acids"), ("电荷守恒", "charge balance")],
        draw=draw,
        check=lambda: [
            3.1 <= state(20)[0] <= 4.4,
            abs(math.log10(ka) + 3) < 0.3,
            abs(state(20)[0] - 7) < 0.05,  # by the charge balance c(Na⁺) = c(A⁻) only at pH 7
            water(20) > water(25),
        ],
    )  # fmt: skip


@problem("chemistry", "high", "blank")
def profile() -> Item:
    forward, backward, catalysed = 205, 350, 130  # kJ/mol
    change = forward - backward

    def draw(pen: Pen) -> None:
        low = 70.0  # where the products stand on the axis, which has no numbers
        start = low + backward - forward
        pen.chart(
            (pen.say("反应过程", "Progress of reaction"), [0, 11.2]), (pen.say("能量", "Energy"), [0, 460]),
            x_names=["", ""], y_names=["", ""], grid="none", size=(5.8, 4.2), y_room=(0, 0.02),
        )  # fmt: skip

        def hill(top: float) -> list[XY]:
            points: list[XY] = []
            for k in range(121):
                x = 3.5 + 4.4 * k / 120
                up = (1 - math.cos(2 * math.pi * min(k / 60, 1) / 2)) / 2 if k <= 60 else 1.0
                down = (1 + math.cos(math.pi * (k - 60) / 60)) / 2 if k > 60 else 1.0
                y = start + (top - start) * up if k <= 60 else low + (top - low) * down
                points.append((x, y))
            return points

        pen.line((0.2, start), (3.5, start), width=2.2)
        pen.line((7.9, low), (11, low), width=2.2)
        pen.line(*hill(start + forward), color=BLUE, width=2.2)
        pen.line(*hill(start + catalysed), color=RED, width=2.2, dash="--")
        pen.label((1.6, start), "2X(g) + Y(g)", "s", gap=5)
        pen.label((9.5, low), "2Z(g)", "s", gap=5)
        top, second = start + forward, start + catalysed
        for y, x0, x1 in ((top, 0.7, 9.9), (second, 2.4, 5.7)):
            pen.line((x0, y), (x1, y), width=0.9, color=GREY, dash=":")
        for x, y0, y1, text in (
            (1.0, start, top, f"$E_1$ = {forward}"),
            (2.7, start, second, f"$E_3$ = {catalysed}"),
            (9.5, low, top, f"$E_2$ = {backward}"),
        ):
            pen.arrow((x, y0), (x, y1), both=True, width=1.0, head=10)
            pen.box(x - 0.15, (y0 + y1) / 2 - 14, 0.3, 28, fill="#FFFFFF", color=None, z=4)
            pen.label((x, (y0 + y1) / 2), text)
        pen.label((6.15, top - 14), "a", "ne", color=BLUE, gap=4, size=14, bold=True)
        pen.label((5.7, second), "b", "s", color=RED, gap=6, size=14, bold=True)
        pen.label((11.2, 455), pen.say("单位：kJ/mol", "unit: kJ/mol"), "w", size=11)

    return Item(
        question=(
            "反应 2X(g) + Y(g) ⇌ 2Z(g) 在有、无催化剂时的能量变化如图所示。该反应的 ΔH = ____kJ/mol；使用催化剂时，逆反应的活化能为____kJ/mol；使用催化剂的是曲线____（填“a”或“b”）。",
            "The energy changes of the reaction 2X(g) + Y(g) ⇌ 2Z(g) with and without a catalyst are shown. For this reaction ΔH = ____ kJ/mol; with the catalyst the activation energy of the reverse reaction is ____ kJ/mol; the curve with the catalyst is ____ (write “a” or “b”).",
        ),
        answers=[str(change), str(catalysed - change), "b"],
        caption=(
            f"能量—反应过程图（单位 kJ/mol）。反应物 2X(g)+Y(g) 在左，生成物 2Z(g) 在右且位置较低。曲线 a（实线）峰较高，曲线 b（虚线）峰较低。E₁ = {forward}，从反应物到曲线 a 的峰；E₂ = {backward}，从生成物到曲线 a 的峰；E₃ = {catalysed}，从反应物到曲线 b 的峰。",
            f"Energy against the progress of the reaction (unit kJ/mol). The reactants 2X(g)+Y(g) are on the left, the product 2Z(g) on the right and lower. Curve a (solid) has the higher peak, curve b (dashed) the lower one. E₁ = {forward}, from the reactants to the peak of curve a; E₂ = {backward}, from the product to the peak of curve a; E₃ = {catalysed}, from the reactants to the peak of curve b.",
        ),
        solution=[
            (
                f"ΔH 等于正、逆反应活化能之差：{forward} − {backward} = −145（kJ/mol）。",
                f"ΔH is the difference of the activation energies of the forward and reverse reactions: {forward} − {backward} = −145 kJ/mol.",
            ),
            (
                "催化剂降低活化能，峰较低的曲线 b 是使用催化剂的；催化剂不改变 ΔH。",
                "A catalyst lowers the activation energy, so curve b with the lower peak is the one with the catalyst; ΔH is not changed.",
            ),
            (
                f"使用催化剂时逆反应的活化能为 {catalysed} + 145 = 275（kJ/mol）。",
                f"With the catalyst the activation energy of the reverse reaction is {catalysed} + 145 = 275 kJ/mol.",
            ),
        ],
        knowledge=[("反应热与活化能", "enthalpy change and activation energy"), ("催化剂", "catalysts")],
        draw=draw,
        check=lambda: [forward - backward, backward - (forward - catalysed), None],
    )  # fmt: skip


@problem("chemistry", "high", "free")
def equilibrium() -> Item:
    end, time = {"A": (1.0, 0.4), "B": (0.7, 0.5), "C": (0.0, 0.4)}, 5  # mol/L, min

    def at(name: str, t: float) -> float:
        first, last = end[name]
        return last + (first - last) * math.pow(max(0.0, 1 - t / time), 2.5)

    def draw(pen: Pen) -> None:
        pen.chart(
            ("$t$/min", list(range(9))), ("$c$/(mol/L)", [k / 10 for k in range(11)]),
            y_names=["0", *(f"{k / 10:.1f}" for k in range(1, 11))], size=(5.4, 4.2),
        )  # fmt: skip
        pen.ax.set_position((0.13, 0.14, 0.82, 0.78))
        for name, color, dash in (("A", BLUE, "-"), ("B", RED, "--"), ("C", GREEN, "-.")):
            pen.line(*[(t / 20, at(name, t / 20)) for t in range(101)], color=color, dash=dash, width=2.2)
        pen.line((5, 0.5), (8, 0.5), color=RED, dash="--", width=2.2)
        pen.line((5, 0.4), (8, 0.4), color=BLUE, width=2.2)
        pen.label((0.62, at("A", 0.62)), "A", "ne", color=BLUE)
        pen.label((0.42, at("B", 0.42)), "B", "sw", color=RED, gap=3)
        pen.label((1.0, at("C", 1.0)), "C", "se", color=GREEN)
        pen.label((6.5, 0.5), "B", "n", color=RED)
        pen.label((6.5, 0.4), pen.say("A、C", "A, C"), "s", gap=5)
        pen.line((5, 0), (5, 0.5), dash=":", color=GREY, width=1.3)

    change = {name: abs(last - first) for name, (first, last) in end.items()}
    return Item(
        question=(
            "一定温度下，在容积固定的密闭容器中，气体 A、B 反应生成气体 C：xA(g) + yB(g) ⇌ zC(g)，各物质的浓度随时间的变化如图所示。\n（1）求 x : y : z（最简整数比）。\n（2）求 0～5 min 内用 A 表示的平均反应速率，单位 mol/(L·min)。\n（3）求平衡时 A 的转化率（用百分数表示）。\n（4）x、y、z 取最简整数，求该温度下反应的平衡常数 K（不写单位）。",
            "At a constant temperature, in a closed vessel of fixed volume, the gases A and B react to form the gas C: xA(g) + yB(g) ⇌ zC(g). The figure shows the concentrations against time.\n(1) Find x : y : z in smallest whole numbers.\n(2) Find the average rate of reaction in terms of A from 0 to 5 min, in mol/(L·min).\n(3) Find the conversion of A at equilibrium, in per cent.\n(4) With x, y, z in smallest whole numbers, find the equilibrium constant K at this temperature (without its unit).",
        ),
        answers=["3:1:2", "0.12 mol/(L·min)", "60%", "5"],
        caption=(
            "浓度—时间图，横轴 t（min），纵轴 c（mol/L）。A 从 1.0 降到 0.4，B 从 0.7 降到 0.5，C 从 0 升到 0.4；5 min 时起三者都不再变化。",
            "Concentration in mol/L against time in min. A falls from 1.0 to 0.4, B falls from 0.7 to 0.5, C rises from 0 to 0.4; from 5 min on none of them changes.",
        ),
        solution=[
            (
                "浓度变化：A 为 1.0 − 0.4 = 0.6（mol/L），B 为 0.7 − 0.5 = 0.2（mol/L），C 为 0.4 mol/L，所以 x : y : z = 3 : 1 : 2。",
                "Changes of concentration: A 1.0 − 0.4 = 0.6 mol/L, B 0.7 − 0.5 = 0.2 mol/L, C 0.4 mol/L, so x : y : z = 3 : 1 : 2.",
            ),
            (
                "v(A) = 0.6 ÷ 5 = 0.12，单位 mol/(L·min)。",
                "v(A) = 0.6 ÷ 5 = 0.12, in mol/(L·min).",
            ),
            (
                "A 的转化率为 0.6 ÷ 1.0 = 60%。",
                "The conversion of A is 0.6 ÷ 1.0 = 60%.",
            ),
            (
                "K = c²(C) / [c³(A)·c(B)]，代入得 0.4² ÷ (0.4³ × 0.5) = 5。",
                "K = c²(C) / [c³(A)·c(B)], that is 0.4² ÷ (0.4³ × 0.5) = 5.",
            ),
        ],
        knowledge=[("化学反应速率", "reaction rate"), ("化学平衡常数", "equilibrium constant"), ("转化率", "conversion")],
        draw=draw,
        check=lambda: [
            None,
            round(change["A"] / time, 9),
            round(change["A"] / end["A"][0], 9),
            round(end["C"][1] ** 2 / (end["A"][1] ** 3 * end["B"][1]), 9),
        ],
    )  # fmt: skip
