"""Physics, chemistry, biology and geography without pictures (grades 7 to 12)."""

from __future__ import annotations

from fractions import Fraction

from eduflow.benchmarks.procedural.core import Draft, Draw, template
from eduflow.benchmarks.procedural.numbers import Num, num


@template("speed", "physics", 8, "blank", ("速度", "speed"), ("单位换算", "converting units"))
def speed(d: Draw) -> Draft:
    v = d.whole("speed", 36, 252, 2)
    # Times after which the distance is a whole or half number of kilometres.
    minutes = num(d.choose("minutes", [t for t in range(10, 181) if int(v) * t % 30 == 0]))
    distance = num(v.value * minutes.value / 60)
    hours = minutes / 60
    if hours.value.denominator in (1, 2, 4):
        v_found = distance / hours.n
        steps = [
            d.tell(f"时间：{hours:=}（h）。", f"Time: {hours:=} (h)."),
            d.tell(f"速度：v = {v_found:=}（km/h）。", f"Speed: v = {v_found:=} (km/h)."),
        ]
    else:
        v_found = distance / minutes * 60
        steps = [
            d.tell(
                f"每小时通过的路程：v = {v_found:=}（km/h）。",
                f"Distance in an hour: v = {v_found:=} (km/h).",
            )
        ]
    return Draft(
        d.say(
            [
                f"一列火车{minutes} min内行驶了{distance} km，它的平均速度是____km/h。",
                f"一辆汽车在高速公路上{minutes} min通过的路程是{distance} km，则汽车的平均速度为____km/h。",
            ]
            if v.value <= 120
            else [
                f"一列火车{minutes} min内行驶了{distance} km，它的平均速度是____km/h。",
                f"一列高铁列车{minutes} min通过的路程是{distance} km，则列车的平均速度为____km/h。",
            ],
            [
                f"A train covers {distance} km in {minutes} min. Its average speed is ____ km/h.",
                f"A car covers {distance} km on a motorway in {minutes} min. Its average speed is ____ km/h."
                if v.value <= 120
                else f"An express train covers {distance} km in {minutes} min. Its average speed is ____ km/h.",
            ],
        ),
        (v_found,),
        tuple(steps),
    )


# Substance zh, en, density in g/cm³ (usual school-book values).
DENSITIES = (
    ("铝", "aluminium", Fraction(27, 10)),
    ("铁", "iron", Fraction(79, 10)),
    ("铜", "copper", Fraction(89, 10)),
    ("冰", "ice", Fraction(9, 10)),
    ("玻璃", "glass", Fraction(25, 10)),
    ("大理石", "marble", Fraction(26, 10)),
    ("银", "silver", Fraction(105, 10)),
    ("铅", "lead", Fraction(113, 10)),
)


@template("density", "physics", 8, "free", ("密度", "density"))
def density(d: Draw) -> Draft:
    zh, en, rho_value = d.choose("substance", DENSITIES, lambda row: row[1])
    volume, other = d.wholes("volumes", 2, 10, 300, 5)
    mass = num(rho_value * volume.value)
    rho = mass / volume
    mass2 = rho.n * other
    return Draft(
        d.say(
            [
                f"一块实心{zh}块的质量是{mass} g，体积是{volume} cm³。\n（1）{zh}的密度是多少 g/cm³？\n"
                f"（2）体积为{other} cm³的实心{zh}块，质量是多少 g？",
                f"实验测得体积为{volume} cm³的{zh}样品质量为{mass} g。\n（1）求{zh}的密度（单位：g/cm³）。\n"
                f"（2）另一块{zh}样品体积为{other} cm³，求它的质量（单位：g）。",
            ],
            [
                f"A solid piece of {en} has a mass of {mass} g and a volume of {volume} cm³.\n"
                f"(1) What is the density of {en} in g/cm³?\n"
                f"(2) What is the mass, in g, of a solid piece of {en} with a volume of {other} cm³?",
                f"In an experiment, {volume} cm³ of {en} are found to have a mass of {mass} g.\n"
                f"(1) Find the density of {en} in g/cm³.\n"
                f"(2) Another sample of {en} has a volume of {other} cm³. Find its mass in g.",
            ],
        ),
        (rho, mass2),
        (
            d.tell(f"（1）ρ = m ÷ V = {rho:=}（g/cm³）。", f"(1) ρ = m ÷ V = {rho:=} (g/cm³)."),
            d.tell(f"（2）m = ρ × V = {mass2:=}（g）。", f"(2) m = ρ × V = {mass2:=} (g)."),
        ),
    )


