"""K12-Mini: mathematics, grades 6, 9 and 12."""

from __future__ import annotations

import math

from workshop.k12mini.item import Item, problem
from workshop.k12mini.style import BLUE, GREY, PALE, SHADE, SKY, XY, Pen


@problem("math", "primary", "choice")
def clubs() -> Item:
    bars = {"reading": 80, "football": 50, "drawing": 30}
    share = 40  # per cent of the children who chose reading
    total = bars["reading"] * 100 // share
    chess = total - sum(bars.values())
    names = {
        "reading": ("阅读", "Reading"),
        "football": ("足球", "Football"),
        "drawing": ("绘画", "Drawing"),
        "chess": ("棋类", "Chess"),
    }
    fills = {"reading": SKY, "football": "#F5D48A", "drawing": "#A5DCC8", "chess": SHADE}
    wrong = (30, 36, 60)

    def draw(pen: Pen) -> None:
        pen.chart(
            ("", [0, 0.5, 1.5, 2.5, 3.5, 4]),
            (pen.say("人数", "Children"), [0, 20, 40, 60, 80, 100]),
            x_names=["", *(pen.say(*name) for name in names.values()), ""], size=(6.6, 3.4), grid="y",
        )  # fmt: skip
        pen.ax.set_position((0.08, 0.16, 0.47, 0.7))
        for i, key in enumerate(names):
            if key in bars:
                pen.box(i + 0.22, 0, 0.56, bars[key], fill=fills[key], line=1.2)
                pen.label((i + 0.5, bars[key]), str(bars[key]), "n", gap=2)
            else:
                pen.label((i + 0.5, 0), "?", "n", gap=4, size=16)
        pie = pen.panel(0.58, 0.08, 0.4, 0.8)
        pie.ax.set_aspect("equal")
        pie.ax.set_xlim(-1.15, 1.15)
        pie.ax.set_ylim(-1.15, 1.15)
        start = 90.0
        for key, name in names.items():
            sweep = 360 * (bars.get(key, chess)) / total
            rim = [
                (
                    math.cos(math.radians(start - sweep * k / 60)),
                    math.sin(math.radians(start - sweep * k / 60)),
                )
                for k in range(61)
            ]
            pie.shape((0, 0), *rim, fill=fills[key], width=1.2)
            middle = math.radians(start - sweep / 2)
            text = pen.say(*name) + (f"\n{share}%" if key == "reading" else "")
            pie.label((0.62 * math.cos(middle), 0.62 * math.sin(middle)), text, halo=False, size=11)
            start -= sweep

    return Item(
        question=(
            "六年级每名学生都从四个社团中选了一个，调查结果画成了两幅统计图（条形统计图还没有画完）。选棋类社团的有（　　）人。",
            "Every child in grade 6 chose one of four clubs. The results are shown in two charts (the bar chart is not finished). How many children chose the chess club?",
        ),
        options=[str(wrong[0]), str(wrong[1]), str(chess), str(wrong[2])],
        answers=["C"],
        caption=(
            f"左边是条形统计图：阅读{bars['reading']}人，足球{bars['football']}人，绘画{bars['drawing']}人，棋类的条形没有画（标着“?”）。右边是扇形统计图，分为阅读、足球、绘画、棋类四个扇形，只标出阅读占{share}%。",
            f"On the left a bar chart: reading {bars['reading']} children, football {bars['football']}, drawing {bars['drawing']}; the bar for chess is missing (marked “?”). On the right a pie chart with the sectors reading, football, drawing and chess; only reading is marked with its share, {share}%.",
        ),
        solution=[
            (
                f"阅读有{bars['reading']}人，占总人数的{share}%，所以总人数是 {bars['reading']} ÷ {share}% = {total}（人）。",
                f"Reading has {bars['reading']} children, which is {share}% of all, so there are {bars['reading']} ÷ {share}% = {total} children.",
            ),
            (
                f"棋类的人数是 {total} − {bars['reading']} − {bars['football']} − {bars['drawing']} = {chess}（人），选 C。",
                f"Chess: {total} − {bars['reading']} − {bars['football']} − {bars['drawing']} = {chess} children, so C.",
            ),
        ],
        knowledge=[("条形统计图与扇形统计图", "bar charts and pie charts"), ("已知部分量求总量（百分数）", "finding the whole from a percentage")],
        draw=draw,
        check=lambda: [bars["reading"] / (share / 100) - sum(bars.values()) == v for v in (wrong[0], wrong[1], chess, wrong[2])],
    )  # fmt: skip


