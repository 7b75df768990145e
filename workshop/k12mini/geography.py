"""K12-Mini: geography, grades 9 and 12."""

from __future__ import annotations

import math

import numpy as np
from workshop.k12mini.item import Item, problem
from workshop.k12mini.style import BLUE, GREY, INK, RED, SHADE, SKY, SMALL, XY, Pen, number


@problem("geography", "middle", "choice")
def climate() -> Item:
    warmth = [8, 9, 12, 15, 19, 24, 27, 27, 23, 18, 13, 9]
    rain = [90, 75, 60, 45, 25, 10, 5, 5, 30, 70, 100, 105]

    def draw(pen: Pen) -> None:
        pen.chart(
            (pen.say("月份", "Month"), [0, *(i + 0.5 for i in range(12)), 12]),
            (pen.say("降水量/mm", "Precipitation (mm)"), list(range(0, 201, 50))),
            x_names=["", *map(str, range(1, 13)), ""], grid="y", size=(5.6, 4.0), x_room=(0, 0.02), y_room=(0, 0.06),
        )  # fmt: skip
        pen.ax.set_position((0.13, 0.16, 0.74, 0.74))

        def height(celsius: float) -> float:
            return (celsius + 10) * 5

        for i, (t, r) in enumerate(zip(warmth, rain, strict=True)):
            pen.box(i + 0.22, 0, 0.56, r, fill=SKY, line=1.0)
            pen.dot((i + 0.5, height(t)), color=RED, size=4)
        pen.line(*[(i + 0.5, height(t)) for i, t in enumerate(warmth)], color=RED, width=2)
        for celsius in (-10, 0, 10, 20, 30):
            pen.label((12.24, height(celsius)), number(celsius), "e", gap=5)
        pen.line((12.24, 0), (12.24, 212), width=1.1)
        pen.label((12.24, 212), pen.say("气温/℃", "Temperature (°C)"), "n", gap=7)

    def holds() -> list[bool]:
        summer, winter = sum(rain[5:8]), rain[11] + rain[0] + rain[1]
        dry_summer = summer < 60 and winter > 3 * summer
        mild = min(warmth) > 0
        even = max(rain) < 2 * min(rain)
        return [
            dry_summer and mild,
            even and mild and max(warmth) < 22,
            not dry_summer and not mild,
            not dry_summer and mild and not even,
        ]

    return Item(
        question=(
            "北半球某城市各月气温（折线）和降水量（柱）如图所示，该城市的气候类型是（　　）",
            "The figure shows the monthly temperature (line) and precipitation (bars) of a city in the northern hemisphere. What is its type of climate?",
        ),
        options=[
            ("地中海气候", "Mediterranean climate"),
            ("温带海洋性气候", "temperate maritime climate"),
            ("温带季风气候", "temperate monsoon climate"),
            ("亚热带季风气候", "subtropical monsoon climate"),
        ],
        answers=["A"],
        caption=(
            "气温曲线和降水柱状图。1～12 月气温（℃）：" + "，".join(map(str, warmth)) + "；降水量（mm）：" + "，".join(map(str, rain)) + "。",
            "A chart of temperature (line) and precipitation (bars). January to December, temperature in °C: " + ", ".join(map(str, warmth)) + "; precipitation in mm: " + ", ".join(map(str, rain)) + ".",
        ),
        solution=[
            (
                "最冷月（1 月）气温约 8 ℃，在 0 ℃以上，排除温带季风气候。",
                "The coldest month (January) has about 8 °C, above 0 °C, which rules out the temperate monsoon climate.",
            ),
            (
                "降水集中在冬季，6～8 月降水很少：不是全年均匀，排除温带海洋性气候；不是夏季多雨，排除亚热带季风气候。",
                "Precipitation falls mostly in winter and there is very little from June to August: it is not even over the year, which rules out the temperate maritime climate, and summer is not wet, which rules out the subtropical monsoon climate.",
            ),
            ("夏季炎热干燥，冬季温和多雨，是地中海气候，选 A。", "Hot dry summers and mild wet winters are the Mediterranean climate, so A."),
        ],
        knowledge=[("气候类型的判读", "identifying climate types"), ("气温曲线与降水柱状图", "climate charts")],
        draw=draw,
        check=holds,
    )  # fmt: skip


