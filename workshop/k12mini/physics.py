"""K12-Mini: physics, grades 9 and 12."""

from __future__ import annotations

from workshop.k12mini.item import Item, problem
from workshop.k12mini.style import BLUE, GREY, PALE, RED, SHADE, SMALL, WATER, WHITE, Pen


@problem("physics", "middle", "choice")
def rheostat() -> Item:
    wired = "left"  # the lower terminal of the rheostat that is in the circuit

    def draw(pen: Pen) -> None:
        pen.picture(-0.9, 8.9, -2.3, 5.0, width=5.2)
        pen.line((0, 0), (0, 3.4), (4.2, 3.4), z=1)
        pen.line((0, 0), (2.0, 0), z=1)
        # the rheostat: body from 4.0 to 7.0 at height 4 − its lower terminal is the end of the body, the slider above
        left, right, top = 4.2, 7.0, 3.4
        slider = (left + right) / 2
        pen.box(left, top - 0.22, right - left, 0.44, fill=WHITE, z=3)
        pen.line((slider, top + 1.0), (8.2, top + 1.0), (8.2, 0), z=1)
        pen.arrow((slider, top + 1.0), (slider, top + 0.2), head=15)
        pen.label((slider, top + 0.62), "$P$", "e", gap=6)
        pen.label((right, top - 0.22), "$R_2$", "s", gap=5)
        pen.label((left, top - 0.22), "$a$", "s", gap=4)
        pen.label((right, top), "$b$", "e", gap=5)
        pen.dot((left, top), (right, top), size=4)
        # the voltmeter across the part of the rheostat that is in the circuit
        pen.line((3.7, top), (3.7, 1.9), (7.7, 1.9), (7.7, top + 1.0), z=1)
        pen.dot((3.7, top), (7.7, top + 1.0), size=4.5)
        pen.meter((5.6, 1.9), "V")
        pen.line((2.0, 0), (8.2, 0), z=1)
        pen.cell((6.6, 0))
        pen.switch((4.6, 0), "S")
        pen.meter((2.4, 0), "A")
        pen.resistor((1.7, top), "$R_1$")

    def holds() -> list[bool]:
        more = wired == "left"  # moving P to the right lengthens the part between P and the terminal
        current_grows, voltage_grows = not more, more
        return [
            current_grows and voltage_grows,
            not current_grows and voltage_grows,
            current_grows and not voltage_grows,
            not current_grows and not voltage_grows,
        ]

    return Item(
        question=(
            "如图所示的电路，电源电压保持不变。闭合开关 S，将滑动变阻器的滑片 P 向 b 端移动的过程中（　　）",
            "In the circuit shown, the voltage of the supply is constant. Switch S is closed and the slider P of the rheostat is moved towards the end b. While it moves,",
        ),
        options=[
            ("电流表示数变大，电压表示数变大", "both the ammeter reading and the voltmeter reading increase"),
            ("电流表示数变小，电压表示数变大", "the ammeter reading decreases and the voltmeter reading increases"),
            ("电流表示数变大，电压表示数变小", "the ammeter reading increases and the voltmeter reading decreases"),
            ("电流表示数变小，电压表示数变小", "both the ammeter reading and the voltmeter reading decrease"),
        ],
        answers=["B"],
        caption=(
            "电路图：电源、开关 S、电流表、定值电阻 R₁ 和滑动变阻器 R₂ 依次连成一条回路。R₂ 的电阻体左端为 a，右端为 b，接入电路的是 a 端和滑片 P，b 端不接导线。电压表的一端接在 a 端，另一端接在滑片 P 的导线上。",
            "A circuit diagram: supply, switch S, ammeter, fixed resistor R₁ and rheostat R₂ form one loop. The left end of the rheostat's resistance is a, the right end b; the circuit is connected to the end a and to the slider P, no wire is connected to b. The voltmeter is connected to the end a and to the wire of the slider P.",
        ),
        solution=[
            (
                "R₁ 与 R₂ 串联，电流表测电路中的电流，电压表测 R₂ 两端的电压。",
                "R₁ and R₂ are in series; the ammeter measures the current, the voltmeter the voltage across R₂.",
            ),
            (
                "R₂ 接入电路的是 a 到 P 的一段，P 向 b 端移动时这一段变长，接入的电阻变大。",
                "The part of R₂ in the circuit reaches from a to P; as P moves towards b it becomes longer and its resistance grows.",
            ),
            (
                "总电阻变大，电源电压不变，所以电流变小，电流表示数变小；R₁ 两端的电压 U₁ = IR₁ 变小。",
                "The total resistance grows and the supply voltage is constant, so the current and the ammeter reading decrease, and the voltage U₁ = IR₁ across R₁ decreases.",
            ),
            (
                "R₂ 两端的电压 U₂ = U − U₁ 变大，电压表示数变大，选 B。",
                "The voltage across R₂, U₂ = U − U₁, increases, so the voltmeter reading increases: B.",
            ),
        ],
        knowledge=[("动态电路分析", "changes in a series circuit"), ("欧姆定律", "Ohm's law"), ("滑动变阻器", "rheostat")],
        draw=draw,
        check=holds,
    )  # fmt: skip