@problem("math", "primary", "blank")
def leaf() -> Item:
    side = 8

    def draw(pen: Pen) -> None:
        pen.picture(-1.6, 9.8, -2.0, 8.8, width=4.4)
        first = [(side * math.cos(t), side * math.sin(t)) for t in (math.pi / 2 * k / 90 for k in range(91))]
        second = [(side - x, side - y) for x, y in first]
        pen.shape(*first, *second, fill=SHADE, color=None)
        pen.box(0, 0, side, side)
        pen.line(*first, color=BLUE, width=2)
        pen.line(*second, color=BLUE, width=2)
        for at, name, where in (
            ((0, side), "A", "nw"),
            ((0, 0), "B", "sw"),
            ((side, 0), "C", "se"),
            ((side, side), "D", "ne"),
        ):
            pen.label(at, f"${name}$", where, gap=2)  # type: ignore[arg-type]
        pen.measure((0, -1.1), (side, -1.1), f"{side} cm", "s", ticks=0.6)

    return Item(
        question=(
            "如图，在正方形 ABCD 中，分别以 B、D 为圆心、以正方形的边长为半径各画一段圆弧（四分之一圆）。阴影部分的周长是____cm，面积是____cm²。（π 取 3.14）",
            "In the square ABCD, two arcs (quarter circles) are drawn with centres B and D and the side of the square as radius. The perimeter of the shaded part is ____ cm and its area is ____ cm². (Take π = 3.14.)",
        ),
        answers=["25.12", "36.48"],
        caption=(
            f"正方形 ABCD，A 在左上，B 在左下，C 在右下，D 在右上，边长标着 {side} cm。两段弧都从 A 到 C，一段的圆心是 B，另一段的圆心是 D。两段弧之间的叶形部分涂有阴影。",
            f"A square ABCD with A top left, B bottom left, C bottom right, D top right; its side is marked {side} cm. Both arcs run from A to C, one with centre B, the other with centre D. The leaf-shaped region between the two arcs is shaded.",
        ),
        solution=[
            (
                f"阴影部分的边界是两段四分之一圆弧，合起来是半个圆周：2 × 3.14 × {side} ÷ 4 × 2 = 25.12（cm）。",
                f"The border of the shaded part is two quarter arcs, together half a circle: 2 × 3.14 × {side} ÷ 4 × 2 = 25.12 cm.",
            ),
            (
                f"一个四分之一圆的面积是 3.14 × {side}² ÷ 4 = 50.24（cm²）。",
                f"The area of one quarter circle is 3.14 × {side}² ÷ 4 = 50.24 cm².",
            ),
            (
                f"两个四分之一圆合起来盖住整个正方形，重叠部分就是阴影：50.24 × 2 − {side} × {side} = 36.48（cm²）。",
                f"The two quarter circles cover the whole square and overlap in the shaded part: 50.24 × 2 − {side} × {side} = 36.48 cm².",
            ),
        ],
        knowledge=[("圆的周长", "circumference of a circle"), ("组合图形的面积", "area of composite figures")],
        draw=draw,
        check=lambda: [round(3.14 * side, 6), round(2 * 3.14 * side**2 / 4 - side**2, 6)],
    )  # fmt: skip