@template("ohms_law", "physics", 9, "choice", ("欧姆定律", "Ohm's law"), ("串联电路", "series circuits"))
def ohms_law(d: Draw) -> Draft:
    r1, r2 = d.wholes("resistances", 2, 2, 48)
    current = d.tenth("current", 1, 12)
    total = r1 + r2
    voltage = num(total.value * current.value)
    i = voltage / total.n
    u1 = i.n * r1
    return Draft(
        d.say(
            [
                f"{r1} Ω和{r2} Ω的两个电阻串联后接在{voltage} V的电源两端，{r1} Ω电阻两端的电压是多少？",
                f"电源电压为{voltage} V且保持不变，R₁ = {r1} Ω与R₂ = {r2} Ω串联。R₁两端的电压是多少？",
            ],
            [
                f"Resistors of {r1} Ω and {r2} Ω are connected in series to a {voltage} V supply. "
                f"What is the voltage across the {r1} Ω resistor?",
                f"R₁ = {r1} Ω and R₂ = {r2} Ω are in series with a supply of constant {voltage} V. "
                "What is the voltage across R₁?",
            ],
        ),
        (u1,),
        (
            d.tell(f"总电阻：{total:=}（Ω）。", f"Total resistance: {total:=} (Ω)."),
            d.tell(f"电流：{i:=}（A）。", f"Current: {i:=} (A)."),
            d.tell(
                f"{r1} Ω电阻两端的电压：{u1:=}（V）。", f"Voltage across the {r1} Ω resistor: {u1:=} (V)."
            ),
        ),
        (i * r2, voltage, voltage / 2, i.n),
        "V",
    )


@template("newton_second_law", "physics", 10, "choice", ("牛顿第二定律", "Newton's second law"))
def newton_second_law(d: Draw) -> Draft:
    m, a, f = d.whole("mass", 2, 40), d.tenth("acceleration", 5, 45), d.whole("friction", 2, 40)
    push = num(m.value * a.value + f.value)
    net = push - f
    acceleration = net.n / m
    wrong_value = round(push.value / m.value * 10)
    return Draft(
        d.say(
            [
                f"质量为{m} kg的木箱在水平地面上受到{push} N的水平推力，滑动摩擦力为{f} N。木箱的加速度是多少？",
                f"水平面上质量为{m} kg的物体在{push} N的水平拉力作用下运动，受到的摩擦力为{f} N，求加速度大小。",
            ],
            [
                f"A crate of mass {m} kg slides on level ground. It is pushed by a horizontal force of {push} N "
                f"against a friction of {f} N. What is its acceleration?",
                f"A body of {m} kg moves on a level surface, pulled by a horizontal force of {push} N; the friction is "
                f"{f} N. Find its acceleration.",
            ],
        ),
        (acceleration,),
        (
            d.tell(f"合力：{net:=}（N）。", f"Net force: {net:=} (N)."),
            d.tell(f"加速度：a = {acceleration:=}（m/s²）。", f"Acceleration: a = {acceleration:=} (m/s²)."),
        ),
        # Friction forgotten; friction added; upside down has no short notation, so the double.
        (
            Num(Fraction(wrong_value, 10)),
            Num(Fraction(round((push.value + f.value) / m.value * 10), 10)),
            acceleration.n * 2,
        ),
        "m/s²",
    )