@problem("physics", "middle", "blank")
def density() -> Item:
    weights = [50]
    rider = 4.0  # grams, at the left edge of the rider
    before, after = 36, 56  # millilitres

    def cylinder(pen: Pen, left: float, level: int, stone: bool, title: str) -> None:
        width, height, low = 1.5, 5.0, 0.5  # 0 mL stands `low` above the foot
        unit = (height - low - 0.3) / 80
        surface = low + level * unit
        pen.box(left, 0.0, width, surface, fill=WATER, color=None, z=1)
        pen.line((left, height), (left, 0), (left + width, 0), (left + width, height))
        pen.line((left, surface), (left + width, surface), color=BLUE, width=2)
        pen.box(left - 0.3, -0.22, width + 0.6, 0.22, fill=SHADE, line=1.2)
        for mark in range(0, 81, 2):
            y = low + mark * unit
            length = 0.55 if mark % 10 == 0 else 0.3
            pen.line((left + width - length, y), (left + width, y), width=1.1 if mark % 10 == 0 else 0.8)
            if mark % 20 == 0:
                pen.label((left + width, y), str(mark), "e", gap=4, size=SMALL)
        pen.label((left + width, height + 0.35), "mL", "e", size=SMALL, gap=4)
        pen.label((left + width / 2, -0.25), title, "s", gap=5)
        if stone:
            pen.shape(
                (left + 0.2, 0.12), (left + 0.75, 0.08), (left + 0.85, 0.5), (left + 0.6, 0.95), (left + 0.25, 0.75),
                fill=SHADE, width=1.2,
            )  # fmt: skip
            pen.line((left + 0.55, 0.9), (left + 0.55, height + 0.5), width=0.8)

    def draw(pen: Pen) -> None:
        pen.picture(-0.6, 13.6, -1.6, 6.6, width=6.2)
        # the right pan of the balance, its weights, and the beam's scale with the rider
        pen.line((0.4, 3.6), (1.0, 3.2), (3.6, 3.2), (4.2, 3.6))
        pen.line((2.3, 3.2), (2.3, 2.7))
        for i, weight in enumerate(weights):
            left = 1.7 + 1.4 * i
            pen.box(left, 3.2, 1.2, 1.3, fill=SHADE, line=1.3)
            pen.box(left + 0.4, 4.5, 0.4, 0.35, fill=SHADE, line=1.3)
            pen.label((left + 0.6, 3.85), f"{weight} g", halo=False, size=SMALL)
        pen.label((2.3, 5.1), pen.say("右盘中的砝码", "mass on the right pan"), "n")
        zero, span = 0.2, 0.86
        pen.box(zero - 0.3, 0.9, 5 * span + 0.75, 0.95, fill=WHITE, line=1.3)
        for tick in range(26):
            x = zero + tick * span / 5
            long = tick % 5 == 0
            pen.line((x, 0.9), (x, 0.9 + (0.42 if long else 0.22)), width=1.2 if long else 0.8)
            if long:
                pen.label((x, 1.32), str(tick // 5), "n", size=SMALL, gap=1, halo=False)
        pen.label((zero + 5 * span + 0.42, 1.1), "g", "w", size=SMALL, gap=1, halo=False)
        edge = zero + rider * span
        pen.box(edge, 0.62, 0.3, 0.62, fill=RED, line=1.0, z=3)
        pen.label(
            (zero + 2.5 * span, 0.5),
            pen.say("标尺和游码（读左边缘）", "scale and rider (read its left edge)"),
            "s",
            gap=3,
        )
        cylinder(pen, 7.0, before, False, pen.say("放入前", "before"))
        cylinder(pen, 11.2, after, True, pen.say("放入后", "after"))

    mass = sum(weights) + rider
    volume = after - before
    return Item(
        question=(
            "小华测量一块矿石的密度。天平平衡时，右盘中的砝码和游码的位置如图左；用细线系住矿石，浸没在量筒内的水中，放入矿石前、后的水面如图右。矿石的质量是____g，体积是____cm³，密度是____g/cm³。",
            "Hua measures the density of a piece of ore. On the left the figure shows the mass on the right pan and the rider when the balance is level; on the right it shows the water in the measuring cylinder before and after the ore is fully immersed on a thin thread. The mass of the ore is ____ g, its volume is ____ cm³ and its density is ____ g/cm³.",
        ),
        answers=["54", "20", "2.7"],
        caption=(
            f"左图：右盘中有一个 {weights[0]} g 的砝码；标尺上每克分为 5 小格，游码的左边缘对着 {rider:.0f} g 的刻度线。右图：量筒每小格 2 mL；放入矿石前水面在 {before} mL 处，放入后水面在 {after} mL 处。",
            f"Left: one {weights[0]} g mass on the right pan; each gram of the scale is divided into 5, and the left edge of the rider is at the {rider:.0f} g mark. Right: a measuring cylinder with 2 mL per division; the water stands at {before} mL before the ore is put in and at {after} mL after.",
        ),
        solution=[
            (
                f"质量等于砝码的质量加游码的示数：{weights[0]} + {rider:.0f} = {mass:.0f}（g）。",
                f"The mass is that of the standard mass plus the reading of the rider: {weights[0]} + {rider:.0f} = {mass:.0f} g.",
            ),
            (
                f"体积等于两次读数之差：{after} − {before} = {volume}（mL），即 {volume} cm³。",
                f"The volume is the difference of the readings: {after} − {before} = {volume} mL, that is {volume} cm³.",
            ),
            (
                f"密度 ρ = m/V = {mass:.0f} ÷ {volume} = 2.7（g/cm³）。",
                f"The density is ρ = m/V = {mass:.0f} ÷ {volume} = 2.7 g/cm³.",
            ),
        ],
        knowledge=[("天平的读数", "reading a balance"), ("量筒的读数（排水法）", "volume by displacement"), ("密度的计算", "density")],
        draw=draw,
        check=lambda: [mass, volume, mass / volume],
    )  # fmt: skip


@problem("physics", "middle", "free")
def pulleys() -> Item:
    load, force, height = 600, 250, 2
    ropes = (
        3  # the rope starts at the movable pulley's axle, goes over the fixed one and under the movable one
    )

    def draw(pen: Pen) -> None:
        pen.picture(-3.4, 5.2, -3.4, 6.0, width=4.6)
        pen.ground(-2.2, 2.2, 5.5, 0.35, above=True)
        small, large = 0.5, 0.95
        fixed, moving, hook = (0.0, 4.1), (0.0, 0.6), (0.0, 1.95)
        pen.circle(fixed, small, fill=PALE)
        pen.circle(moving, large, fill=PALE)
        pen.line((0, 5.5), fixed, width=2.4)
        pen.line(hook, (0, -1.1), width=2.4)
        pen.dot(fixed, moving, size=4.5)
        # The rope: from the hook up over the fixed pulley, down around the movable one, and up to the hand.
        pen.line(hook, (small, 4.1), width=1.5)
        pen.arc(fixed, small, 0, 180, width=1.5)
        pen.line((-small, 4.1), (-large, 0.6), width=1.5)
        pen.arc(moving, large, 180, 360, width=1.5)
        pen.line((large, 0.6), (large, 4.2), width=1.5)
        pen.arrow((large, 3.3), (large, 4.7), color=RED, width=2.2, head=16)
        pen.label((large, 4.3), f"$F$ = {force} N", "e", gap=8)
        pen.box(-1.1, -2.7, 2.2, 1.6, fill=SHADE)
        pen.label((0, -1.9), f"$G$ = {load} N", halo=False, size=11)

    useful, travel = load * height, ropes * height
    return Item(
        question=(
            f"如图，工人用滑轮组在 10 s 内把重物匀速提升 {height} m（拉力 F 和物重 G 标在图中，绳重和摩擦不计，绳看作竖直）。\n（1）绳子自由端移动的距离是多少米？\n（2）有用功是多少焦？\n（3）滑轮组的机械效率是多少（用百分数表示）？\n（4）拉力 F 的功率是多少瓦？",
            f"With the pulley system shown, a worker lifts the load by {height} m at constant speed in 10 s (the pull F and the weight G are marked in the figure; neglect friction and the weight of the rope and take the ropes as vertical).\n(1) How many metres does the free end of the rope move?\n(2) How many joules is the useful work?\n(3) What is the mechanical efficiency of the pulley system, in per cent?\n(4) How many watts is the power of the pull F?",
        ),
        answers=[f"{travel} m", f"{useful} J", "80%", "150 W"],
        caption=(
            f"滑轮组：上面一个定滑轮挂在天花板上，下面一个动滑轮吊着重物，重物标着 G = {load} N。绳子的一端系在动滑轮的框架上，向上绕过定滑轮，向下绕过动滑轮，再向上到自由端，自由端受向上的拉力，标着 F = {force} N。",
            f"A pulley system: one fixed pulley hangs from the ceiling, one movable pulley below carries the load, marked G = {load} N. One end of the rope is tied to the frame of the movable pulley; the rope goes up over the fixed pulley, down around the movable pulley, and up to the free end, which is pulled upwards, marked F = {force} N.",
        ),
        solution=[
            (
                f"承担重物和动滑轮的绳子有 {ropes} 段，自由端移动的距离 s = {ropes} × {height} = {travel}（m）。",
                f"{ropes} parts of the rope carry the load and the movable pulley, so the free end moves s = {ropes} × {height} = {travel} m.",
            ),
            (f"有用功 W有 = Gh = {load} × {height} = {useful}（J）。", f"The useful work is Gh = {load} × {height} = {useful} J."),
            (
                f"总功 W总 = Fs = {force} × {travel} = {force * travel}（J），机械效率 η = {useful} ÷ {force * travel} = 80%。",
                f"The total work is Fs = {force} × {travel} = {force * travel} J, so the efficiency is {useful} ÷ {force * travel} = 80%.",
            ),
            (
                f"拉力的功率 P = W总/t = {force * travel} ÷ 10 = 150（W）。",
                f"The power of the pull is {force * travel} ÷ 10 = 150 W.",
            ),
        ],
        knowledge=[("滑轮组", "pulley systems"), ("机械效率", "mechanical efficiency"), ("功率", "power")],
        draw=draw,
        check=lambda: [ropes * height, load * height, load / (ropes * force), force * ropes * height / 10],
    )  # fmt: skip


@problem("physics", "high", "choice")
def chase() -> Item:
    steady, slope = 10, 2.5  # m/s, m/s²

    def draw(pen: Pen) -> None:
        pen.chart(("$t$/s", [0, 2, 4, 6, 8, 10]), ("$v$/(m/s)", [0, 5, 10, 15, 20, 25]), size=(5.4, 3.7))
        pen.line((0, steady), (10, steady), color=BLUE, width=2.2)
        pen.line((0, 0), (10, 10 * slope), color=RED, width=2.2, dash="--")
        pen.label((9, steady), pen.say("甲", "P"), "s", color=BLUE, gap=5)
        pen.label((9, 9 * slope), pen.say("乙", "Q"), "nw", color=RED, gap=5)

    def lead(t: float) -> float:
        return steady * t - slope * t * t / 2

    return Item(
        question=(
            "甲、乙两车在 t = 0 时从同一地点沿同一方向出发，它们的 v–t 图像如图所示。下列说法正确的是（　　）",
            "Two cars P and Q start from the same place at t = 0 and go in the same direction; their v–t graphs are shown. Which statement is correct?",
        ),
        options=[
            ("乙车的加速度大小为 5 m/s²", "The acceleration of car Q is 5 m/s²"),
            ("t = 4 s 时乙车追上甲车", "Car Q catches up with car P at t = 4 s"),
            ("在乙车追上甲车之前，两车的最大距离为 20 m", "Before Q catches up with P, the largest distance between the cars is 20 m"),
            ("t = 8 s 时甲车在乙车前方 20 m 处", "At t = 8 s car P is 20 m ahead of car Q"),
        ],
        answers=["C"],
        caption=(
            "v–t 图像，横轴 t（s），纵轴 v（m/s）。甲是水平线，v = 10 m/s；乙是过原点的直线，经过点（4 s，10 m/s）和（8 s，20 m/s）。",
            "A v–t graph with t in s and v in m/s. P is a horizontal line at 10 m/s; Q is a straight line through the origin and the points (4 s, 10 m/s) and (8 s, 20 m/s).",
        ),
        solution=[
            (
                "乙做匀加速运动，a = 20 ÷ 8 = 2.5（m/s²），A 错。",
                "Q accelerates uniformly with a = 20 ÷ 8 = 2.5 m/s², so A is wrong.",
            ),
            (
                "t = 4 s 时两车速度相等，此前甲快，距离增大，此后距离减小，所以此时距离最大：10 × 4 − 10 × 4 ÷ 2 = 20（m），B 错，C 正确。",
                "At t = 4 s the speeds are equal; before, P is faster and the distance grows, afterwards it shrinks. So it is largest now: 10 × 4 − 10 × 4 ÷ 2 = 20 m. B is wrong and C is correct.",
            ),
            (
                "t = 8 s 时两图线下的面积相等：10 × 8 = 80（m），20 × 8 ÷ 2 = 80（m），乙恰好追上甲，D 错。",
                "At t = 8 s the areas under the two lines are equal: 10 × 8 = 80 m and 20 × 8 ÷ 2 = 80 m; Q just catches up with P, so D is wrong.",
            ),
        ],
        knowledge=[("v–t 图像", "velocity–time graphs"), ("追及问题", "pursuit problems"), ("匀变速直线运动", "uniformly accelerated motion")],
        draw=draw,
        check=lambda: [
            slope == 5,
            lead(4) == 0,
            max(lead(t / 100) for t in range(801)) == 20,
            lead(8) == 20,
        ],
    )  # fmt: skip


@problem("physics", "high", "blank")
def source() -> Item:
    emf, inner = 1.45, 0.90
    ends = (0.0, 0.5)

    def draw(pen: Pen) -> None:
        pen.chart(
            ("$I$/A", [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), ("$U$/V", [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]),
            y_names=["1.00", "1.10", "1.20", "1.30", "1.40", "1.50"], minor=(2, 2), size=(5.4, 3.9),
        )  # fmt: skip
        points = [(i, emf - inner * i) for i in ends]
        pen.line(*points, color=BLUE, width=2.2)
        for current in (0.1, 0.2, 0.3, 0.4):
            x, y = current, emf - inner * current
            pen.line((x - 0.008, y - 0.008), (x + 0.008, y + 0.008), width=1.3)
            pen.line((x - 0.008, y + 0.008), (x + 0.008, y - 0.008), width=1.3)

    return Item(
        question=(
            "用电压表、电流表和滑动变阻器测一节干电池的电动势和内阻，由测得的数据画出的 U–I 图线如图所示（电表看作理想电表）。这节电池的电动势 E = ____V，内阻 r = ____Ω；把一个 2.0 Ω 的定值电阻接在电池两端，通过它的电流是____A。",
            "The emf and internal resistance of a dry cell are measured with a voltmeter, an ammeter and a rheostat; the figure shows the U–I line from the data (take the meters as ideal). The emf of the cell is E = ____ V and its internal resistance r = ____ Ω; when a 2.0 Ω resistor is connected across the cell, the current through it is ____ A.",
        ),
        answers=["1.45", "0.90", "0.50"],
        caption=(
            f"U–I 图线：横轴 I（A），从 0 开始；纵轴 U（V），从 1.00 开始。图线是直线，与纵轴交于 {emf:.2f} V，经过点（{ends[1]:.2f} A，{emf - inner * ends[1]:.2f} V）。",
            f"A U–I line: the horizontal axis is I in A and starts at 0; the vertical axis is U in V and starts at 1.00. The straight line meets the vertical axis at {emf:.2f} V and passes through the point ({ends[1]:.2f} A, {emf - inner * ends[1]:.2f} V).",
        ),
        solution=[
            (
                "由 U = E − Ir，图线与纵轴的交点就是电动势，E = 1.45 V。",
                "From U = E − Ir, the line meets the vertical axis at the emf, so E = 1.45 V.",
            ),
            (
                "纵轴从 1.00 V 开始，内阻要由斜率求：r = |ΔU/ΔI| = (1.45 − 1.00) ÷ 0.50 = 0.90（Ω）。",
                "The vertical axis starts at 1.00 V, so the internal resistance comes from the slope: r = |ΔU/ΔI| = (1.45 − 1.00) ÷ 0.50 = 0.90 Ω.",
            ),
            (
                "接 2.0 Ω 电阻时 I = E/(R + r) = 1.45 ÷ (2.0 + 0.90) = 0.50（A）。",
                "With the 2.0 Ω resistor, I = E/(R + r) = 1.45 ÷ (2.0 + 0.90) = 0.50 A.",
            ),
        ],
        knowledge=[("测电源的电动势和内阻", "measuring emf and internal resistance"), ("闭合电路欧姆定律", "Ohm's law for a whole circuit")],
        draw=draw,
        reading=True,
        check=lambda: [emf, inner, round(emf / (2.0 + inner), 9)],
    )  # fmt: skip


@problem("physics", "high", "free")
def rails() -> Item:
    field, length, speed, outer, inner = 0.4, 0.5, 9.0, 0.5, 0.1

    def draw(pen: Pen) -> None:
        pen.picture(-1.9, 10.6, -1.2, 4.4, width=5.8)
        for y in (0.0, 3.2):
            pen.line((0, y), (8.4, y), width=2)
        pen.line((0, 0), (0, 3.2), z=1)
        pen.resistor((0, 1.6), f"$R$ = {outer} Ω", upright=True, side="w")
        pen.dot((0, 3.2), (0, 0), size=4.5)
        pen.label((0, 3.2), "$a$", "nw", gap=3)
        pen.label((0, 0), "$b$", "sw", gap=3)
        rod = 4.9
        pen.line((rod, -0.35), (rod, 3.55), width=5, color=GREY)
        pen.label((rod, 3.55), "$M$", "n", gap=3)
        pen.label((rod, -0.35), "$N$", "s", gap=3)
        pen.label((rod, 0.52), f"$r$ = {inner} Ω", "w", gap=6)
        pen.arrow((rod + 0.1, 1.6), (rod + 1.7, 1.6), color=RED, width=2.2)
        pen.label((rod + 1.75, 1.6), f"$v$ = {speed:.0f} m/s", "e", gap=3)
        for x in (1.3, 2.5, 3.7, 6.1, 7.3):  # evenly spaced, with the rod in the place of 4.9
            for y in (0.5, 1.6, 2.7):
                if (x > 6 and y == 1.6) or (x == 3.7 and y == 0.5):
                    continue
                d = 0.11
                pen.line((x - d, y - d), (x + d, y + d), width=1.0, color=BLUE)
                pen.line((x - d, y + d), (x + d, y - d), width=1.0, color=BLUE)
        pen.label((1.9, 2.15), f"$B$ = {field} T", color=BLUE)
        pen.measure((9.0, 0), (9.0, 3.2), f"{length} m", "e", ticks=0.3)

    emf = field * length * speed
    current = emf / (outer + inner)
    return Item(
        question=(
            "如图，光滑平行金属导轨固定在水平面内（俯视图），处在竖直方向的匀强磁场中（图中“×”表示磁场垂直纸面向里），导体棒 MN 在水平外力作用下向右匀速运动，已知量标在图中，导轨电阻不计。\n（1）导体棒中的感应电动势是多少伏？\n（2）通过电阻 R 的电流是多少安？\n（3）通过 R 的电流方向是 a→b 还是 b→a？\n（4）水平外力是多少牛？",
            "Smooth parallel metal rails lie in a horizontal plane (seen from above) in a uniform vertical magnetic field (“×” means into the page). The rod MN is moved to the right at constant speed by a horizontal force; the known quantities are marked in the figure; neglect the resistance of the rails.\n(1) Find the magnitude of the emf induced in the rod, in V.\n(2) Find the magnitude of the current through the resistor R, in A.\n(3) Is the direction of the current through R a→b or b→a?\n(4) Find the magnitude of the horizontal force, in N.",
        ),
        answers=["1.8 V", "3 A", "a→b", "0.6 N"],
        caption=(
            f"俯视图：两根水平的平行导轨，间距标着 {length} m，左端接电阻 R = {outer} Ω，R 的上端为 a，下端为 b。导体棒 MN 垂直跨在导轨上，M 在上，N 在下，电阻 r = {inner} Ω，以 v = {speed:.0f} m/s 向右运动。磁场标着 B = {field} T，用“×”表示。",
            f"View from above: two horizontal parallel rails, marked {length} m apart; at the left end a resistor R = {outer} Ω with its upper end a and its lower end b. The rod MN lies across the rails, M at the top and N at the bottom, with resistance r = {inner} Ω, and moves to the right at v = {speed:.0f} m/s. The field is marked B = {field} T and drawn with “×”.",
        ),
        solution=[
            (
                f"感应电动势 E = BLv = {field} × {length} × {speed:.0f} = 1.8（V）。",
                f"The emf is E = BLv = {field} × {length} × {speed:.0f} = 1.8 V.",
            ),
            (
                f"电流 I = E/(R + r) = 1.8 ÷ ({outer} + {inner}) = 3（A）。",
                f"The current is I = E/(R + r) = 1.8 ÷ ({outer} + {inner}) = 3 A.",
            ),
            (
                "由右手定则，棒中的电流由 N 流向 M，M 端相当于电源正极，所以通过 R 的电流方向是 a→b。",
                "By the right-hand rule the current in the rod flows from N to M; M is the positive end of the source, so the current through R flows a→b.",
            ),
            (
                f"匀速运动时外力与安培力平衡，F = BIL = {field} × 3 × {length} = 0.6（N）。",
                f"At constant speed the force balances the magnetic force on the rod: F = BIL = {field} × 3 × {length} = 0.6 N.",
            ),
        ],
        knowledge=[("导体棒切割磁感线的电动势", "motional emf"), ("右手定则", "right-hand rule"), ("安培力", "force on a current in a magnetic field")],
        draw=draw,
        check=lambda: [round(emf, 9), round(current, 9), None, round(field * current * length, 9)],
    )  # fmt: skip