@problem("math", "primary", "free")
def ride() -> Item:
    points = [(0, 0), (30, 6), (80, 6), (100, 0)]  # minutes after 9:00, kilometres from home

    def clock(minutes: int) -> str:
        return f"{9 + minutes // 60}:{minutes % 60:02d}"

    def draw(pen: Pen) -> None:
        ticks = list(range(0, 121, 10))
        pen.chart(
            (pen.say("时刻", "Time of day"), ticks),
            (pen.say("离家的路程/km", "Distance from home (km)"), list(range(8))),
            x_names=[clock(t) if t % 20 == 0 else "" for t in ticks], size=(6.0, 3.6),
        )  # fmt: skip
        pen.line(*points, color=BLUE, width=2.2)
        pen.dot(*points, color=BLUE)

    stay = points[2][0] - points[1][0]
    go = points[1][1] * 60 // points[1][0]
    back = points[1][1] * 60 // (points[3][0] - points[2][0])
    return Item(
        question=(
            "小明上午骑自行车从家去图书馆借书，然后沿原路骑车回家，他离家的路程与时刻的关系如图。\n（1）他在图书馆停留了多少分钟？\n（2）回家途中，他骑车的平均速度是多少千米/时？\n（3）回家的速度比去图书馆的速度快百分之几？",
            "One morning Ming cycles from home to the library to borrow books and then cycles home the same way. The graph shows his distance from home at each time of day.\n(1) How long did he stay at the library, in minutes?\n(2) What was his average speed on the way home, in km/h?\n(3) By what percentage was he faster on the way home than on the way to the library?",
        ),
        answers=[f"{stay} min", f"{back} km/h", "50%"],
        caption=(
            f"折线统计图，横轴是时刻（每格10分钟），纵轴是离家的路程（km）。折线依次经过：{clock(0)} 处 0 km，{clock(30)} 处 {points[1][1]} km，{clock(80)} 处 {points[2][1]} km，{clock(100)} 处 0 km，各点之间是线段。",
            f"A line graph; the horizontal axis is the time of day (10 minutes per division), the vertical axis the distance from home in km. Straight segments join the points {clock(0)}, 0 km; {clock(30)}, {points[1][1]} km; {clock(80)}, {points[2][1]} km; {clock(100)}, 0 km.",
        ),
        solution=[
            (
                f"{clock(30)} 到 {clock(80)} 路程不变，他在图书馆，停留了 {stay} 分钟。",
                f"From {clock(30)} to {clock(80)} the distance does not change: he is at the library for {stay} minutes.",
            ),
            (
                f"{clock(80)} 到 {clock(100)} 回家，用了 20 分钟，即三分之一小时，速度是 {points[1][1]} × 3 = {back}（千米/时）。",
                f"The way home, from {clock(80)} to {clock(100)}, takes 20 minutes, a third of an hour, so he rides {points[1][1]} × 3 = {back} km per hour.",
            ),
            (
                f"去图书馆用了30分钟，速度是 {points[1][1]} ÷ 0.5 = {go}（千米/时）。",
                f"The way to the library takes 30 minutes, so the speed is {points[1][1]} ÷ 0.5 = {go} km per hour.",
            ),
            (
                f"回家快了 ({back} − {go}) ÷ {go} = 50%。",
                f"On the way home he is faster by ({back} − {go}) ÷ {go} = 50%.",
            ),
        ],
        knowledge=[("折线统计图", "line graphs"), ("路程、时间与速度", "distance, time and speed"), ("百分数的应用", "percentages")],
        draw=draw,
        check=lambda: [
            80 - 30,
            points[1][1] / ((points[3][0] - points[2][0]) / 60),
            (points[1][0] - 0) / (points[3][0] - points[2][0]) - 1,
        ],
    )  # fmt: skip


@problem("math", "middle", "choice")
def parabola() -> Item:
    left, right = -1, 3
    a, b, c = -1, left + right, -left * right

    def y(x: float) -> float:
        return a * x * x + b * x + c

    def draw(pen: Pen) -> None:
        pen.picture(-3.2, 5.2, -3.4, 5.3, width=4.6)
        pen.arrow((-2.9, 0), (4.9, 0), width=1.2)
        pen.arrow((0, -3.2), (0, 5.1), width=1.2)
        pen.label((4.9, 0), "$x$", "s")
        pen.label((0, 5.1), "$y$", "w")
        pen.label((0, 0), "$O$", "sw", gap=3)
        pen.curve(y, -1.62, 3.62, color=BLUE, width=2.2)
        pen.line((1, -3.1), (1, 4.7), dash="--", color=GREY, width=1.2)
        pen.label((1, -3.0), "$x=1$", "e", gap=5)
        pen.dot((left, 0), color=BLUE)
        pen.label((left, 0), "−1", "nw", gap=4)

    def holds() -> list[bool]:
        return [
            a * b * c > 0,
            2 * a - b == 0,
            all(y(x / 10) > 0 for x in range(11, 100)),
            9 * a + 3 * b + c == 0,
        ]

    return Item(
        question=(
            "二次函数 $y=ax^2+bx+c$（$a\\neq 0$）的图象如图所示，虚线是它的对称轴。下列结论正确的是（　　）",
            "The graph of the quadratic function $y=ax^2+bx+c$ ($a\\neq 0$) is shown; the dashed line is its axis of symmetry. Which conclusion is correct?",
        ),
        options=[
            "$abc>0$",
            "$2a-b=0$",
            ("当 $x>1$ 时，$y>0$", "$y>0$ for all $x>1$"),
            "$9a+3b+c=0$",
        ],
        answers=["D"],
        caption=(
            "平面直角坐标系中一条开口向下的抛物线，与 x 轴的左交点标着 −1，与 y 轴交于正半轴；对称轴是虚线，标着 x=1。右交点没有标数。",
            "A parabola that opens downwards in a coordinate system. Its left intersection with the x-axis is marked −1; it meets the y-axis above the origin. The axis of symmetry is a dashed line marked x=1. The right intersection is not marked with a number.",
        ),
        solution=[
            (
                "开口向下，所以 $a<0$；对称轴 $x=-\\frac{b}{2a}=1$，所以 $b=-2a>0$；与 $y$ 轴交于正半轴，所以 $c>0$。于是 $abc<0$，A 错。",
                "It opens downwards, so $a<0$. The axis is $x=-\\frac{b}{2a}=1$, so $b=-2a>0$. It meets the $y$-axis above the origin, so $c>0$. Hence $abc<0$ and A is wrong.",
            ),
            ("由 $b=-2a$ 得 $2a+b=0$，而 $2a-b=4a\\neq 0$，B 错。", "From $b=-2a$ we get $2a+b=0$, while $2a-b=4a\\neq 0$, so B is wrong."),
            (
                "左交点 $(-1,0)$ 关于 $x=1$ 的对称点是 $(3,0)$，当 $x>3$ 时 $y<0$，C 错。",
                "The mirror image of $(-1,0)$ in $x=1$ is $(3,0)$; for $x>3$ we have $y<0$, so C is wrong.",
            ),
            ("图象过 $(3,0)$，代入得 $9a+3b+c=0$，D 正确。", "The graph passes through $(3,0)$, which gives $9a+3b+c=0$, so D is correct."),
        ],
        knowledge=[("二次函数图象与系数的关系", "graph and coefficients of a quadratic function"), ("抛物线的对称性", "symmetry of the parabola")],
        draw=draw,
        check=holds,
    )  # fmt: skip