@problem("geography", "middle", "blank")
def contours() -> Item:
    interval, first = 50, 150
    one, two = (3.7, 3.9), (8.0, 3.7)

    def height(x: float, y: float) -> float:
        a = 381 * math.exp(-((x - one[0]) ** 2 / 5.2 + (y - one[1]) ** 2 / 3.6))
        b = 327 * math.exp(-((x - two[0]) ** 2 / 3.4 + (y - two[1]) ** 2 / 3.2))
        return 108 + a + b

    def reach(start: XY, degrees: float, level: float) -> XY:
        """Where the way from a point in a direction comes down to a level."""
        near, far = 0.2, 3.6
        for _ in range(60):
            middle = (near + far) / 2
            x, y = (
                start[0] + middle * math.cos(math.radians(degrees)),
                start[1] + middle * math.sin(math.radians(degrees)),
            )
            near, far = (middle, far) if height(x, y) > level else (near, middle)
        return (
            start[0] + near * math.cos(math.radians(degrees)),
            start[1] + near * math.sin(math.radians(degrees)),
        )

    peak, other = round(height(*one)), round(height(*two))
    foot = 200
    village = reach(one, -135, foot)
    saddle = (min(((x / 100, height(x / 100, 3.8)) for x in range(450, 750)), key=lambda p: p[1])[0], 3.8)

    def draw(pen: Pen) -> None:
        pen.picture(-0.2, 12.2, -0.3, 7.9, width=6.0)
        xs, ys = np.linspace(0, 11, 221), np.linspace(0.3, 7.5, 151)
        field = np.array([[height(x, y) for x in xs] for y in ys])
        levels = [first + interval * k for k in range(8)]
        bold = [1.8 if level % 100 == 0 else 1.0 for level in levels]
        lines = pen.ax.contour(xs, ys, field, levels=levels, colors=["#8A5A00"], linewidths=bold)
        spots = [
            reach(one, 100, 200),
            reach(one, 100, 300),
            reach(one, 100, 400),
            reach(two, 80, 200),
            reach(two, 80, 300),
        ]
        for spot, level in zip(spots, (200, 300, 400, 200, 300), strict=True):
            pen.ax.clabel(
                lines, levels=[level], fmt="%d", fontsize=SMALL, manual=[spot], colors=[INK], inline_spacing=3
            )
        pen.box(0, 0.3, 11, 7.2, line=1.2)
        for at, text, top in (
            (one, pen.say("甲峰", "Peak A"), peak),
            (two, pen.say("乙峰", "Peak B"), other),
        ):
            pen.ax.plot(*at, "^", ms=6, color=INK, zorder=5)
            pen.label(at, text, "n", gap=4, size=SMALL)
            pen.label(at, str(top), "s", gap=4, size=SMALL)
        pen.dot(village, size=5)
        pen.label(village, pen.say("李村", "Li village"), "sw", gap=4, size=SMALL)
        pen.ax.plot(*saddle, "x", ms=6, color=INK, mew=1.8, zorder=5)
        pen.label(saddle, "①", "s", gap=5, size=13)
        pen.north((11.6, 6.2), 1.0)
        pen.label((0.15, 0.45), pen.say("单位：m", "heights in m"), "ne", size=SMALL, gap=1)

    return Item(
        question=(
            "读等高线地形图（李村在一条等高线上）。图中等高距为____米；甲峰与李村的相对高度为____米；李村位于甲峰的____方向；①处的地形部位是____（从“山脊、山谷、鞍部、陡崖”中选填）。",
            "Read the contour map (Li village lies on a contour line). The contour interval is ____ m; the height of Peak A above Li village is ____ m; Li village lies to the ____ of Peak A (compass direction); the landform at ① is a ____ (choose from: ridge, valley, saddle, cliff).",
        ),
        answers=[str(interval), str(peak - foot), ("西南", "southwest"), ("鞍部", "saddle")],
        caption=(
            f"等高线地形图，上方为北。从外向内的等高线依次为 150（未标注）、200、250（未标注）、300、350（未标注）、400……，只标注了 200、300、400。左侧甲峰高 {peak} m，右侧乙峰高 {other} m，各有闭合的等高线，①在两峰之间两组闭合等高线的空隙处。李村在 200 m 等高线上，在甲峰的左下方，与甲峰的连线和正南、正西方向各成 45°。",
            f"A contour map with north at the top. From outside in, the contour lines are 150 (not marked), 200, 250 (not marked), 300, 350 (not marked), 400, ...; only 200, 300 and 400 are marked. Peak A on the left is {peak} m high, Peak B on the right {other} m; each is surrounded by closed contours, and ① lies in the gap between the two sets of closed contours. Li village is on the 200 m contour, down and to the left of Peak A, on a line at 45° to the downward and the leftward direction.",
        ),
        solution=[
            (
                "200 m 与 300 m 两条等高线之间还有一条等高线，等高距为 (300 − 200) ÷ 2 = 50（米）。",
                "There is one more contour between those of 200 m and 300 m, so the interval is (300 − 200) ÷ 2 = 50 m.",
            ),
            (
                f"李村在 {foot} m 等高线上，相对高度为 {peak} − {foot} = {peak - foot}（米）。",
                f"Li village is on the {foot} m contour, so Peak A is {peak} − {foot} = {peak - foot} m above it.",
            ),
            (
                "指向标指示上方为北，李村在甲峰的左下方，即西南方向。",
                "North is up; Li village is down and to the left of Peak A, that is to the southwest.",
            ),
            ("①位于两个山顶之间相对低平的部位，是鞍部。", "① is the lower part between two summits: a saddle."),
        ],
        knowledge=[("等高线地形图的判读", "reading contour maps"), ("相对高度", "relative height")],
        draw=draw,
        check=lambda: [interval, round(height(*one)) - round(height(*village)), None, None],
    )  # fmt: skip