@template("uniform_acceleration", "physics", 10, "free", ("匀变速直线运动", "uniformly accelerated motion"))
def uniform_acceleration(d: Draw) -> Draft:
    v0, a, t = d.whole("initial", 2, 24), d.tenth("acceleration", 1, 8, 2), d.whole("time", 2, 20, 2)
    gain = a * t
    v = v0 + gain.n
    mean = (v0 + v.n) / 2
    s = mean.n * t
    return Draft(
        d.say(
            [
                f"一辆汽车以{v0} m/s的速度开始做匀加速直线运动，加速度为{a} m/s²，历时{t} s。\n"
                f"（1）{t} s末的速度是多少 m/s？\n（2）这段时间内的位移是多少 m？",
                f"质点做匀加速直线运动，初速度{v0} m/s，加速度{a} m/s²。\n"
                f"（1）求{t} s末的速度（单位：m/s）。\n（2）求前{t} s内的位移（单位：m）。",
            ],
            [
                f"A car starts at {v0} m/s and accelerates uniformly along a straight road at {a} m/s² for {t} s.\n"
                f"(1) What is its speed in m/s after {t} s?\n(2) How far, in m, does it go in this time?",
                f"A particle moves along a line with initial velocity {v0} m/s and constant acceleration {a} m/s².\n"
                f"(1) Find its velocity in m/s after {t} s.\n(2) Find its displacement in m during the first {t} s.",
            ],
        ),
        (v, s),
        (
            d.tell(f"速度的增加量：{gain:=}（m/s）。", f"Gain in speed: {gain:=} (m/s)."),
            d.tell(f"（1）末速度：{v:=}（m/s）。", f"(1) Final speed: {v:=} (m/s)."),
            d.tell(f"平均速度：{mean:=}（m/s）。", f"Mean speed: {mean:=} (m/s)."),
            d.tell(f"（2）位移：{s:=}（m）。", f"(2) Displacement: {s:=} (m)."),
        ),
    )


@template("work_and_power", "physics", 8, "blank", ("功和功率", "work and power"))
def work_and_power(d: Draw) -> Draft:
    weight, height = d.whole("weight", 50, 900, 10), d.whole("height", 2, 15)
    work = weight * height
    times = [t for t in range(2, 61) if (work.value / t * 2).denominator == 1]
    t = num(d.choose("time", times))
    power = work.n / t
    return Draft(
        d.say(
            [
                f"起重机用{t} s把重{weight} N的货物匀速提升{height} m，对货物做功____J，功率为____W。",
                f"工人用{t} s把重{weight} N的材料匀速竖直提起{height} m，他做的功是____J，功率是____W。",
            ],
            [
                f"A crane lifts a load of weight {weight} N steadily through {height} m in {t} s. It does ____ J of "
                "work on the load; its power is ____ W.",
                f"A worker raises material of weight {weight} N vertically through {height} m at constant speed in "
                f"{t} s. The work done is ____ J and the power is ____ W.",
            ],
        ),
        (work, power),
        (
            d.tell(f"功：W = {work:=}（J）。", f"Work: W = {work:=} (J)."),
            d.tell(f"功率：P = {power:=}（W）。", f"Power: P = {power:=} (W)."),
        ),
    )


# Formula, zh, en, molar mass in g/mol as school tables round it.
SUBSTANCES = (
    ("H₂O", "水", "water", 18),
    ("CO₂", "二氧化碳", "carbon dioxide", 44),
    ("NaOH", "氢氧化钠", "sodium hydroxide", 40),
    ("CaCO₃", "碳酸钙", "calcium carbonate", 100),
    ("H₂SO₄", "硫酸", "sulfuric acid", 98),
    ("NH₃", "氨", "ammonia", 17),
    ("CH₄", "甲烷", "methane", 16),
    ("MgO", "氧化镁", "magnesium oxide", 40),
    ("CuO", "氧化铜", "copper oxide", 80),
    ("O₂", "氧气", "oxygen", 32),
)