@problem("math", "middle", "blank")
def chord() -> Item:
    radius, half = 5, 4
    oe = math.isqrt(radius**2 - half**2)
    ae = radius + oe

    def draw(pen: Pen) -> None:
        pen.picture(-7, 7, -6.2, 6.2, width=4.4)
        pen.circle((0, 0), radius)
        a, b, c, d, e = (-radius, 0), (radius, 0), (oe, half), (oe, -half), (oe, 0)
        pen.line(a, b)
        pen.line(c, d)
        pen.line((0, 0), c)
        pen.line(a, c)
        pen.right_angle(e, a, c, 0.45)
        pen.dot((0, 0), size=4.5)
        pen.label(a, "$A$", "w")
        pen.label(b, "$B$", "e")
        pen.label(c, "$C$", "ne", gap=3)
        pen.label(d, "$D$", "se", gap=3)
        pen.label(e, "$E$", "se", gap=4)
        pen.label((0, 0), "$O$", "s", gap=5)
        pen.label((oe / 2, half / 2), str(radius), "se", gap=3)
        pen.label((oe, half / 2), str(half), "e", gap=4)

    return Item(
        question=(
            "如图，AB 是⊙O 的直径，弦 CD⊥AB 于点 E，已知的长度标在图中，则 OE = ____，AC = ____。",
            "In the figure, AB is a diameter of circle O and the chord CD is perpendicular to AB at E. The known lengths are marked in the figure. Then OE = ____ and AC = ____.",
        ),
        answers=[str(oe), "$4\\sqrt{5}$"],
        caption=(
            f"圆 O，水平直径 AB，A 在左，B 在右。竖直的弦 CD 与 AB 垂直相交于 E，E 在 O 与 B 之间，C 在上，D 在下。连接 OC、AC。OC 旁标着 {radius}，CE 旁标着 {half}。",
            f"A circle O with a horizontal diameter AB, A on the left and B on the right. The vertical chord CD meets AB at a right angle in E, which lies between O and B; C is above, D below. OC and AC are drawn. OC is marked {radius}, CE is marked {half}.",
        ),
        solution=[
            (
                f"在 Rt△OCE 中，OC = {radius}，CE = {half}，所以 OE = √({radius}² − {half}²) = {oe}。",
                f"In the right triangle OCE, OC = {radius} and CE = {half}, so OE = √({radius}² − {half}²) = {oe}.",
            ),
            (
                f"E 在 O、B 之间，AE = AO + OE = {radius} + {oe} = {ae}。",
                f"E lies between O and B, so AE = AO + OE = {radius} + {oe} = {ae}.",
            ),
            (
                f"在 Rt△ACE 中，AC = √({ae}² + {half}²) = √{ae**2 + half**2} = 4√5。",
                f"In the right triangle ACE, AC = √({ae}² + {half}²) = √{ae**2 + half**2} = 4√5.",
            ),
        ],
        knowledge=[("垂径定理", "perpendicular from the centre to a chord"), ("勾股定理", "Pythagorean theorem")],
        draw=draw,
        check=lambda: [math.sqrt(radius**2 - half**2), math.hypot(radius + math.sqrt(radius**2 - half**2), half)],
    )  # fmt: skip


