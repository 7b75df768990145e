"""Charts, instruments and grids: the values stand in the picture alone."""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import cache, partial

from eduflow.benchmarks.procedural import figures
from eduflow.benchmarks.procedural.core import Draft, Draw, template
from eduflow.benchmarks.procedural.numbers import Num, num

CHART = ("统计图", "reading charts")


def _listed(d: Draw, labels: list[str], values: list[Num], unit: str = "") -> str:
    return d.tell("，", ", ").join(
        f"{label} {value}{unit}" for label, value in zip(labels, values, strict=True)
    )


@template("bar_chart", "math", 4, "free", CHART, ("条形统计图", "bar charts"), image=True)
def bar_chart(d: Draw) -> Draft:
    minor = d.choose("minor", (1, 2, 5))
    step, most = minor * 5, minor * 25
    count = d.choose("bars", (4, 5))
    labels = list("ABCDE"[:count])
    values = d.wholes("values", count, minor * 3, minor * 24, minor)
    high = max(range(count), key=lambda k: values[k].value)
    low = min(range(count), key=lambda k: values[k].value)
    total = values[0]
    for value in values[1:]:
        total = total + value
    gap = values[high] - values[low]
    what, unit = d.say(
        ["图书角各类图书的本数|本", "各班植树的棵数|棵", "各小组收集废电池的节数|节"],
        ["the number of books of each kind in a class library|books", "the number of trees planted by each class|trees",
         "the number of used batteries collected by each group|batteries"],
    ).split("|")  # fmt: skip
    listed = _listed(d, labels, values)
    return Draft(
        d.tell(
            f"条形统计图表示{what}（A至{labels[-1]}）。\n（1）总共有多少{unit}？\n（2）最多的比最少的多多少{unit}？",
            f"The bar chart shows {what} (A to {labels[-1]}).\n(1) How many {unit} are there in all?\n"
            f"(2) How many more {unit} does the highest bar stand for than the lowest?",
        ),
        (total, gap),
        (
            d.tell(f"从图中读出：{listed}。", f"Read from the chart: {listed}."),
            d.tell(f"（1）总数：{total:=}。", f"(1) Total: {total:=}."),
            d.tell(
                f"（2）最多的是{labels[high]}，最少的是{labels[low]}：{gap:=}。",
                f"(2) The highest is {labels[high]}, the lowest {labels[low]}: {gap:=}.",
            ),
        ),
        figure=partial(figures.bar_chart, labels, [int(v) for v in values], most, step, minor, ""),
        caption=d.tell(
            f"条形统计图，各条的高度：{listed}。", f"Bar chart with bars of these heights: {listed}."
        ),
    )


@template("line_graph", "math", 5, "blank", CHART, ("折线统计图", "line graphs"), image=True)
def line_graph(d: Draw) -> Draft:
    start = d.choose("start", (6, 7, 8))
    hours = [start + 2 * k for k in range(6)]
    # A day: warmer until the early afternoon, then cooler.
    peak, base = d.rng.choice((3, 4)), d.rng.randint(3, 14)
    readings = [base]
    for k in range(5):
        readings.append(readings[-1] + (d.rng.randint(1, 5) if k < peak else -d.rng.randint(1, 4)))
    d.parameters["values"] = readings
    values = [num(reading) for reading in readings]
    labels = [f"{hour}:00" for hour in hours]
    # Two times of different temperature.
    first, second = d.rng.choice(
        [(i, j) for i, j in itertools.combinations(range(6), 2) if readings[i] != readings[j]]
    )
    d.parameters["asked"] = [first, second]
    high, low = max(values, key=lambda v: v.value), min(values, key=lambda v: v.value)
    gap = high - low
    a, b = values[first], values[second]
    rise, more = b.value > a.value, b - a if b.value > a.value else a - b
    listed = _listed(d, labels, values, " °C")
    return Draft(
        d.say(
            [
                f"折线统计图是某地一天的气温。这几个时刻中，最高气温与最低气温相差____°C；"
                f"从{labels[first]}到{labels[second]}，气温{'上升' if rise else '下降'}了____°C。",
                f"下图记录了某天的气温变化。图中最高与最低气温之差是____°C，{labels[second]}比{labels[first]}的气温"
                f"{'高' if rise else '低'}____°C。",
            ],
            [
                "The line graph shows the temperature on one day. The highest and the lowest of these temperatures "
                f"differ by ____ °C. From {labels[first]} to {labels[second]} the temperature "
                f"{'rises' if rise else 'falls'} by ____ °C.",
                "The graph records the temperature of a day. The difference between the highest and the lowest "
                f"reading is ____ °C. At {labels[second]} it is ____ °C {'warmer' if rise else 'colder'} than at "
                f"{labels[first]}.",
            ],
        ),
        (gap, more),
        (
            d.tell(f"从图中读出：{listed}。", f"Read from the graph: {listed}."),
            d.tell(f"最高与最低之差：{gap:=}（°C）。", f"Highest minus lowest: {gap:=} (°C)."),
            d.tell(
                f"{labels[first]}与{labels[second]}之差：{more:=}（°C）。",
                f"Difference between {labels[first]} and {labels[second]}: {more:=} (°C).",
            ),
        ),
        figure=partial(figures.line_graph, labels, [int(v) for v in values], 35, 5, 1, "°C", ""),
        caption=d.tell(f"折线统计图，各时刻的气温：{listed}。", f"Line graph of temperatures: {listed}."),
    )