@template("moles", "chemistry", 10, "blank", ("物质的量", "amount of substance"), ("摩尔质量", "molar mass"))
def moles(d: Draw) -> Draft:
    formula, zh, en, mass_value = d.choose("substance", SUBSTANCES, lambda row: row[0])
    amount = d.tenth("amount", 2, 400, 20)
    molar = num(mass_value)
    mass = num(amount.value * molar.value)
    n = mass / molar
    number = n.n * Num(Fraction(602, 100))
    return Draft(
        d.say(
            [
                f"{formula}的摩尔质量是{molar} g/mol。{mass} g {zh}（{formula}）的物质的量是____mol，"
                "所含分子（或化学式单位）数是____×10²³。（阿伏加德罗常数取 6.02×10²³ mol⁻¹）",
                f"已知M({formula}) = {molar} g/mol，Nₐ = 6.02×10²³ mol⁻¹，则{mass} g {zh}的物质的量为____mol，"
                "含有____×10²³个化学式单位。",
            ],
            [
                f"The molar mass of {formula} is {molar} g/mol. {mass} g of {en} ({formula}) are ____ mol and contain "
                "____ ×10²³ formula units. (Avogadro constant: 6.02×10²³ per mol)",
                f"Given M({formula}) = {molar} g/mol and an Avogadro constant of 6.02×10²³ per mol, {mass} g of {en} "
                "amount to ____ mol, that is ____ ×10²³ formula units.",
            ],
        ),
        (n, number),
        (
            d.tell(f"n = m ÷ M = {n:=}（mol）。", f"n = m ÷ M = {n:=} (mol)."),
            d.tell(f"以10²³为单位的个数：{number:=}。", f"Number in units of 10²³: {number:=}."),
        ),
    )


@template("mass_fraction", "chemistry", 9, "choice", ("溶质的质量分数", "mass fraction of a solution"))
def mass_fraction(d: Draw) -> Draft:
    zh, en = d.choose(
        "solute",
        (("食盐", "salt"), ("蔗糖", "sugar"), ("硝酸钾", "potassium nitrate"), ("葡萄糖", "glucose")),
        lambda row: row[1],
    )
    percent = d.whole("percent", 4, 23)
    total_value = d.whole("total", 100, 1200, 20)
    solute = num(total_value.value * percent.value / 100)
    water = num(total_value.value - solute.value)
    total = solute + water
    rate = solute / total.n * 100
    to_water = Num(Fraction(round(1000 * solute.value / water.value), 10))
    return Draft(
        d.say(
            [
                f"把{solute} g {zh}完全溶解在{water} g水中，所得溶液中溶质的质量分数是多少？",
                f"实验室用{water} g水和{solute} g {zh}配成溶液（全部溶解），溶质的质量分数为多少？",
            ],
            [
                f"{solute} g of {en} are dissolved completely in {water} g of water. "
                "What is the mass fraction of the solute?",
                f"A solution is made of {water} g of water and {solute} g of {en}, all of it dissolved. "
                "What is the mass fraction of the solute?",
            ],
        ),
        (rate,),
        (
            d.tell(f"溶液的质量：{total:=}（g）。", f"Mass of the solution: {total:=} (g)."),
            d.tell(f"质量分数：{rate:=}，即{rate}%。", f"Mass fraction: {rate:=}, that is {rate}%."),
        ),
        (to_water, 100 - rate.n, rate.n * 2, rate.n / 2),
        "%",
    )


# Equation; given zh, en, formula mass × coefficient; asked (two) likewise.
REACTIONS = (
    ("2Mg + O₂ → 2MgO", ("镁", "magnesium", 48), ("氧气", "oxygen", 32), ("氧化镁", "magnesium oxide", 80)),
    ("C + O₂ → CO₂", ("碳", "carbon", 12), ("氧气", "oxygen", 32), ("二氧化碳", "carbon dioxide", 44)),
    ("2H₂ + O₂ → 2H₂O", ("氢气", "hydrogen", 4), ("氧气", "oxygen", 32), ("水", "water", 36)),
    (
        "CH₄ + 2O₂ → CO₂ + 2H₂O",
        ("甲烷", "methane", 16),
        ("氧气", "oxygen", 64),
        ("二氧化碳", "carbon dioxide", 44),
    ),
    ("S + O₂ → SO₂", ("硫", "sulfur", 32), ("氧气", "oxygen", 32), ("二氧化硫", "sulfur dioxide", 64)),
    (
        "4Al + 3O₂ → 2Al₂O₃",
        ("铝", "aluminium", 108),
        ("氧气", "oxygen", 96),
        ("氧化铝", "aluminium oxide", 204),
    ),
)