@problem("math", "middle", "free")
def tower() -> Item:
    far, near, step, eye = 30, 60, 20, 1.5

    def draw(pen: Pen) -> None:
        height = step * math.sin(math.radians(near))
        base = step + step * math.cos(math.radians(near))
        pen.picture(-4, base + 9, -4.6, height + 4, width=5.6)
        a, b, e, c = (0.0, 0.0), (float(step), 0.0), (base, 0.0), (base, height)
        g = -eye * 1.6  # drawn a little larger than true, so that it can be read
        pen.ground(-3, base + 8, g, 0.8)
        pen.box(base, g, 5, height - g, fill=PALE)
        for k in range(4):
            for i in (1, 3):
                pen.box(base + i - 0.1, g + 3.4 + 4.0 * k, 1.1, 1.5, fill="#FFFFFF", line=0.8)
        for foot, name in ((a, "A"), (b, "B")):
            pen.line((foot[0], g), foot, width=2.2)
            pen.label(foot, f"${name}$", "nw", gap=3)
        pen.line(a, e, dash="--", width=1.2)
        pen.line(a, c, color=BLUE)
        pen.line(b, c, color=BLUE)
        pen.dot(a, b, c, size=4)
        pen.label(c, "$C$", "n")
        pen.label(e, "$E$", "e", gap=3)
        pen.label((base, g), "$D$", "s", gap=5)
        pen.right_angle(e, b, c, 0.8)
        pen.angle(a, b, c, 3.0, f"{far}°", reach=1.75)
        pen.angle(b, e, c, 2.0, f"{near}°", reach=1.95)
        pen.measure((0, g - 1.6), (step, g - 1.6), f"{step} m", "s", ticks=1.2)
        pen.arrow((-2, g), (-2, 0), both=True, width=0.8, head=8)
        pen.line((-2.6, 0), (-0.2, 0), width=0.8)
        pen.label((-2, g / 2), f"{eye} m", "w", gap=5)

    return Item(
        question=(
            "数学兴趣小组测量教学楼的高 CD。他们在 A 处用测角仪测得楼顶 C 的仰角，向教学楼前进一段距离到 B 处，再次测得楼顶 C 的仰角（A、B、E 在同一水平线上，测得的数据如图）。\n（1）B 处到楼顶 C 的距离 BC 是多少米？\n（2）教学楼的高 CD 是多少米？（结果精确到 0.1 m，√3 取 1.732）",
            "A maths club measures the height CD of the school building. At A they measure the angle of elevation of the top C with a theodolite; then they walk towards the building to B and measure it again (A, B and E lie on one horizontal line; the data are in the figure).\n(1) Find the distance BC from B to the top C, in m.\n(2) Find the height CD of the building, in m, to the nearest 0.1 m. (Take √3 = 1.732.)",
        ),
        answers=[f"{step} m", "18.8 m"],
        caption=(
            f"竖直的教学楼边线 CD，C 在顶，D 在地面。测角仪高 {eye} m，仪器顶端的位置依次是 A、B，过 A、B 的水平虚线与楼相交于 E，有直角标记。A 处仰角标着 {far}°，B 处仰角标着 {near}°，A、B 之间的水平距离标着 {step} m，B 在 A 与楼之间。",
            f"A building with the vertical edge CD, C at the top and D on the ground. The theodolite is {eye} m high; its upper ends are at A and B, and the horizontal dashed line through them meets the building at E at a right angle. The angle of elevation is marked {far}° at A and {near}° at B; the horizontal distance from A to B is marked {step} m, with B between A and the building.",
        ),
        solution=[
            (
                f"∠ACB = {near}° − {far}° = {near - far}° = ∠CAB，所以 BC = AB = {step} m。",
                f"∠ACB = {near}° − {far}° = {near - far}° = ∠CAB, so BC = AB = {step} m.",
            ),
            (
                f"在 Rt△BCE 中，CE = BC·sin{near}° = {step} × 1.732 ÷ 2 = 17.32（m）。",
                f"In the right triangle BCE, CE = BC·sin {near}° = {step} × 1.732 ÷ 2 = 17.32 m.",
            ),
            (
                f"CD = CE + ED = 17.32 + {eye} = 18.82 ≈ 18.8（m）。",
                f"CD = CE + ED = 17.32 + {eye} = 18.82 ≈ 18.8 m.",
            ),
        ],
        knowledge=[("解直角三角形的应用（仰角）", "right triangles: angle of elevation"), ("等腰三角形的判定", "isosceles triangles")],
        draw=draw,
        check=lambda: [
            step * math.sin(math.radians(far)) / math.sin(math.radians(near - far)),
            round(step * math.sin(math.radians(far)) / math.sin(math.radians(near - far)) * 1.732 / 2 + eye, 1),
        ],
    )  # fmt: skip