@problem("geography", "middle", "free")
def graticule() -> Item:
    west, south = [80, 70, 60, 50], [10, 20, 30, 40]
    a, b, c = (70, 20), (50, 40), (70, 40)  # degrees west, degrees south
    arc = 111  # km for one degree of latitude

    def draw(pen: Pen) -> None:
        pen.picture(-1.4, 8.4, -1.2, 7.6, width=4.8)
        step = 2.0

        def at(place: tuple[int, int]) -> XY:
            return west.index(place[0]) * step + 0.8, (3 - south.index(place[1])) * step + 0.6

        for i, degrees in enumerate(west):
            x = i * step + 0.8
            pen.line((x, 0), (x, 7.2), width=1.2, color=GREY)
            pen.label((x, 7.2), f"{degrees}°", "n", gap=3)
        for i, degrees in enumerate(south):
            y = (3 - i) * step + 0.6
            pen.line((0.2, y), (7.4, y), width=1.2, color=GREY)
            pen.label((0.2, y), f"{degrees}°", "w", gap=4)
        for place, name, side in ((a, "A", "ne"), (b, "B", "ne"), (c, "C", "ne")):
            pen.dot(at(place), color=RED, size=7)
            pen.label(at(place), name, side, gap=5, size=14)  # type: ignore[arg-type]

    return Item(
        question=(
            "读经纬网图（图的上方为北；度数没有写出南北和东西，请自己判断）。\n（1）A 点的纬度是多少？（写成“数字°N”或“数字°S”）\n（2）A 点的经度是多少？（写成“数字°E”或“数字°W”）\n（3）B 点在 A 点的什么方向？\n（4）同一条经线上纬度相差 1° 约为 111 km，A、C 两点的距离约为多少千米？",
            "Read the grid of parallels and meridians (north is at the top; the degrees are given without north or south, east or west: work these out).\n(1) What is the latitude of A? (Write it as number°N or number°S.)\n(2) What is the longitude of A? (Write it as number°E or number°W.)\n(3) In which compass direction from A does B lie?\n(4) On one meridian, 1° of latitude is about 111 km. How far is it from A to C, in km?",
        ),
        answers=[f"{a[1]}°S", f"{a[0]}°W", ("东南", "southeast"), f"{(c[1] - a[1]) * arc} km"],
        caption=(
            "经纬网图，上方为北。竖线为经线，从左到右标着 80°、70°、60°、50°；横线为纬线，从上到下标着 10°、20°、30°、40°。A 点在 70° 经线与 20° 纬线的交点，B 点在 50° 经线与 40° 纬线的交点，C 点在 70° 经线与 40° 纬线的交点。",
            "A grid with north at the top. The vertical lines are meridians, marked from left to right 80°, 70°, 60°, 50°; the horizontal lines are parallels, marked from top to bottom 10°, 20°, 30°, 40°. A is where the 70° meridian meets the 20° parallel, B where the 50° meridian meets the 40° parallel, C where the 70° meridian meets the 40° parallel.",
        ),
        solution=[
            (
                "纬度向下（向南）增大，是南纬，A 点的纬度是 20°S。",
                "The latitude grows downwards, that is southwards, so it is south latitude: A is at 20°S.",
            ),
            (
                "经度向右（向东）减小，是西经，A 点的经度是 70°W。",
                "The longitude shrinks to the right, that is eastwards, so it is west longitude: A is at 70°W.",
            ),
            (
                "B 点的西经度数较小，在 A 点的东边；南纬度数较大，在 A 点的南边，所以在东南方向。",
                "B has the smaller west longitude, so it is east of A; it has the greater south latitude, so it is south of A: southeast.",
            ),
            (
                f"A、C 在同一条经线上，纬度相差 40 − 20 = 20（度），距离约为 20 × {arc} = 2220（km）。",
                f"A and C are on one meridian, their latitudes differ by 40 − 20 = 20 degrees, so the distance is about 20 × {arc} = 2220 km.",
            ),
        ],
        knowledge=[("经纬网定位", "position by latitude and longitude"), ("经纬网上的方向和距离", "direction and distance on the grid")],
        draw=draw,
        reading=True,
        check=lambda: [None, None, None, abs(c[1] - a[1]) * arc],
    )  # fmt: skip