@template("reaction_masses", "chemistry", 9, "free", ("化学方程式的计算", "masses in a reaction"))
def reaction_masses(d: Draw) -> Draft:
    equation, given, used, made = d.choose("reaction", REACTIONS, lambda row: row[0])
    tenths = d.tenth("multiple", 2, 800, 20)
    mass = num(given[2] * tenths.value)
    factor = mass / given[2]
    oxygen, product = factor.n * used[2], factor.n * made[2]
    g, u, m = (d.tell(row[0], row[1]) for row in (given, used, made))
    gm, um, mm = given[2], used[2], made[2]
    return Draft(
        d.say(
            [
                f"{g}在氧气中充分燃烧：{equation}。按方程式，参加反应的{g}、{u}与生成的{m}的质量比是 {gm}:{um}:{mm}。"
                f"现有{mass} g {g}完全燃烧。\n（1）消耗{u}多少 g？\n（2）生成{m}多少 g？",
                f"已知{equation}，其中{g}、{u}、{m}的质量比为 {gm}:{um}:{mm}。{mass} g {g}完全反应时，\n"
                f"（1）需要{u}多少 g？\n（2）生成{m}多少 g？",
            ],
            [
                f"{g.capitalize()} burns completely in oxygen: {equation}. By the equation, the masses of {g}, {u} and "
                f"{m} are in the ratio {gm}:{um}:{mm}. {mass} g of {g} are burnt.\n"
                f"(1) How many g of {u} are used up?\n(2) How many g of {m} are formed?",
                f"In {equation}, the masses of {g}, {u} and {m} are in the ratio {gm}:{um}:{mm}. {mass} g of {g} react "
                f"completely.\n(1) How many g of {u} are needed?\n(2) How many g of {m} are formed?",
            ],
        ),
        (oxygen, product),
        (
            d.tell(f"反应的份数：{factor:=}。", f"How many times the ratio: {factor:=}."),
            d.tell(f"（1）{u}的质量：{oxygen:=}（g）。", f"(1) Mass of {u}: {oxygen:=} (g)."),
            d.tell(f"（2）{m}的质量：{product:=}（g）。", f"(2) Mass of {m}: {product:=} (g)."),
        ),
    )


@template("molarity", "chemistry", 10, "blank", ("物质的量浓度", "molar concentration"))
def molarity(d: Draw) -> Draft:
    formula, zh, en, mass_value = d.choose(
        "solute",
        (
            ("NaOH", "氢氧化钠", "sodium hydroxide", 40),
            ("KOH", "氢氧化钾", "potassium hydroxide", 56),
            ("KNO₃", "硝酸钾", "potassium nitrate", 101),
            ("CuSO₄", "硫酸铜", "copper sulfate", 160),
            ("C₆H₁₂O₆", "葡萄糖", "glucose", 180),
        ),
        lambda row: row[0],
    )
    concentration = d.tenth("concentration", 1, 24, 20)
    volume = d.whole("volume", 100, 1000, 20)
    molar = num(mass_value)
    litres = volume / 1000
    amount = concentration * litres.n
    mass = amount.n * molar
    return Draft(
        d.say(
            [
                f"配制{volume} mL {concentration} mol/L的{formula}溶液，需要{zh}____g。（摩尔质量：{molar} g/mol）",
                f"{volume} mL浓度为{concentration} mol/L的{zh}（{formula}，{molar} g/mol）溶液中含溶质____g。",
            ],
            [
                f"To make {volume} mL of {concentration} mol/L {formula} solution, ____ g of {en} are needed. "
                f"(Molar mass: {molar} g/mol)",
                f"{volume} mL of a {concentration} mol/L solution of {en} ({formula}, {molar} g/mol) contain "
                "____ g of solute.",
            ],
        ),
        (mass,),
        (
            d.tell(f"体积：{litres:=}（L）。", f"Volume: {litres:=} (L)."),
            d.tell(f"物质的量：{amount:=}（mol）。", f"Amount of substance: {amount:=} (mol)."),
            d.tell(f"质量：{mass:=}（g）。", f"Mass: {mass:=} (g)."),
        ),
    )