@problem("math", "high", "choice")
def sine() -> Item:
    peak, zero, amplitude = math.pi / 6, 5 * math.pi / 12, 2
    omega = (math.pi / 2) / (zero - peak)
    phi = math.pi / 2 - omega * peak

    def f(x: float) -> float:
        return amplitude * math.sin(omega * x + phi)

    def draw(pen: Pen) -> None:
        pen.picture(-1.15, 3.6, -2.7, 3.0, width=5.2)
        pen.arrow((-1.1, 0), (3.5, 0), width=1.2)
        pen.arrow((0, -2.6), (0, 2.9), width=1.2)
        pen.label((3.5, 0), "$x$", "s")
        pen.label((0, 2.9), "$y$", "w")
        pen.label((0, 0), "$O$", "sw", gap=3)
        pen.curve(f, -0.95, 3.15, color=BLUE, width=2.2)
        pen.line((0, amplitude), (peak, amplitude), (peak, 0), dash="--", color=GREY, width=1.1)
        pen.line((0, -amplitude), (2 * zero - peak, -amplitude), dash="--", color=GREY, width=1.1)
        pen.label((0, amplitude), str(amplitude), "w")
        pen.label((0, -amplitude), f"−{amplitude}", "w")
        pen.label((peak, 0), r"$\dfrac{\pi}{6}$", "s", gap=13, size=13)
        pen.label((zero, 0), r"$\dfrac{5\pi}{12}$", "ne", gap=15, size=13)
        pen.dot((peak, amplitude), (zero, 0), color=BLUE, size=4.5)

    x = math.pi / 3
    return Item(
        question=(
            "函数 $f(x)=A\\sin(\\omega x+\\varphi)$（$A>0$，$\\omega>0$，$|\\varphi|<\\frac{\\pi}{2}$）的部分图象如图所示，则 $f\\left(\\frac{\\pi}{3}\\right)=$（　　）",
            "Part of the graph of $f(x)=A\\sin(\\omega x+\\varphi)$ ($A>0$, $\\omega>0$, $|\\varphi|<\\frac{\\pi}{2}$) is shown. Then $f\\left(\\frac{\\pi}{3}\\right)=$",
        ),
        options=["$1$", "$\\sqrt{3}$", "$\\frac{1}{2}$", "$-1$"],
        answers=["A"],
        caption=(
            "正弦型曲线，最大值 2，最小值 −2。y 轴右侧第一个最高点的横坐标标着 π/6，其后曲线下降，与 x 轴的第一个交点的横坐标标着 5π/12。",
            "A sine-shaped curve with maximum 2 and minimum −2. The first highest point to the right of the y-axis is marked with the x-coordinate π/6; after it the curve falls, and its first intersection with the x-axis is marked 5π/12.",
        ),
        solution=[
            (
                "由图知 $A=2$，$\\frac{T}{4}=\\frac{5\\pi}{12}-\\frac{\\pi}{6}=\\frac{\\pi}{4}$，所以 $T=\\pi$，$\\omega=2$。",
                "From the graph $A=2$ and $\\frac{T}{4}=\\frac{5\\pi}{12}-\\frac{\\pi}{6}=\\frac{\\pi}{4}$, so $T=\\pi$ and $\\omega=2$.",
            ),
            (
                "最高点处 $2\\times\\frac{\\pi}{6}+\\varphi=\\frac{\\pi}{2}+2k\\pi$，结合 $|\\varphi|<\\frac{\\pi}{2}$ 得 $\\varphi=\\frac{\\pi}{6}$。",
                "At the highest point $2\\times\\frac{\\pi}{6}+\\varphi=\\frac{\\pi}{2}+2k\\pi$; with $|\\varphi|<\\frac{\\pi}{2}$ this gives $\\varphi=\\frac{\\pi}{6}$.",
            ),
            (
                "$f\\left(\\frac{\\pi}{3}\\right)=2\\sin\\left(\\frac{2\\pi}{3}+\\frac{\\pi}{6}\\right)=2\\sin\\frac{5\\pi}{6}=1$，选 A。",
                "$f\\left(\\frac{\\pi}{3}\\right)=2\\sin\\left(\\frac{2\\pi}{3}+\\frac{\\pi}{6}\\right)=2\\sin\\frac{5\\pi}{6}=1$, so A.",
            ),
        ],
        knowledge=[("由图象求 y=Asin(ωx+φ) 的解析式", "finding y = A sin(ωx+φ) from its graph"), ("三角函数的周期", "period of trigonometric functions")],
        draw=draw,
        check=lambda: [abs(f(x) - v) < 1e-9 for v in (1, math.sqrt(3), 0.5, -1)],
    )  # fmt: skip


