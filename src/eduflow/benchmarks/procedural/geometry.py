"""Perimeter, area, volume and angles (mathematics, grades 4 to 9), some with a figure that carries the lengths."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from eduflow.benchmarks.procedural import figures
from eduflow.benchmarks.procedural.core import Draft, Draw, template
from eduflow.benchmarks.procedural.numbers import Num, num

PI = Num(Fraction(314, 100))


@template("rectangle", "math", 4, "free", ("长方形的周长和面积", "perimeter and area of a rectangle"))
def rectangle(d: Draw) -> Draft:
    width = d.whole("width", 4, 60)
    length = d.whole("length", int(width) + 1, 95)
    perimeter, area = (length + width) * 2, length * width
    return Draft(
        d.say(
            [
                f"一个长方形长{length}米，宽{width}米。\n（1）它的周长是多少米？\n（2）它的面积是多少平方米？",
                f"一块长方形菜地，长{length}米，宽{width}米。\n"
                "（1）四周围上篱笆，篱笆长多少米？\n（2）菜地的面积是多少平方米？",
            ],
            [
                f"A rectangle is {length} m long and {width} m wide.\n(1) What is its perimeter in m?\n"
                "(2) What is its area in square metres?",
                f"A rectangular vegetable bed is {length} m long and {width} m wide.\n"
                "(1) How many metres of fence go around it?\n(2) What is its area in square metres?",
            ],
        ),
        (perimeter, area),
        (
            d.tell(f"（1）周长：{perimeter:=}（米）。", f"(1) Perimeter: {perimeter:=} (m)."),
            d.tell(f"（2）面积：{area:=}（平方米）。", f"(2) Area: {area:=} (square metres)."),
        ),
    )


@template("triangle_angles", "math", 7, "choice", ("三角形内角和", "angles of a triangle"))
def triangle_angles(d: Draw) -> Draft:
    a, b = d.wholes("angles", 2, 22, 86)
    both = a + b
    c = 180 - both.n
    outer = 180 - c.n
    first, second, third = tuple(d.choose("corners", ("ABC", "PQR", "DEF", "XYZ", "KLM")))
    return Draft(
        d.say(
            [
                f"在△{first}{second}{third}中，∠{first} = {a}°，∠{second} = {b}°，∠{third}等于多少度？",
                f"三角形{first}{second}{third}的两个内角∠{first}和∠{second}分别是{a}°和{b}°，求∠{third}。",
            ],
            [
                f"In triangle {first}{second}{third}, angle {first} is {a}° and angle {second} is {b}°. "
                f"What is angle {third}?",
                f"Two angles of triangle {first}{second}{third} are {first} = {a}° and {second} = {b}°. "
                f"Find angle {third}.",
            ],
        ),
        (c,),
        (
            d.tell(f"已知两角之和：{both:=}。", f"Sum of the two angles: {both:=}."),
            d.tell(f"三角形内角和为180°：{c:=}。", f"The angles add up to 180°: {c:=}."),
        ),
        (outer, 180 - a.n, 180 - b.n, num(abs(90 - both.value)), c + 10),
        "°",
    )


@template("circle", "math", 6, "choice", ("圆的面积", "area of a circle"))
def circle(d: Draw) -> Draft:
    diameter, price = d.whole("diameter", 4, 60, 2), d.whole("price", 2, 90)
    radius = diameter / 2
    area = PI * radius.n * radius.n
    cost = area.n * price
    return Draft(
        d.say(
            [
                f"一个圆形花坛的直径是{diameter}米，铺草皮每平方米{price}元，铺满需要多少元？（π取3.14）",
                f"给直径{diameter}米的圆形广场铺地砖，每平方米{price}元，一共需要多少元？（π取3.14）",
            ],
            [
                f"A round flower bed has a diameter of {diameter} m. Turf costs {price} yuan per square metre. "
                "How much does it cost to cover the bed? (Take π = 3.14.)",
                f"A round plaza with a diameter of {diameter} m is paved at {price} yuan per square metre. "
                "What is the total cost? (Take π = 3.14.)",
            ],
        ),
        (cost,),
        (
            d.tell(f"半径：{radius:=}（米）。", f"Radius: {radius:=} (m)."),
            d.tell(f"面积：{area:=}（平方米）。", f"Area: {area:=} (square metres)."),
            d.tell(f"费用：{cost:=}（元）。", f"Cost: {cost:=} (yuan)."),
        ),
        # Diameter for radius; circumference for area; area of the half.
        (PI * diameter * diameter * price, PI * diameter * price, cost.n / 2, cost.n * 2),
        d.tell("元", "yuan"),
    )


@template("box", "math", 5, "free", ("长方体的体积和表面积", "volume and surface of a cuboid"))
def box(d: Draw) -> Draft:
    a, b, c = d.wholes("edges", 3, 2, 30)
    volume = a * b * c
    surface = (a * b + a * c + b * c) * 2
    return Draft(
        d.say(
            [
                f"一个长方体的长、宽、高分别是{a} cm、{b} cm、{c} cm。\n（1）体积是多少 cm³？\n（2）表面积是多少 cm²？",
                f"用纸板做一个长{a} cm、宽{b} cm、高{c} cm的有盖长方体纸盒（接头不计，厚度不计）。\n"
                "（1）纸盒的容积是多少 cm³？\n（2）需要纸板多少 cm²？",
            ],
            [
                f"A cuboid measures {a} cm by {b} cm by {c} cm.\n(1) What is its volume in cm³?\n"
                "(2) What is its surface area in cm²?",
                f"A closed cardboard box measures {a} cm by {b} cm by {c} cm (ignore thickness and overlaps).\n"
                "(1) What is its capacity in cm³?\n(2) How many cm² of cardboard are needed?",
            ],
        ),
        (volume, surface),
        (
            d.tell(f"（1）体积：{volume:=}（cm³）。", f"(1) Volume: {volume:=} (cm³)."),
            d.tell(f"（2）表面积：{surface:=}（cm²）。", f"(2) Surface: {surface:=} (cm²)."),
        ),
    )


TRIPLES = (
    (3, 4, 5),
    (5, 12, 13),
    (8, 15, 17),
    (7, 24, 25),
    (20, 21, 29),
    (9, 40, 41),
    (12, 35, 37),
    (11, 60, 61),
    (28, 45, 53),
)
# Whole multiples up to 100 cm and tenths up to 12 cm.
TRIANGLES = [
    (*triple, factor)
    for triple in TRIPLES
    for factor in (
        *(Fraction(k) for k in range(1, 100 // triple[2] + 1)),
        *(Fraction(k, 10) for k in range(1, 120 // triple[2] + 1) if k % 10),
    )
]


@template("right_triangle", "math", 8, "blank", ("勾股定理", "Pythagoras' theorem"), image=True)
def right_triangle(d: Draw) -> Draft:
    first, second, third, factor = d.choose("triangle", TRIANGLES, lambda row: [*row[:3], str(row[3])])
    a, b, c = (num(side * factor) for side in (first, second, third))
    if d.choose("swap", (True, False)):
        a, b = b, a
    names = d.choose("names", ("ABC", "DEF", "PQR", "KLM", "XYZ", "RST", "MNP", "EFG"))
    bc, ac, ab = names[1] + names[2], names[0] + names[2], names[0] + names[1]
    find = d.choose("find", ("hypotenuse", "leg"))
    a2, b2, c2 = a * a, b * b, c * c
    if find == "hypotenuse":
        asked, answer, square = ab, c, a2.n + b2.n
        squares, labels = (a2, b2), (f"{a} cm", f"{b} cm", "?")
    else:
        asked, answer, square = bc, a, c2.n - b2.n
        squares, labels = (c2, b2), ("?", f"{b} cm", f"{c} cm")
    check = answer * answer
    shown = d.tell("，", ", ").join(
        f"{side} = {label}" for side, label in zip((bc, ac, ab), labels, strict=True) if label != "?"
    )
    return Draft(
        d.say(
            [
                f"如图，在Rt△{names}中，∠{names[2]} = 90°，则{asked} = ____cm。",
                f"如图，△{names}中∠{names[2]}是直角，{asked}的长是____cm。",
            ],
            [
                f"The figure shows triangle {names} with a right angle at {names[2]}. {asked} = ____ cm.",
                f"In the right triangle {names} of the figure (right angle at {names[2]}), side {asked} is ____ cm long.",
            ],
        ),
        (answer,),
        (
            d.tell(
                f"两边的平方：{squares[0]:=}，{squares[1]:=}。",
                f"Squares of the sides: {squares[0]:=}, {squares[1]:=}.",
            ),
            d.tell(f"由勾股定理，{asked}² 等于 {square:=}。", f"By Pythagoras, {asked}² is {square:=}."),
            d.tell(f"因为 {check:=}，所以{asked}等于{answer} cm。", f"As {check:=}, {asked} is {answer} cm."),
        ),
        figure=partial(figures.right_triangle, names, *labels, upright=b.value > a.value),
        caption=d.tell(
            f"直角三角形{names}，直角在{names[2]}，图上标着：{shown}；边{asked}标着“?”。",
            f"Right triangle {names}, right angle at {names[2]}, labelled {shown}; side {asked} is marked '?'.",
        ),
    )


@template("trapezium", "math", 5, "blank", ("梯形的面积", "area of a trapezium"), image=True)
def trapezium(d: Draw) -> Draft:
    top = d.whole("top", 3, 40)
    bottom = (top + d.whole("more", 3, 40)).n
    height = d.whole("height", 4, 40, 2)
    area = (top + bottom) * height / 2
    return Draft(
        d.say(
            ["如图，梯形的面积是____cm²。", "图中梯形的各长度如图所示，它的面积为____cm²。"],
            [
                "The area of the trapezium in the figure is ____ cm².",
                "The figure gives the lengths of a trapezium. Its area is ____ cm².",
            ],
        ),
        (area,),
        (
            d.tell(
                f"（上底 + 下底）× 高 ÷ 2：{area:=}（cm²）。", f"(Top + bottom) × height ÷ 2: {area:=} (cm²)."
            ),
        ),
        figure=partial(figures.trapezium, f"{top} cm", f"{bottom} cm", f"{height} cm"),
        caption=d.tell(
            f"梯形，平行的两边标着{top} cm（上）和{bottom} cm（下），虚线表示的高标着{height} cm。",
            f"A trapezium; the parallel sides are labelled {top} cm (top) and {bottom} cm (bottom), the dashed height "
            f"{height} cm.",
        ),
    )


@template("composite_area", "math", 4, "free", ("组合图形", "composite figures"), image=True)
def composite_area(d: Draw) -> Draft:
    a, b = d.whole("width", 14, 40), d.whole("height", 12, 36)
    c, e = d.whole("notch_width", 4, int(a) - 6), d.whole("notch_height", 4, int(b) - 5)
    whole, notch = a * b, c * e
    area = whole.n - notch.n
    perimeter = (a + b) * 2
    return Draft(
        d.say(
            [
                "如图，从一张长方形纸的右上角剪去一个小长方形，剩下的部分如实线所示。\n"
                "（1）剩下部分的面积是多少 cm²？\n（2）剩下部分的周长是多少 cm？",
                "图中实线围成的图形由一个大长方形在角上去掉一个小长方形得到。\n"
                "（1）求它的面积（单位：cm²）。\n（2）求它的周长（单位：cm）。",
            ],
            [
                "A small rectangle is cut from the top right corner of a rectangular sheet; the solid line in the "
                "figure shows what is left.\n(1) What is the area that is left, in cm²?\n(2) What is its perimeter in cm?",
                "The solid outline in the figure is a large rectangle without a small rectangle at a corner.\n"
                "(1) Find its area in cm².\n(2) Find its perimeter in cm.",
            ],
        ),
        (area, perimeter),
        (
            d.tell(f"大长方形：{whole:=}（cm²）。", f"Large rectangle: {whole:=} (cm²)."),
            d.tell(f"小长方形：{notch:=}（cm²）。", f"Small rectangle: {notch:=} (cm²)."),
            d.tell(f"（1）面积：{area:=}（cm²）。", f"(1) Area: {area:=} (cm²)."),
            d.tell(
                f"（2）剪去一角，周长与大长方形相等：{perimeter:=}（cm）。",
                f"(2) The cut corner leaves the perimeter as it was: {perimeter:=} (cm).",
            ),
        ),
        figure=partial(figures.notched, int(a), int(b), int(c), int(e)),
        caption=d.tell(
            f"大长方形底边{a} cm、左边{b} cm；右上角的小长方形（虚线）宽{c} cm、高{e} cm。",
            f"Large rectangle: bottom {a} cm, left side {b} cm; the small rectangle at the top right (dashed) is {c} cm "
            f"wide and {e} cm high.",
        ),
    )