@template("dna_bases", "biology", 10, "choice", ("DNA的碱基互补配对", "complementary base pairing"))
def dna_bases(d: Draw) -> Draft:
    pairs = d.whole("pairs", 100, 2000, 50)
    # Not 25: then all four bases are equally many, and every mistake leads to the answer.
    percent = num(d.choose("percent", [p for p in range(15, 36) if p != 25]))
    one = d.choose("base", ("A", "T"))
    asked = d.choose("asked", ("G", "C"))
    bases = pairs * 2
    both = percent * 2
    other = (100 - both.n) / 2
    count = bases.n * other.n / 100
    return Draft(
        d.say(
            [
                f"某双链DNA分子有{pairs}个碱基对，其中{one}占全部碱基的{percent}%。该分子中{asked}有多少个？",
                f"一段双链DNA含{pairs}个碱基对，碱基{one}的比例为{percent}%，则碱基{asked}的数目是多少？",
            ],
            [
                f"A double-stranded DNA molecule has {pairs} base pairs; {one} makes up {percent}% of all bases. "
                f"How many {asked} bases does it have?",
                f"In a piece of double-stranded DNA with {pairs} base pairs, {percent}% of the bases are {one}. "
                f"What is the number of {asked} bases?",
            ],
        ),
        (count,),
        (
            d.tell(f"碱基总数：{bases:=}。", f"Number of bases: {bases:=}."),
            d.tell(f"A与T相等，共占：{both:=}（%）。", f"A and T are equal, together: {both:=} (%)."),
            d.tell(f"G与C相等，各占：{other:=}（%）。", f"G and C are equal, each: {other:=} (%)."),
            d.tell(f"{asked}的个数：{count:=}。", f"Number of {asked}: {count:=}."),
        ),
        (
            pairs * other.n / 100,
            bases.n * percent / 100,
            bases.n * (100 - percent.n) / 100,
            pairs * percent / 100,
        ),
        d.tell("个", ""),
    )


@template("energy_flow", "biology", 12, "blank", ("生态系统的能量流动", "energy flow in an ecosystem"))
def energy_flow(d: Draw) -> Draft:
    energy = d.whole("energy", 1000, 98000, 100)
    rate = d.whole("rate", 10, 20)
    second, third = energy * rate / 100, num(energy.value * rate.value / 100) * rate / 100
    return Draft(
        d.say(
            [
                f"在“草→兔→狐”食物链中，草固定的能量为{energy} kJ，能量传递效率均为{rate}%。"
                "兔获得的能量是____kJ，狐获得的能量是____kJ。",
                f"某食物链“藻类→虾→鱼”中，藻类固定了{energy} kJ能量，相邻营养级间的传递效率为{rate}%。"
                "流入虾的能量为____kJ，流入鱼的能量为____kJ。",
            ],
            [
                f"In the food chain grass → rabbit → fox, the grass fixes {energy} kJ and {rate}% of the energy passes "
                "from each level to the next. The rabbits receive ____ kJ and the foxes ____ kJ.",
                f"In the food chain algae → shrimp → fish, the algae fix {energy} kJ; the efficiency of transfer "
                f"between levels is {rate}%. The shrimp receive ____ kJ and the fish ____ kJ.",
            ],
        ),
        (second, third),
        (
            d.tell(f"第二营养级：{second:=}（kJ）。", f"Second level: {second:=} (kJ)."),
            d.tell(f"第三营养级：{third:=}（kJ）。", f"Third level: {third:=} (kJ)."),
        ),
    )