@problem("math", "high", "blank")
def histogram() -> Item:
    heights = [0.005, 0.020, None, 0.025, 0.010]
    start, width = 50, 10
    a = round(1 / width - sum(h for h in heights if h is not None), 6)
    full = [a if h is None else h for h in heights]

    def median() -> float:
        below = 0.0
        for i, h in enumerate(full):
            if below + h * width >= 0.5:
                return start + width * i + (0.5 - below) / h
            below += h * width
        raise AssertionError

    def draw(pen: Pen) -> None:
        edges = [start + width * i for i in range(6)]
        pen.chart(
            (pen.say("成绩/分", "Score"), edges),
            (pen.say("频率/组距", "Relative frequency / class width"), [0, *sorted(full)]),
            y_names=["0", *("$a$" if h == a else f"{h:.3f}" for h in sorted(full))],
            grid="none", x_room=(0.12, 0.12), y_room=(0, 0.12), size=(5.6, 3.9),
        )  # fmt: skip
        for i, h in enumerate(full):
            pen.line((start - 0.12 * 50, h), (start + width * i, h), dash="--", color=GREY, width=1.0, z=1)
            pen.box(start + width * i, 0, width, h, fill=PALE)

    return Item(
        question=(
            "某校从一次数学竞赛的答卷中抽取 300 份，成绩的频率分布直方图如图所示（每组含左端点，不含右端点，最后一组含两端点）。则 a = ____，抽取的成绩在 [80, 90) 内的有____份，估计成绩的中位数为____。",
            "A sample of 300 papers is taken from a mathematics contest; the figure shows the relative frequency histogram of their scores (each class contains its left end but not its right end; the last contains both). Then a = ____, the number of sampled scores in [80, 90) is ____, and the estimated median of the scores is ____.",
        ),
        answers=["0.04", "75", "76.25"],
        caption=(
            "频率分布直方图，横轴为成绩（分），组距 10，纵轴为频率/组距。各组的高：50～60 为 0.005，60～70 为 0.020，70～80 为 a（最高），80～90 为 0.025，90～100 为 0.010。",
            "A relative frequency histogram; the horizontal axis is the score with class width 10, the vertical axis relative frequency / class width. Heights: 0.005 for 50–60, 0.020 for 60–70, a (the highest) for 70–80, 0.025 for 80–90, 0.010 for 90–100.",
        ),
        solution=[
            (
                "各组频率之和为 1：(0.005 + 0.020 + a + 0.025 + 0.010) × 10 = 1，解得 a = 0.04。",
                "The relative frequencies add up to 1: (0.005 + 0.020 + a + 0.025 + 0.010) × 10 = 1, which gives a = 0.04.",
            ),
            (
                "[80, 90) 的频率是 0.025 × 10 = 0.25，份数是 300 × 0.25 = 75。",
                "The relative frequency of [80, 90) is 0.025 × 10 = 0.25, so the number is 300 × 0.25 = 75.",
            ),
            (
                "前两组的频率之和是 (0.005 + 0.020) × 10 = 0.25，前三组是 0.25 + 0.04 × 10 = 0.65，中位数在 [70, 80) 内。",
                "The first two classes together have the relative frequency (0.005 + 0.020) × 10 = 0.25, the first three 0.25 + 0.04 × 10 = 0.65, so the median lies in [70, 80).",
            ),
            (
                "中位数约为 70 + (0.5 − 0.25) ÷ 0.04 = 76.25。",
                "The median is about 70 + (0.5 − 0.25) ÷ 0.04 = 76.25.",
            ),
        ],
        knowledge=[("频率分布直方图", "relative frequency histograms"), ("用样本估计总体（中位数）", "estimating the median from a sample")],
        draw=draw,
        check=lambda: [a, 300 * width * full[3], median()],
    )  # fmt: skip