@problem("geography", "high", "choice")
def isobars() -> Item:
    values = [1020, 1016, 1012, 1008, 1004, 1000]  # hPa, from north to south
    spread = (0.62, 1.25)  # the distance of neighbouring isobars in the west and in the east of the map
    here, there = (2.2, 3.7), (8.6, 3.7)

    def line(index: int, x: float) -> float:
        part = 0.5 - 0.5 * math.cos(math.pi * min(max((x - 2.5) / 6, 0), 1))
        gap = spread[0] + (spread[1] - spread[0]) * part
        return 3.7 + (2.5 - index) * gap

    def draw(pen: Pen) -> None:
        pen.picture(-0.2, 12.0, -0.2, 7.8, width=5.8)
        pen.box(0, 0, 10.6, 7.4, line=1.2)
        for i, value in enumerate(values):
            pen.line(*[(k / 10, line(i, k / 10)) for k in range(107)], color=BLUE, width=1.8)
            pen.label((10.6, line(i, 10.6)), str(value), "e", gap=4)
        for at, zh, en in ((here, "甲", "X"), (there, "乙", "Y")):
            pen.dot(at, color=RED, size=6)
            pen.label(at, pen.say(zh, en), "e", gap=7, size=13)
        pen.north((0.55, 5.9), 0.9)
        pen.label((10.6, 7.25), "hPa", "e", gap=4)

    def wind(x: float) -> tuple[str, float]:
        """Where the wind near the ground blows from, and the pressure gradient, at the middle of the map's height."""
        gap = line(2, x) - line(3, x)
        to_south = values[2] > values[3]  # the gradient force points to the lower pressure
        direction = (270 if to_south else 90) - 40  # turned to the right, northern hemisphere, with friction
        source = (direction + 180) % 360
        return {0: "NE", 1: "NW", 2: "SW", 3: "SE"}[int(source // 90)], 4 / gap

    def holds() -> list[bool]:
        (source, strong), (_, weak) = wind(here[0]), wind(there[0])
        return [
            source == "NW" and strong > weak,
            source == "NE" and strong < weak,
            source == "NE" and strong > weak,
            source == "NW" and strong < weak,
        ]

    return Item(
        question=(
            "北半球某地区某时刻近地面的等压线（单位：hPa）如图所示。关于甲处风向和风力的说法，正确的是（　　）",
            "The figure shows the isobars (in hPa) near the ground at one moment in a region of the northern hemisphere. Which statement about the wind at X is correct?",
        ),
        options=[
            ("甲处吹西北风，风力比乙处大", "A northwest wind blows at X, stronger than at Y"),
            ("甲处吹东北风，风力比乙处小", "A northeast wind blows at X, weaker than at Y"),
            ("甲处吹东北风，风力比乙处大", "A northeast wind blows at X, stronger than at Y"),
            ("甲处吹西北风，风力比乙处小", "A northwest wind blows at X, weaker than at Y"),
        ],
        answers=["C"],
        caption=(
            "等压线图，上方为北。六条等压线大致东西走向，从北到南依次为 1020、1016、1012、1008、1004、1000 hPa；西部等压线密集，东部稀疏。甲在西部密集处，等压线为正东西走向；乙在东部稀疏处。",
            "A map of isobars with north at the top. Six isobars run roughly east–west, from north to south 1020, 1016, 1012, 1008, 1004 and 1000 hPa; they are close together in the west and far apart in the east. X is in the west, where they are close and run exactly east–west; Y is in the east, where they are far apart.",
        ),
        solution=[
            (
                "甲处的水平气压梯度力垂直于等压线，由高压指向低压，即由北指向南。",
                "At X the pressure gradient force is at right angles to the isobars, from high to low pressure, that is from north to south.",
            ),
            (
                "北半球近地面的风在地转偏向力和摩擦力作用下向右偏，与等压线斜交，风由东北吹向西南，是东北风。",
                "Near the ground in the northern hemisphere the Coriolis force and friction turn the wind to the right, at a slant to the isobars: it blows from northeast to southwest, a northeast wind.",
            ),
            (
                "甲处等压线比乙处密集，水平气压梯度力大，风力大，选 C。",
                "The isobars are closer at X than at Y, so the gradient force and the wind are stronger at X: C.",
            ),
        ],
        knowledge=[("等压线与风向", "isobars and wind direction"), ("水平气压梯度力与风力", "pressure gradient and wind force")],
        draw=draw,
        check=holds,
    )  # fmt: skip


@problem("geography", "high", "blank")
def terminator() -> Item:
    zero = -45  # the direction of the 0° meridian in the figure, counter-clockwise from the sun; degrees
    place = 90  # the direction of the point A
    noon = -zero  # east longitude of the meridian with noon

    def hour(longitude: float) -> float:
        return (12 + (longitude - noon) / 15) % 24

    def draw(pen: Pen) -> None:
        pen.picture(-4.2, 6.2, -3.9, 3.9, width=5.0)
        r = 3.0
        rim = [(r * math.cos(math.radians(t)), r * math.sin(math.radians(t))) for t in range(90, 271, 2)]
        pen.shape(*rim, fill=SHADE, color=None, z=1)
        pen.circle((0, 0), r)
        for t in range(0, 360, 45):
            pen.line(
                (0, 0), (r * math.cos(math.radians(t)), r * math.sin(math.radians(t))), width=1.0, color=GREY
            )
        end = (r * math.cos(math.radians(zero)), r * math.sin(math.radians(zero)))
        pen.line((0, 0), end, width=2.2)
        pen.label(end, "0°", "se", gap=4)
        spot = (r * math.cos(math.radians(place)), r * math.sin(math.radians(place)))
        pen.dot((0, 0), spot)
        pen.label((0, 0), "N", "ne", gap=6, size=13)
        pen.label(spot, "A", "n", gap=5, size=13)
        for y in (-2.0, -1.0, 0.0, 1.0, 2.0):
            pen.arrow((5.6, y), (4.0, y), color="#B87400", width=1.6)
        pen.label((4.8, 2.2), pen.say("太阳光", "sunlight"), "n", gap=3)

    beijing = hour(120)
    return Item(
        question=(
            "下图是以北极点 N 为中心的地球俯视图，阴影部分为黑夜，相邻经线间隔 45°，A 点在赤道上。此时，地方时为 12:00 的经线是____（写成“数字°E”或“数字°W”），A 点的地方时是____，北京时间（120°E 的地方时）是____。（时刻用 24 小时制，写成“时:分”）",
            "The figure shows the earth from above the North Pole N; the shaded half is in darkness, neighbouring meridians are 45° apart, and A is on the equator. At this moment the meridian with local time 12:00 is ____ (write number°E or number°W), the local time at A is ____, and Beijing time (the local time of 120°E) is ____. (Give times on the 24-hour clock as hours:minutes.)",
        ),
        answers=[f"{noon}°E", f"{hour(noon + place):.0f}:00", f"{beijing:.0f}:00"],
        caption=(
            "以北极点 N 为中心的圆，外圈是赤道，八条经线相隔 45°。太阳光从右边水平射来，左半圆是阴影，晨昏线竖直通过 N。0° 经线指向右下方，与指向右方的经线相隔 45°；A 点在圆的正上方。",
            "A circle around the North Pole N; its rim is the equator, and eight meridians are 45° apart. Sunlight comes horizontally from the right, the left half is shaded, and the terminator runs vertically through N. The 0° meridian points to the lower right, 45° from the meridian that points to the right; A is at the very top of the circle.",
        ),
        solution=[
            (
                "从北极上空看，地球逆时针自转，逆时针方向就是向东。正对太阳（向右）的经线地方时为 12:00，它在 0° 经线的逆时针方向 45°处，是 45°E。",
                "Seen from above the North Pole the earth turns counter-clockwise, so counter-clockwise is east. The meridian that faces the sun (to the right) has 12:00; it is 45° counter-clockwise from the 0° meridian, that is 45°E.",
            ),
            (
                "A 点在昏线上，在 45°E 以东 90°，地方时比它多 90 ÷ 15 = 6（小时），为 18:00。",
                "A is on the evening terminator, 90° east of 45°E, so its local time is ahead by 90 ÷ 15 = 6 hours: 18:00.",
            ),
            (
                "120°E 在 45°E 以东，相差 (120 − 45) ÷ 15 = 5（小时），北京时间是 17:00。",
                "120°E is east of 45°E by (120 − 45) ÷ 15 = 5 hours, so Beijing time is 17:00.",
            ),
        ],
        knowledge=[("晨昏线的判读", "the terminator"), ("地方时的计算", "local time")],
        draw=draw,
        check=lambda: [None, None, None],
    )  # fmt: skip


@problem("geography", "high", "free")
def inversion() -> Item:
    morning = [(4, 0), (8, 200), (2, 1200)]  # °C, m
    noon = [(14, 0), (4, 1200)]

    def draw(pen: Pen) -> None:
        pen.chart(
            (pen.say("气温/℃", "Temperature (°C)"), list(range(0, 17, 2))),
            (pen.say("高度/m", "Height (m)"), list(range(0, 1201, 200))),
            size=(5.4, 4.2),
        )  # fmt: skip
        pen.ax.set_position((0.13, 0.14, 0.82, 0.78))
        pen.line(*morning, color=BLUE, width=2.4)
        pen.line(*noon, color=RED, width=2.4, dash="--")
        pen.dot(*morning, color=BLUE)
        pen.dot(*noon, color=RED)
        pen.label((4.6, 770), "7:00", "w", color=BLUE, gap=8)
        pen.label((9.0, 600), "14:00", "e", color=RED, gap=8)

    (t0, h0), (t1, h1), (t2, h2) = morning
    lapse = (t1 - t2) / ((h2 - h1) / 100)
    return Item(
        question=(
            "某盆地城市冬季某日 7:00 和 14:00 近地面气温随高度的变化如图所示。\n（1）7:00 时近地面逆温层的厚度是多少米？\n（2）7:00 时逆温层以上（至 1200 m），高度每上升 100 m，气温下降多少摄氏度？\n（3）这一天 14:00 与 7:00 地面气温相差多少摄氏度？\n（4）只考虑气温的垂直分布，7:00 和 14:00 哪个时刻近地面的污染物更不易扩散？",
            "The figure shows the air temperature against height over a city in a basin at 7:00 and at 14:00 on a winter day.\n(1) How thick is the inversion layer near the ground at 7:00, in m?\n(2) Above the inversion layer (up to 1200 m) at 7:00, by how many °C does the temperature fall for every 100 m of height?\n(3) By how many °C do the temperatures at the ground at 14:00 and at 7:00 differ?\n(4) Judging only by the vertical distribution of temperature, at which time, 7:00 or 14:00, do pollutants near the ground disperse less easily?",
        ),
        answers=[
            f"{h1 - h0} m",
            (f"{lapse:.1f} ℃", f"{lapse:.1f} °C"),
            (f"{noon[0][0] - t0} ℃", f"{noon[0][0] - t0} °C"),
            "7:00",
        ],
        caption=(
            f"横轴气温（℃），纵轴高度（m）。7:00 的折线经过（{t0} ℃，{h0} m）、（{t1} ℃，{h1} m）、（{t2} ℃，{h2} m）；14:00 的直线从（{noon[0][0]} ℃，0 m）到（{noon[1][0]} ℃，1200 m）。",
            f"Temperature in °C on the horizontal axis, height in m on the vertical axis. The line for 7:00 passes through ({t0} °C, {h0} m), ({t1} °C, {h1} m) and ({t2} °C, {h2} m); the line for 14:00 is straight from ({noon[0][0]} °C, 0 m) to ({noon[1][0]} °C, 1200 m).",
        ),
        solution=[
            (
                f"7:00 时从地面到 {h1} m，气温随高度升高，是逆温层，厚度 {h1} − {h0} = {h1 - h0}（m）。",
                f"At 7:00 the temperature rises with height from the ground to {h1} m: this is the inversion layer, {h1} − {h0} = {h1 - h0} m thick.",
            ),
            (
                f"从 {h1} m 到 {h2} m 气温下降 {t1} − {t2} = {t1 - t2}（℃），每 100 m 下降 {t1 - t2} ÷ 10 = {lapse:.1f}（℃）。",
                f"From {h1} m to {h2} m the temperature falls by {t1} − {t2} = {t1 - t2} °C, which is {t1 - t2} ÷ 10 = {lapse:.1f} °C for every 100 m.",
            ),
            (
                f"地面气温 14:00 为 {noon[0][0]} ℃，7:00 为 {t0} ℃，相差 {noon[0][0]} − {t0} = {noon[0][0] - t0}（℃）。",
                f"At the ground it is {noon[0][0]} °C at 14:00 and {t0} °C at 7:00, a difference of {noon[0][0]} − {t0} = {noon[0][0] - t0} °C.",
            ),
            (
                "7:00 近地面有逆温，空气上热下冷，大气稳定，污染物不易扩散；14:00 气温随高度降低，对流较强。所以是 7:00。",
                "At 7:00 there is an inversion: the air is stable, convection is held back and pollutants do not disperse easily; at 14:00 the temperature falls with height and convection is stronger. So it is 7:00.",
            ),
        ],
        knowledge=[("大气垂直温度变化与逆温", "temperature inversion"), ("气温垂直递减率", "lapse rate")],
        draw=draw,
        reading=True,
        check=lambda: [h1 - h0, (t1 - t2) * 100 / (h2 - h1), noon[0][0] - t0, None],
    )  # fmt: skip