@template("heart_output", "biology", 7, "free", ("心率与心输出量", "heart rate and cardiac output"))
def heart_output(d: Draw) -> Draft:
    rest, stroke, factor = (
        d.whole("rate", 60, 84),
        d.whole("stroke", 60, 90, 2),
        d.whole("sport_rate", 110, 165),
    )
    output = rest * stroke
    sport_stroke = d.whole("sport_stroke", 92, 120, 2)
    sport = factor * sport_stroke
    more = sport.n - output.n
    return Draft(
        d.say(
            [
                f"某同学安静时心率为{rest}次/分，每次心跳每侧心室输出血液{stroke} mL；运动时心率为{factor}次/分，"
                f"每次输出{sport_stroke} mL。\n（1）安静时每分钟的心输出量是多少 mL？\n"
                "（2）运动时每分钟的心输出量是多少 mL？\n（3）运动时每分钟比安静时多输出多少 mL？",
            ],
            [
                f"At rest a pupil's heart beats {rest} times a minute and each ventricle pumps {stroke} mL per beat; "
                f"during sport it beats {factor} times a minute with {sport_stroke} mL per beat.\n"
                "(1) What is the output per minute at rest, in mL?\n(2) What is it during sport, in mL?\n"
                "(3) How many mL more per minute is that?",
            ],
        ),
        (output, sport, more),
        (
            d.tell(f"（1）安静时：{output:=}（mL）。", f"(1) At rest: {output:=} (mL)."),
            d.tell(f"（2）运动时：{sport:=}（mL）。", f"(2) During sport: {sport:=} (mL)."),
            d.tell(f"（3）相差：{more:=}（mL）。", f"(3) Difference: {more:=} (mL)."),
        ),
    )


@template("map_scale", "geography", 7, "blank", ("比例尺", "map scale"))
def map_scale(d: Draw) -> Draft:
    denominator = num(d.choose("scale", (20000, 50000, 100000, 200000, 250000, 500000, 1000000, 2000000)))
    length = d.tenth("length", 11, 480)
    centimetres = length * denominator
    kilometres = centimetres.n / 100000
    return Draft(
        d.say(
            [
                f"在比例尺为 1:{denominator} 的地图上，量得两地相距{length} cm，两地的实际直线距离是____km。",
                f"一幅地图的比例尺是 1:{denominator}，图上甲、乙两镇相距{length} cm，实际相距____km。",
            ],
            [
                f"On a map at the scale 1:{denominator}, two places are {length} cm apart. "
                "The real distance in a straight line is ____ km.",
                f"The scale of a map is 1:{denominator}. Two towns are {length} cm apart on the map; "
                "in reality they are ____ km apart.",
            ],
        ),
        (kilometres,),
        (
            d.tell(f"实际距离：{centimetres:=}（cm）。", f"Real distance: {centimetres:=} (cm)."),
            d.tell(f"换算成千米：{kilometres:=}（km）。", f"In kilometres: {kilometres:=} (km)."),
        ),
    )