@problem("math", "high", "free")
def pyramid() -> Item:
    ab, ad, pa = 4, 3, 4

    def draw(pen: Pen) -> None:
        pen.picture(-2.6, 5.6, -2.2, 5.4, width=4.6)

        def at(x: float, y: float, z: float) -> XY:  # x to the front (AB), y to the right (AD), z up
            return (1.35 * y - 0.42 * x, z - 0.38 * x)

        a, b, c, d, p = at(0, 0, 0), at(ab, 0, 0), at(ab, ad, 0), at(0, ad, 0), at(0, 0, pa)
        for hidden in ((a, b), (a, d), (a, p)):
            pen.line(*hidden, dash="--", width=1.3)
        pen.line(b, c, d)
        for foot in (b, c, d):
            pen.line(p, foot)
        pen.label(p, "$P$", "n")
        pen.label(a, "$A$", "nw", gap=3)
        pen.label(b, "$B$", "sw", gap=3)
        pen.label(c, "$C$", "se", gap=3)
        pen.label(d, "$D$", "e", gap=4)
        middle = at(ab / 2, 0, 0)
        pen.label(middle, str(ab), "se", gap=3)
        pen.label(at(0, ad * 0.55, 0), str(ad), "n", gap=3)
        pen.label(at(0, 0, pa * 0.45), str(pa), "e", gap=4)

    tangent = pa / ad
    distance = pa * ad / math.hypot(pa, ad)
    return Item(
        question=(
            "如图，四棱锥 P-ABCD 的底面是矩形，PA⊥平面 ABCD，三条棱的长度标在图中。\n（1）求四棱锥 P-ABCD 的体积。\n（2）求二面角 P-CD-A 的正切值。\n（3）求点 A 到平面 PCD 的距离。",
            "The base of the pyramid P-ABCD is a rectangle and PA is perpendicular to the plane ABCD; the lengths of three edges are marked in the figure.\n(1) Find the volume of the pyramid P-ABCD.\n(2) Find the tangent of the dihedral angle P-CD-A.\n(3) Find the distance from the point A to the plane PCD.",
        ),
        answers=["16", "4/3", "12/5"],
        caption=(
            f"四棱锥 P-ABCD 的直观图，P 在 A 的正上方。标出的长度：AB = {ab}，AD = {ad}，PA = {pa}；AB、AD、PA 画成虚线。",
            f"An oblique drawing of the pyramid P-ABCD with P straight above A. Marked lengths: AB = {ab}, AD = {ad}, PA = {pa}; AB, AD and PA are drawn dashed.",
        ),
        solution=[
            (
                f"底面积是 {ab} × {ad} = {ab * ad}，体积是 {ab * ad} × {pa} ÷ 3 = 16。",
                f"The base has the area {ab} × {ad} = {ab * ad}, so the volume is {ab * ad} × {pa} ÷ 3 = 16.",
            ),
            (
                "PA⊥平面 ABCD，所以 PA⊥CD；又 CD⊥AD，所以 CD⊥平面 PAD，∠PDA 是二面角 P-CD-A 的平面角。",
                "PA is perpendicular to the plane ABCD, so PA⊥CD; also CD⊥AD, so CD is perpendicular to the plane PAD and ∠PDA is the plane angle of the dihedral angle P-CD-A.",
            ),
            (f"tan∠PDA = PA/AD = {pa}/{ad}。", f"tan∠PDA = PA/AD = {pa}/{ad}."),
            (
                "平面 PCD⊥平面 PAD，交线是 PD。过 A 作 AH⊥PD 于 H，则 AH⊥平面 PCD，AH 就是所求距离。",
                "The plane PCD is perpendicular to the plane PAD, and they meet in PD. Let AH⊥PD with foot H; then AH is perpendicular to the plane PCD and is the distance sought.",
            ),
            (
                f"PD = √({pa}² + {ad}²) = 5，AH = {pa} × {ad} ÷ 5 = 2.4，即 12/5。",
                f"PD = √({pa}² + {ad}²) = 5 and AH = {pa} × {ad} ÷ 5 = 2.4, that is 12/5.",
            ),
        ],
        knowledge=[("棱锥的体积", "volume of a pyramid"), ("二面角", "dihedral angles"), ("点到平面的距离", "distance from a point to a plane")],
        draw=draw,
        check=lambda: [ab * ad * pa / 3, tangent, distance],
    )  # fmt: skip