@template("pie_chart", "math", 6, "choice", CHART, ("扇形统计图", "pie charts"), image=True)
def pie_chart(d: Draw) -> Draft:
    known = d.wholes("percents", 3, 10, 29)
    people = d.whole("people", 200, 3000, 100)
    given = known[0] + known[1] + known[2]
    rest = 100 - given.n
    count = people * rest.n / 100
    labels = list("ABCD")
    hidden = d.choose("hidden", (0, 1, 2, 3))
    percents = [int(k) for k in known]
    percents.insert(hidden, int(rest))
    shown = [k != hidden for k in range(4)]
    name = labels[hidden]
    others = [labels[k] for k in range(4) if k != hidden]
    listed = d.tell("，", ", ").join(f"{label} {value}%" for label, value in zip(others, known, strict=True))
    most = known[0]
    return Draft(
        d.say(
            [
                f"学校调查了{people}名学生最喜欢的运动，结果如扇形统计图。最喜欢项目{name}的有多少人？",
                f"某农场共有果树{people}棵，各品种所占比例如扇形统计图。品种{name}有多少棵？",
            ],
            [
                f"A school asked {people} pupils for their favourite sport; the pie chart shows the answers. "
                f"How many pupils chose sport {name}?",
                f"A farm has {people} fruit trees; the pie chart shows the shares of the kinds. "
                f"How many trees are of kind {name}?",
            ],
        ),
        (count,),
        (
            d.tell(
                f"从图中读出：{listed}，其和 {given:=}（%）。",
                f"From the chart: {listed}; together {given:=} (%).",
            ),
            d.tell(f"{name}占：{rest:=}（%）。", f"Share of {name}: {rest:=} (%)."),
            d.tell(f"数量：{count:=}。", f"Number: {count:=}."),
        ),
        (people * given.n / 100, people * most / 100, people * known[1] / 100, people * known[2] / 100),
        figure=partial(figures.pie_chart, labels, percents, shown),
        caption=d.tell(
            f"扇形统计图，四个扇形：{listed}，{name}处标着“?”。",
            f"Pie chart of four sectors: {listed}; {name} is marked '?'.",
        ),
    )


@template("price_table", "math", 4, "blank", ("统计表", "reading tables"), image=True)
def price_table(d: Draw) -> Draft:
    prices = d.wholes("prices", 4, 3, 58)
    counts = d.wholes("counts", 2, 2, 8)
    i, j = d.rng.sample(range(4), 2)
    d.parameters["bought"] = [i, j]
    labels = list("ABCD")
    first, second = prices[i] * counts[0], prices[j] * counts[1]
    total = first.n + second.n
    listed = _listed(d, labels, prices, d.tell("元", " yuan"))
    a, b = labels[i], labels[j]
    return Draft(
        d.say(
            [
                f"表中是四种文具的单价（单位：元）。买{counts[0]}件{a}和{counts[1]}件{b}，一共要付____元。",
                f"根据价目表（单位：元），{counts[0]}件{a}与{counts[1]}件{b}的总价是____元。",
            ],
            [
                f"The table gives the prices of four goods in yuan. {counts[0]} pieces of {a} and {counts[1]} pieces of "
                f"{b} cost ____ yuan in all.",
                f"By the price table (in yuan), the total price of {counts[0]} × {a} and {counts[1]} × {b} is ____ yuan.",
            ],
        ),
        (total,),
        (
            d.tell(f"{a}的总价：{first:=}（元）。", f"Price of the pieces of {a}: {first:=} (yuan)."),
            d.tell(f"{b}的总价：{second:=}（元）。", f"Price of the pieces of {b}: {second:=} (yuan)."),
            d.tell(f"合计：{total:=}（元）。", f"Total: {total:=} (yuan)."),
        ),
        figure=partial(figures.table, labels, [[str(p) for p in prices]]),
        caption=d.tell(f"价目表：{listed}。", f"Price table: {listed}."),
    )