def clock(minutes: int) -> str:
    """A time of day from minutes after midnight, on the 24-hour clock."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


@template("time_zones", "geography", 10, "choice", ("时区与区时", "time zones"))
def time_zones(d: Draw) -> Draft:
    east, west = d.whole("east", 1, 11), d.whole("west", 1, 10)
    hour, minute = d.whole("hour", 0, 23), d.whole("minute", 0, 55, 5)
    gap = east + west
    start = int(hour) * 60 + int(minute)
    behind = start - int(gap) * 60
    day = d.tell("前一天", "the day before") if behind < 0 else d.tell("当天", "the same day")

    def moment(minutes: int) -> str:
        when = d.tell("前一天", "the day before") if minutes < 0 else d.tell("当天", "the same day")
        if minutes >= 1440:
            when = d.tell("后一天", "the day after")
        return d.tell(f"{when}{clock(minutes)}", f"{clock(minutes)}, {when}")

    hours = hour - gap.n
    steps = [d.tell(f"两地相差的时区数：{gap:=}。", f"Zones between the two: {gap:=}.")]
    steps.append(
        d.tell(
            f"西{west}区在西边，时刻较早，小时数减去{gap}：{hours:=}。",
            f"UTC-{west} lies to the west and is behind, so subtract {gap} hours: {hours:=}.",
        )
    )
    if behind < 0:
        later = hours.n + 24
        steps.append(
            d.tell(
                f"小于0，加24小时并退一天：{later:=}。", f"Below 0, so add 24 hours, one day back: {later:=}."
            )
        )
    steps.append(d.tell(f"所以是{day}{clock(behind)}。", f"So it is {clock(behind)}, {day}."))
    apart = abs(int(east) - int(west))
    return Draft(
        d.say(
            [
                f"东{east}区的区时为{clock(start)}时，西{west}区的区时是多少？",
                f"一架飞机于东{east}区区时{clock(start)}起飞，此时西{west}区的区时是多少？",
            ],
            [
                f"It is {clock(start)} in the time zone UTC+{east}. What time is it in the zone UTC-{west}?",
                f"A plane takes off at {clock(start)} local time in the zone UTC+{east}. "
                f"What time is it then in the zone UTC-{west}?",
            ],
        ),
        (moment(behind),),
        tuple(steps),
        (
            moment(start + int(gap) * 60),
            moment(start - apart * 60),
            moment(behind + 60),
            moment(behind - 60),
            moment(behind + 120),
        ),
    )


@template("altitude_temperature", "geography", 10, "free", ("气温垂直递减率", "temperature and altitude"))
def altitude_temperature(d: Draw) -> Draft:
    low, rise, bottom = (
        d.whole("low", 100, 1500, 50),
        d.whole("rise", 500, 4000, 50),
        d.whole("temperature", 8, 32),
    )
    high = (low + rise).n
    gap = high - low
    fall = gap.n / 100 * Num(Fraction(6, 10))
    top = bottom - fall.n
    return Draft(
        d.say(
            [
                f"山脚海拔{low} m，气温{bottom} °C；山顶海拔{high} m。海拔每升高100 m，气温下降0.6 °C。\n"
                "（1）山顶与山脚的相对高度是多少 m？\n（2）气温相差多少 °C？\n（3）山顶的气温是多少 °C？",
                f"登山队从海拔{low} m的营地（气温{bottom} °C）登上海拔{high} m的山峰，气温递减率为每100 m下降0.6 °C。\n"
                "（1）上升了多少 m？\n（2）气温下降多少 °C？\n（3）峰顶气温是多少 °C？",
            ],
            [
                f"The foot of a mountain lies at {low} m and has {bottom} °C; its summit is at {high} m. "
                "The temperature falls by 0.6 °C for every 100 m.\n(1) How many m is the summit above the foot?\n"
                "(2) By how many °C do the temperatures differ?\n(3) What is the temperature at the summit in °C?",
                f"A team climbs from a camp at {low} m, where it is {bottom} °C, to a peak at {high} m. "
                "The temperature falls by 0.6 °C per 100 m.\n(1) How many m do they climb?\n"
                "(2) By how many °C does the temperature fall?\n(3) What is the temperature at the peak in °C?",
            ],
        ),
        (gap, fall, top),
        (
            d.tell(f"（1）高度差：{gap:=}（m）。", f"(1) Difference in height: {gap:=} (m)."),
            d.tell(f"（2）温度差：{fall:=}（°C）。", f"(2) Difference in temperature: {fall:=} (°C)."),
            d.tell(f"（3）高处气温：{top:=}（°C）。", f"(3) Temperature above: {top:=} (°C)."),
        ),
    )


@template("population", "geography", 8, "blank", ("人口密度", "population density"))
def population(d: Draw) -> Draft:
    density_value, area = d.whole("density", 40, 900, 5), d.whole("area", 200, 9000, 100)
    people = num(density_value.value * area.value / 10000)
    total = people * 10000
    per = total.n / area
    return Draft(
        d.say(
            [
                f"某县面积{area} km²，人口{people}万，人口密度为____人/km²。",
                f"某地区有{people}万人，面积为{area} km²，平均每平方千米有____人。",
            ],
            [
                f"A county of {area} km² has {total} inhabitants. Its population density is ____ people per km².",
                f"A region with {total} inhabitants covers {area} km². On average ____ people live on each km².",
            ],
        ),
        (per,),
        (
            d.tell(f"人口数：{total:=}（人）。", f"Number of people: {total:=}."),
            d.tell(f"人口密度：{per:=}（人/km²）。", f"Density: {per:=} (people per km²)."),
        ),
    )