@template("two_clocks", "math", 3, "blank", ("认识钟表", "reading clocks"), image=True)
def two_clocks(d: Draw) -> Draft:
    start = d.whole("start", 8 * 60, 10 * 60 + 50, 5)
    minutes = d.whole("minutes", 15, 70, 5)
    end = int(start) + int(minutes)
    hours_a, minutes_a = num(int(start) // 60), num(int(start) % 60)
    hours_b, minutes_b = num(end // 60), num(end % 60)
    first, last = hours_a * 60 + minutes_a, hours_b * 60 + minutes_b
    gone = last.n - first.n
    later = d.whole("later", 5, 55, 5)
    more = gone.n + later
    return Draft(
        d.say(
            [
                f"钟A是上午一节活动课开始的时刻，钟B是它结束的时刻，这节课上了____分钟。"
                f"如果推迟{later}分钟结束，就一共是____分钟。",
                f"钟A表示上午汽车出发的时刻，钟B表示当天上午到达的时刻，路上用了____分钟。"
                f"如果晚到{later}分钟，路上就用了____分钟。",
            ],
            [
                f"Clock A shows when a lesson begins in the morning, clock B when it ends. The lesson takes ____ minutes. "
                f"If it ended {later} minutes later, it would take ____ minutes.",
                f"Clock A shows when a bus leaves in the morning, clock B when it arrives the same morning. The trip takes "
                f"____ minutes. If it arrived {later} minutes later, the trip would take ____ minutes.",
            ],
        ),
        (gone, more),
        (
            d.tell(
                f"钟A是{hours_a}时{minutes_a}分，即 {first:=}（分钟）。",
                f"Clock A shows {hours_a} h {minutes_a} min: {first:=} (minutes).",
            ),
            d.tell(
                f"钟B是{hours_b}时{minutes_b}分，即 {last:=}（分钟）。",
                f"Clock B shows {hours_b} h {minutes_b} min: {last:=} (minutes).",
            ),
            d.tell(f"经过：{gone:=}（分钟）。", f"Time gone by: {gone:=} (minutes)."),
            d.tell(f"推迟以后：{more:=}（分钟）。", f"With the delay: {more:=} (minutes)."),
        ),
        figure=partial(figures.clocks, [int(start), end], ["A", "B"]),
        caption=d.tell(
            f"两个钟面。钟A：时针在{_hour(hours_a, minutes_a, d)}，分针指向{int(minutes_a) // 5 or 12}；"
            f"钟B：时针在{_hour(hours_b, minutes_b, d)}，分针指向{int(minutes_b) // 5 or 12}。",
            f"Two clock faces. A: hour hand {_hour(hours_a, minutes_a, d)}, minute hand at {int(minutes_a) // 5 or 12}. "
            f"B: hour hand {_hour(hours_b, minutes_b, d)}, minute hand at {int(minutes_b) // 5 or 12}.",
        ),
    )


def _hour(hours: Num, minutes: Num, d: Draw) -> str:
    if minutes.value == 0:
        return d.tell(f"{hours}上", f"at {hours}")
    after = int(hours) % 12 + 1
    return d.tell(f"{hours}和{after}之间", f"between {hours} and {after}")


@template("grid_area", "math", 8, "free", ("平面直角坐标系", "coordinates"), image=True)
def grid_area(d: Draw) -> Draft:
    x0, y0 = d.whole("x", 1, 4), d.whole("y", 1, 3)
    base, height, shift = d.whole("base", 3, 8), d.whole("height", 2, 6), d.whole("shift", 0, 3)
    kind = d.choose("shape", ("parallelogram", "triangle", "rectangle"))
    right, top = (x0 + base).n, (y0 + height).n
    if kind == "triangle":
        corners = [(x0, y0), (right, y0), ((x0 + shift).n, top)]
        area = base * height / 2
    else:
        lean = shift.n if kind == "parallelogram" else num(0)
        if kind == "parallelogram" and shift.value == 0:
            lean = num(1)
        corners = [(x0, y0), (right, y0), ((right + lean).n, top), ((x0 + lean).n, top)]
        area = base * height
    base_found, height_found = right - x0, top - y0
    name = {
        "triangle": ("三角形ABC", "triangle ABC", "底 × 高 ÷ 2", "base × height ÷ 2"),
        "parallelogram": ("平行四边形ABCD", "parallelogram ABCD", "底 × 高", "base × height"),
        "rectangle": ("长方形ABCD", "rectangle ABCD", "长 × 宽", "length × width"),
    }[kind]
    cx, cy = corners[2]
    listed = d.tell("，", ", ").join(
        f"{letter}({x}, {y})" for letter, (x, y) in zip("ABCD", corners, strict=False)
    )
    return Draft(
        d.tell(
            f"如图，每个小方格的边长为1。\n（1）点C的横坐标是多少？\n（2）点C的纵坐标是多少？\n（3）{name[0]}的面积是多少？",
            "In the figure every small square has side 1.\n(1) What is the x-coordinate of C?\n"
            f"(2) What is the y-coordinate of C?\n(3) What is the area of {name[1]}?",
        ),
        (cx, cy, area),
        (
            d.tell(f"（1）（2）从图中读出 {listed}。", f"(1) (2) Read from the figure: {listed}."),
            d.tell(f"AB的长：{base_found:=}。", f"Length of AB: {base_found:=}."),
            d.tell(f"高：{height_found:=}。", f"Height: {height_found:=}."),
            d.tell(f"（3）面积（{name[2]}）：{area:=}。", f"(3) Area ({name[3]}): {area:=}."),
        ),
        figure=partial(
            figures.grid_polygon,
            [(int(x), int(y)) for x, y in corners],
            (max(int(x) for x, _ in corners) + 1, max(int(y) for _, y in corners) + 1),
        ),
        caption=d.tell(
            f"坐标方格纸上的{name[0]}，顶点：{listed}。", f"On a coordinate grid, {name[1]} with {listed}."
        ),
    )


@template("thermometers", "physics", 8, "blank", ("温度计的读数", "reading a thermometer"), image=True)
def thermometers(d: Draw) -> Draft:
    step = d.choose("step", (1, 2))
    low, high = (-20, 40) if step == 1 else (-20, 60)
    values = [low + 4 + step * k for k in range((high - low - 6) // step)]
    a, b = (num(v) for v in d.rng.sample(values, 2))
    d.parameters["readings"] = [int(a), int(b)]
    warm, cold = (a, b) if a.value > b.value else (b, a)
    gap = warm - cold

    def place(value: Num) -> str:
        ten = int(value) // 10 * 10
        ticks = (int(value) - ten) // step
        if not ticks:
            return d.tell(f"液面正对{ten}", f"the liquid ends at the mark {ten}")
        return d.tell(
            f"液面在{ten}与{ten + 10}之间、{ten}以上第{ticks}小格处",
            f"the liquid ends {ticks} small divisions above the mark {ten}",
        )

    def read(value: Num) -> str:
        ten = num(int(value) // 10 * 10)
        ticks = (int(value) - int(ten)) // step
        return f"{ten + num(ticks) * step:=}" if ticks else str(ten)

    return Draft(
        d.say(
            [
                "图中两支温度计的示数分别是：A ____°C，B ____°C；两者相差____°C。",
                "A、B两支温度计分别测量两处的气温，如图所示。A的示数为____°C，B的示数为____°C，温差为____°C。",
            ],
            [
                "The thermometers in the figure read ____ °C (A) and ____ °C (B). The readings differ by ____ °C.",
                "Thermometers A and B measure the air temperature at two places. A reads ____ °C, B reads ____ °C, "
                "and the difference is ____ °C.",
            ],
        ),
        (a, b, gap),
        (
            d.tell(
                f"每一小格表示{step} °C。A：{read(a)}。", f"One small division is {step} °C. A: {read(a)}."
            ),
            d.tell(f"B：{read(b)}。", f"B: {read(b)}."),
            d.tell(f"温差：{gap:=}（°C）。", f"Difference: {gap:=} (°C)."),
        ),
        figure=partial(figures.thermometers, [int(a), int(b)], ["A", "B"], low, high, step),
        caption=d.tell(
            f"两支温度计，刻度从{low} °C到{high} °C，每10 °C有数字，每小格{step} °C。A：{place(a)}；B：{place(b)}。",
            f"Two thermometers, {low} °C to {high} °C, numbered every 10 °C, one small division is {step} °C. "
            f"A: {place(a)}. B: {place(b)}.",
        ),
    )


@template("ruler", "physics", 8, "blank", ("刻度尺的使用", "measuring with a ruler"), image=True)
def ruler(d: Draw) -> Draft:
    start = d.whole("start", 3, 48)
    end = d.whole("end", int(start) + 15, 118)
    left, right = num(Fraction(int(start), 10)), num(Fraction(int(end), 10))
    length = right - left
    millimetres = length.n * 10

    def read(value: Num) -> str:
        return f"{num(int(value) // 10) + num(int(value) % 10) * Num(Fraction(1, 10)):=}"

    def place(value: Num) -> str:
        whole, ticks = int(value) // 10, int(value) % 10
        if not ticks:
            return d.tell(f"{whole} cm刻线", f"the {whole} cm mark")
        return d.tell(
            f"{whole} cm刻线右边第{ticks}小格", f"{ticks} small divisions to the right of the {whole} cm mark"
        )

    return Draft(
        d.say(
            [
                "如图，用刻度尺测量长条的长度，长条的长度是____cm，合____mm。",
                "图中刻度尺的分度值为1 mm，蓝色长条的长度为____cm，也就是____mm。",
            ],
            [
                "A bar is measured with the ruler in the figure. It is ____ cm long, that is ____ mm.",
                "The smallest division of the ruler in the figure is 1 mm. The blue bar has a length of ____ cm, "
                "which is ____ mm.",
            ],
        ),
        (length, millimetres),
        (
            d.tell(
                f"左端读数：{read(start)}（cm）；右端读数：{read(end)}（cm）。",
                f"Left end: {read(start)} (cm). Right end: {read(end)} (cm).",
            ),
            d.tell(f"长度：{length:=}（cm）。", f"Length: {length:=} (cm)."),
            d.tell(f"换算：{millimetres:=}（mm）。", f"In millimetres: {millimetres:=} (mm)."),
        ),
        figure=partial(figures.ruler, int(start), int(end), 12),
        caption=d.tell(
            f"厘米刻度尺，每小格1 mm。长条左端对着{place(start)}，右端对着{place(end)}。",
            f"A centimetre ruler with divisions of 1 mm. The left end of the bar is at {place(start)}, the right end at "
            f"{place(end)}.",
        ),
    )


@template(
    "stone_density",
    "physics",
    8,
    "free",
    ("量筒的使用", "measuring cylinders"),
    ("密度的测量", "measuring density"),
    image=True,
)
def stone_density(d: Draw) -> Draft:
    minor, step, most = d.choose("scale", ((1, 10, 50), (2, 10, 100), (5, 50, 200)), list)
    rho = d.tenth("density", 21, 39)
    volumes = range(minor * 4, most * 2 // 5, minor)
    volume = num(d.choose("volume", volumes))
    before = d.whole(
        "water", -(-most * 2 // 5 // minor) * minor, (most - int(volume)) // minor * minor - minor, minor
    )
    after = (before + volume).n
    mass = num(rho.value * volume.value)
    v_found = after - before
    density = mass / v_found.n

    def read(value: Num) -> str:
        mark = int(value) // step * step
        return f"{num(mark) + num((int(value) - mark) // minor) * minor:=}"

    def place(value: Num) -> str:
        mark = int(value) // step * step
        ticks = (int(value) - mark) // minor
        if not ticks:
            return d.tell(f"水面在{mark} mL刻线", f"the water stands at the {mark} mL mark")
        return d.tell(
            f"水面在{mark} mL刻线以上第{ticks}小格",
            f"the water stands {ticks} small divisions above the {mark} mL mark",
        )

    return Draft(
        d.say(
            [
                f"小石块的质量是{mass} g。把它浸没在量筒的水中，放入前后如图A、B所示。\n"
                "（1）放入前水的体积是多少 mL？\n（2）石块的体积是多少 cm³？\n（3）石块的密度是多少 g/cm³？",
                f"用量筒测一块质量为{mass} g的矿石的密度，图A、图B分别是放入矿石前、后的情形。\n"
                "（1）图A中水的体积是多少 mL？\n（2）矿石的体积是多少 cm³？\n（3）矿石的密度是多少 g/cm³？",
            ],
            [
                f"A stone of mass {mass} g is put under water in a measuring cylinder. Figure A shows the cylinder before, "
                "figure B after.\n(1) What is the volume of the water in mL?\n"
                "(2) What is the volume of the stone in cm³?\n(3) What is the density of the stone in g/cm³?",
                f"The density of a piece of ore of mass {mass} g is measured with a cylinder of water, before (A) and "
                "after (B) the ore is put in.\n(1) How many mL of water are in A?\n"
                "(2) What is the volume of the ore in cm³?\n(3) What is its density in g/cm³?",
            ],
        ),
        (before, v_found, density),
        (
            d.tell(
                f"（1）每小格{minor} mL，放入前的读数：{read(before)}（mL）。",
                f"(1) One small division is {minor} mL; the reading before: {read(before)} (mL).",
            ),
            d.tell(f"放入后的读数：{read(after)}（mL）。", f"The reading after: {read(after)} (mL)."),
            d.tell(f"（2）体积：{v_found:=}（cm³）。", f"(2) Volume: {v_found:=} (cm³)."),
            d.tell(f"（3）ρ = m ÷ V = {density:=}（g/cm³）。", f"(3) ρ = m ÷ V = {density:=} (g/cm³)."),
        ),
        figure=partial(figures.cylinders, [int(before), int(after)], ["A", "B"], most, step, minor, True),
        caption=d.tell(
            f"两个相同的量筒，最大{most} mL，每{step} mL有数字，每小格{minor} mL。A：{place(before)}；"
            f"B：石块浸没在水中，{place(after)}。",
            f"Two equal cylinders up to {most} mL, numbered every {step} mL, one small division is {minor} mL. "
            f"A: {place(before)}. B: with the stone under water, {place(after)}.",
        ),
    )


@cache
def _dial_pairs() -> list[tuple[int, Fraction, str, int, Fraction, str]]:
    """Pointer places of an ammeter and a voltmeter that give a resistance in whole or half ohms.

    Small divisions: 0.02 A on the 0.6 A range, 0.1 A on 3 A; 0.1 V on 3 V, 0.5 V on 15 V.
    """
    pairs = []
    for amp_unit, amp_most in ((Fraction(1, 50), "0.6"), (Fraction(1, 10), "3")):
        for volt_unit, volt_most in ((Fraction(1, 10), "3"), (Fraction(1, 2), "15")):
            for amp, volt in itertools.product(range(5, 30), range(4, 30)):
                ohms = volt * volt_unit / (amp * amp_unit)
                if (ohms * 2).denominator == 1 and 1 <= ohms <= 400:
                    pairs.append((amp, amp_unit, amp_most, volt, volt_unit, volt_most))
    return pairs


@template(
    "meters",
    "physics",
    9,
    "free",
    ("电流表和电压表的读数", "reading ammeters and voltmeters"),
    ("欧姆定律", "Ohm's law"),
    image=True,
)
def meters(d: Draw) -> Draft:
    amp, amp_unit, amp_most, volt, volt_unit, volt_most = d.choose(
        "dials", _dial_pairs(), lambda row: [row[0], row[2], row[3], row[5]]
    )
    current, voltage = num(amp) * Num(amp_unit), num(volt) * Num(volt_unit)
    resistance = voltage.n / current.n
    seconds = d.whole("seconds", 10, 120, 10)
    heat = voltage.n * current.n * seconds
    amps = ["0", "0.2", "0.4", "0.6"] if amp_most == "0.6" else ["0", "1", "2", "3"]
    volts = ["0", "1", "2", "3"] if volt_most == "3" else ["0", "5", "10", "15"]

    def place(ticks: int, labels: list[str]) -> str:
        mark, over = labels[ticks // 10], ticks % 10
        if not over:
            return d.tell(f"指针正对{mark}", f"the pointer is at {mark}")
        return d.tell(
            f"指针在{mark}右边第{over}小格", f"the pointer is {over} small divisions to the right of {mark}"
        )

    return Draft(
        d.tell(
            "用电流表和电压表测量某电阻通过的电流和它两端的电压，示数如图。\n"
            "（1）电流是多少 A？\n（2）电压是多少 V？\n（3）电阻是多少 Ω？\n"
            f"（4）通电{seconds} s，电流做功多少 J？",
            "An ammeter and a voltmeter show the current through a resistor and the voltage across it, as in the figure.\n"
            "(1) What is the current in A?\n(2) What is the voltage in V?\n(3) What is the resistance in Ω?\n"
            f"(4) How much work, in J, does the current do in {seconds} s?",
        ),
        (current, voltage, resistance, heat),
        (
            d.tell(
                f"（1）电流表每小格{Num(amp_unit)} A：{current:=}（A）。",
                f"(1) One division of the ammeter is {Num(amp_unit)} A: {current:=} (A).",
            ),
            d.tell(
                f"（2）电压表每小格{Num(volt_unit)} V：{voltage:=}（V）。",
                f"(2) One division of the voltmeter is {Num(volt_unit)} V: {voltage:=} (V).",
            ),
            d.tell(f"（3）R = U ÷ I = {resistance:=}（Ω）。", f"(3) R = U ÷ I = {resistance:=} (Ω)."),
            d.tell(f"（4）W = U × I × t = {heat:=}（J）。", f"(4) W = U × I × t = {heat:=} (J)."),
        ),
        figure=partial(figures.dials, [amp, volt], [30, 30], [amps, volts], ["A", "V"]),
        caption=d.tell(
            f"电流表（A）：刻度0至{amp_most} A，共30小格，数字{'、'.join(amps)}；{place(amp, amps)}。"
            f"电压表（V）：刻度0至{volt_most} V，共30小格，数字{'、'.join(volts)}；{place(volt, volts)}。",
            f"Ammeter (A): 0 to {amp_most} A in 30 small divisions, numbered {', '.join(amps)}; {place(amp, amps)}. "
            f"Voltmeter (V): 0 to {volt_most} V in 30 small divisions, numbered {', '.join(volts)}; {place(volt, volts)}.",
        ),
    )


@template(
    "balance", "physics", 8, "choice", ("托盘天平的使用", "using a balance"), ("密度", "density"), image=True
)
def balance(d: Draw) -> Draft:
    weights = sorted(d.choose("weights", WEIGHTS, list), reverse=True)
    rider = d.whole("rider", 1, 24)
    fifth = Num(Fraction(1, 5))
    on_pan = num(weights[0])
    for weight in weights[1:]:
        on_pan = on_pan + weight
    sliding = rider * fifth
    mass = on_pan.n + sliding.n
    count = d.whole("count", 2, 20)
    total = mass.n * count
    pans = d.tell("、", ", ").join(f"{w} g" for w in weights)
    whole, ticks = int(rider) // 5, int(rider) % 5
    steps = [
        d.tell(f"砝码：{on_pan:=}（g）。", f"Weights: {on_pan:=} (g).")
        if len(weights) > 1
        else d.tell(f"砝码：{on_pan} g。", f"Weight: {on_pan} g."),
        d.tell(
            f"游码每小格0.2 g：{sliding:=}（g）。",
            f"One division of the rider's scale is 0.2 g: {sliding:=} (g).",
        ),
        d.tell(f"一个的质量：{mass:=}（g）。", f"Mass of one: {mass:=} (g)."),
        d.tell(f"总质量：{total:=}（g）。", f"Total mass: {total:=} (g)."),
    ]
    return Draft(
        d.say(
            [
                f"天平平衡时，左盘物体X、右盘砝码和游码的位置如图（游码以左边缘为准）。{count}个这样的物体总质量是多少？",
                f"用托盘天平测一个零件X的质量，横梁平衡时的情形如图，游码以左边缘为准。{count}个相同零件的总质量是多少？",
            ],
            [
                "The balance in the figure is level: object X on the left, weights on the right, the rider on its scale "
                f"(read at its left edge). What is the total mass of {count} such objects?",
                "The mass of one part X is measured with a balance, level as in the figure; the rider is read at its left "
                f"edge. What is the total mass of {count} equal parts?",
            ],
        ),
        (total,),
        tuple(steps),
        # The divisions taken for 0.1 g; the rider forgotten; taken away; read at one division more.
        (
            (on_pan.n + num(whole) + num(Fraction(ticks, 10))).n * count,
            on_pan.n * count,
            (on_pan.n - sliding.n).n * count,
            (mass.n + fifth).n * count,
        ),
        "g",
        figure=partial(figures.balance, weights, int(rider)),
        caption=d.tell(
            f"平衡的天平：左盘是物体X，右盘砝码{pans}；游码标尺0至5 g，每克5小格，游码左边缘在{whole} g"
            + (f"刻线右边第{ticks}小格。" if ticks else "刻线。"),
            f"A level balance: object X left, weights {pans} right. The rider's scale goes from 0 to 5 g, 5 divisions to "
            "the gram; its left edge is "
            + (
                f"{ticks} divisions to the right of the {whole} g mark."
                if ticks
                else f"at the {whole} g mark."
            ),
        ),
    )


# What one box of weights allows: 50, 20, 20, 10, 5 g.
WEIGHTS = tuple(
    sorted(
        {
            tuple(w for w, on in zip((50, 20, 20, 10, 5), (a, b, c, e, f), strict=True) if on)
            for a in (0, 1)
            for b in (0, 1)
            for c in (0, 1)
            for e in (0, 1)
            for f in (0, 1)
        }
        - {()}
    )
)


@template(
    "distance_time",
    "physics",
    8,
    "choice",
    ("速度", "speed"),
    ("s-t图像", "distance-time graphs"),
    image=True,
)
def distance_time(d: Draw) -> Draft:
    minor = d.choose("minor", (2, 5, 10, 20))
    t1 = d.whole("t1", 2, 5)
    level = d.whole("level", 2, 10)
    rest, t3 = d.whole("rest", 1, 4), d.whole("t3", 2, 4)
    level2 = (level + d.whole("level2", 1, 10)).n
    distance, far = (level * minor).n, (level2 * minor).n
    end = (t1 + rest + t3).n
    speed_exact = Fraction(int(far), int(end)) if (far.value / end.value * 20).denominator == 1 else None
    whole = speed_exact is not None
    if whole:
        answer = far / end
        steps = [
            d.tell(f"由图，{end} s内共运动{far} m。", f"By the graph, {far} m are covered in {end} s."),
            d.tell(f"平均速度：v = {answer:=}（m/s）。", f"Average speed: v = {answer:=} (m/s)."),
        ]
        wrong = [
            _rounded(far, end - rest),
            _rounded(distance, t1),
            _rounded(far - distance, t3),
            answer.n * 2,
        ]
        unit = "m/s"
        question = d.say(
            [
                "图为一辆小车沿直线运动的s-t图像。全程的平均速度是多少？",
                "根据小车的s-t图像，求它全程的平均速度。",
            ],
            [
                "The figure is the distance-time graph of a cart on a straight track. What is its average speed over the "
                "whole motion?",
                "By the distance-time graph of a cart, find its average speed for the whole motion.",
            ],
        )
    else:
        answer = far - distance
        steps = [
            d.tell(
                f"由图，停止时在{distance} m处，最后到达{far} m处。",
                f"By the graph, the cart rests at {distance} m and ends at {far} m.",
            ),
            d.tell(f"停止以后的路程：{answer:=}（m）。", f"Distance after the rest: {answer:=} (m)."),
        ]
        wrong = [distance, far, (far + distance).n, answer.n + minor]
        unit = "m"
        question = d.say(
            ["图为一辆小车沿直线运动的s-t图像。小车中途停了一会儿，停止以后又运动了多少路程？",
             "根据小车的s-t图像，求它中途停下之后又走过的路程。"],
            ["The figure is the distance-time graph of a cart on a straight track. It rests for a while. How far does it "
             "go after the rest?",
             "By the distance-time graph of a cart that rests on its way, find the distance it covers after the rest."],
        )  # fmt: skip
    points = [(0, 0), (int(t1), int(distance)), (int(t1 + rest), int(distance)), (int(end), int(far))]
    most = (int(end) // 2 + 1) * 2, (int(far) // (minor * 2) + 1) * minor * 2
    listed = d.tell("，", ", ").join(f"({x} s, {y} m)" for x, y in points)
    return Draft(
        question,
        (answer,),
        tuple(steps),
        tuple(wrong),
        unit,
        figure=partial(figures.xy_graph, points, most, (1, minor * 2), (1, minor), ("t/s", "s/m"), dots=True),
        caption=d.tell(
            f"s-t图像是依次连接{listed}的折线。", f"The distance-time graph joins {listed} by straight lines."
        ),
    )


def _rounded(top: Num, bottom: Num) -> Num:
    return Num(Fraction(round(top.value / bottom.value * 10), 10))


@template("solubility", "chemistry", 9, "blank", ("溶解度曲线", "solubility curves"), image=True)
def solubility(d: Draw) -> Draft:
    # A salt whose solubility grows with temperature: g in 100 g of water at 0, 10, ..., 80 °C, multiples of 2.
    start = d.whole("start", 6, 30, 2)
    first, slower = d.rng.randint(1, 4), d.rng.choice((1, 2, 3))
    rises = [2 * (first + k // slower + d.rng.randint(0, 1)) for k in range(8)]
    values = [int(start)]
    for rise in rises:
        values.append(values[-1] + rise)
    d.parameters["curve"] = values
    i, j = sorted(d.rng.sample(range(1, 9), 2))
    d.parameters["asked"] = [i * 10, j * 10]
    water = d.whole("water", 50, 400, 50)
    low, high = num(values[i]), num(values[j])
    dissolved = high * water / 100
    gap = high - low
    crystals = gap.n * water / 100
    most = (values[-1] // 20 + 1) * 20
    listed = d.tell("，", ", ").join(f"{10 * k} °C {value} g" for k, value in enumerate(values))
    return Draft(
        d.say(
            [
                f"图为某固体的溶解度曲线（S为100 g水中的溶解度）。{j * 10} °C时，{water} g水中最多溶解____g该固体；"
                f"把这样的饱和溶液降温到{i * 10} °C，会析出晶体____g（不含结晶水）。",
                f"根据某物质的溶解度曲线：{j * 10} °C时用{water} g水配成饱和溶液，需该物质____g；"
                f"降温至{i * 10} °C后析出____g（晶体不含结晶水）。",
            ],
            [
                f"The figure is the solubility curve of a solid (S: grams in 100 g of water). At {j * 10} °C, {water} g of "
                f"water dissolve at most ____ g. When this saturated solution is cooled to {i * 10} °C, ____ g of crystals "
                "(free of water) come out.",
                f"By the solubility curve (S: grams in 100 g of water), a saturated solution in {water} g of water at "
                f"{j * 10} °C takes ____ g of the solid. Cooling it to {i * 10} °C brings out ____ g of water-free crystals.",
            ],
        ),
        (dissolved, crystals),
        (
            d.tell(
                f"由图，溶解度在{j * 10} °C为{high} g，在{i * 10} °C为{low} g。",
                f"By the graph, the solubility is {high} g at {j * 10} °C and {low} g at {i * 10} °C.",
            ),
            d.tell(f"最多溶解：{dissolved:=}（g）。", f"At most dissolved: {dissolved:=} (g)."),
            d.tell(f"溶解度之差：{gap:=}（g）。", f"Difference of the solubilities: {gap:=} (g)."),
            d.tell(f"析出晶体：{crystals:=}（g）。", f"Crystals: {crystals:=} (g)."),
        ),
        figure=partial(
            figures.xy_graph,
            [(10 * k, value) for k, value in enumerate(values)],
            (80, most), (10, 20), (10, 2), ("t/°C", "S/g"), smooth=True, dots=True,
        ),
        caption=d.tell(f"溶解度曲线（S/g）：{listed}。", f"Solubility curve (S/g): {listed}."),
    )  # fmt: skip


@template("rain_chart", "geography", 7, "free", ("降水量柱状图", "rainfall charts"), image=True)
def rain_chart(d: Draw) -> Draft:
    values = [num(v) for v in d.rng.choices(range(10, 200, 5), k=12)]
    d.parameters["values"] = [int(v) for v in values]
    labels = [str(k) for k in range(1, 13)]
    quarter = d.choose("months", ((6, 7, 8), (3, 4, 5), (9, 10, 11)), list)
    a, b, c = (values[k - 1] for k in quarter)
    total = a + b + c
    wet = max(values, key=lambda v: v.value)
    dry = min(values, key=lambda v: v.value)
    gap = wet - dry
    mean = total.n / 3
    while mean.value.denominator != 1:  # the last of the three months moves up by one tick
        values[quarter[2] - 1] = c = num(int(c) + 5)
        d.parameters["values"] = [int(v) for v in values]
        total = a + b + c
        mean = total.n / 3
        wet, dry = max(values, key=lambda v: v.value), min(values, key=lambda v: v.value)
        gap = wet - dry
    zh = {6: "夏季（6至8月）", 3: "春季（3至5月）", 9: "秋季（9至11月）"}[quarter[0]]
    en = {6: "June to August", 3: "March to May", 9: "September to November"}[quarter[0]]
    listed = d.tell("，", ", ").join(
        d.tell(f"{label}月{value}", f"month {label}: {value}")
        for label, value in zip(labels, values, strict=True)
    )
    return Draft(
        d.tell(
            f"图为某地各月的降水量（单位：mm）。\n（1）{zh}的降水总量是多少 mm？\n（2）这三个月平均每月多少 mm？\n"
            "（3）降水最多的月份与最少的月份相差多少 mm？",
            f"The chart shows the monthly rainfall of a place in mm.\n(1) What is the total from {en}, in mm?\n"
            "(2) What is the mean per month over these three months, in mm?\n"
            "(3) By how many mm do the wettest and the driest month differ?",
        ),
        (total, mean, gap),
        (
            d.tell(
                f"（1）三个月的总量：{total:=}（mm）。", f"(1) Total of the three months: {total:=} (mm)."
            ),
            d.tell(f"（2）平均：{mean:=}（mm）。", f"(2) Mean: {mean:=} (mm)."),
            d.tell(f"（3）最多与最少之差：{gap:=}（mm）。", f"(3) Wettest minus driest: {gap:=} (mm)."),
        ),
        figure=partial(figures.bar_chart, labels, [int(v) for v in values], 220, 20, 5, "mm"),
        caption=d.tell(
            f"各月降水量柱状图（mm）：{listed}。", f"Bar chart of monthly rainfall in mm: {listed}."
        ),
    )


@template(
    "leaf_chart",
    "biology",
    8,
    "choice",
    ("种子萌发的环境条件", "conditions of germination"),
    ("数据分析", "reading experimental data"),
    image=True,
)
def leaf_chart(d: Draw) -> Draft:
    values = d.wholes("sprouted", 4, 8, 47)
    labels = list("ABCD")
    per_dish = d.choose("seeds", (50, 80, 100))
    best = max(range(4), key=lambda k: values[k].value)
    asked = d.choose("group", (0, 1, 2, 3))
    rate = values[asked] / per_dish * 100
    listed = _listed(d, labels, values)
    name = labels[asked]
    return Draft(
        d.say(
            [
                f"四个培养皿A至D各放{per_dish}粒种子，在不同温度下培养，发芽数如图。{name}组的发芽率是多少？",
                f"探究温度对种子萌发的影响：A至D四组各{per_dish}粒种子，图中是各组的发芽粒数。求{name}组的发芽率。",
            ],
            [
                f"Four dishes A to D hold {per_dish} seeds each at different temperatures; the chart shows how many seeds "
                f"sprout. What is the germination rate in dish {name}?",
                f"To study how temperature affects germination, groups A to D of {per_dish} seeds each are kept at different "
                f"temperatures. The chart gives the seeds that sprout. Find the germination rate of group {name}.",
            ],
        ),
        (rate,),
        (
            d.tell(
                f"由图，{name}组发芽{values[asked]}粒。",
                f"By the chart, {values[asked]} seeds sprout in {name}.",
            ),
            d.tell(f"发芽率：{rate:=}，即{rate}%。", f"Germination rate: {rate:=}, that is {rate}%."),
        ),
        (
            values[asked],
            100 - rate.n,
            values[best if best != asked else (asked + 1) % 4] / per_dish * 100,
            values[(asked + 2) % 4] / per_dish * 100,
        ),
        "%",
        figure=partial(figures.bar_chart, labels, [int(v) for v in values], 50, 5, 1, ""),
        caption=d.tell(f"条形图，各组的发芽粒数：{listed}。", f"Bar chart of sprouted seeds: {listed}."),
    )
