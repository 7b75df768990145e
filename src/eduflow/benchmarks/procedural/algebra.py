"""Linear equations with one and two unknowns, as equations and as word problems (mathematics, grades 5 to 8)."""

from __future__ import annotations

from eduflow.benchmarks.procedural.core import Draft, Draw, template
from eduflow.benchmarks.procedural.numbers import num
from eduflow.benchmarks.procedural.words import names

ONE = ("一元一次方程", "linear equations in one unknown")
TWO = ("二元一次方程组", "systems of two linear equations")


@template("equation_one_unknown", "math", 7, "blank", ONE)
def equation_one_unknown(d: Draw) -> Draft:
    x = d.whole("x", 2, 24)
    c = d.whole("c", 2, 9)
    a = c.n + d.whole("more", 1, 8)
    a = a.n
    b = d.whole("b", 2, 60)
    right = num(a.value * x.value + b.value - c.value * x.value)  # a x + b = c x + right
    coefficient, constant = a - c, right - b
    solved = constant.n / coefficient.n
    check_left, check_right = a * x + b, c * x + right
    unknown = "x" if coefficient.value == 1 else f"{coefficient}x"
    equation = f"{a}x + {b} = {c}x + {right}"
    return Draft(
        d.say(
            [f"解方程 {equation}，得 x = ____。", f"如果 {equation}，那么 x = ____。"],
            [f"Solve {equation}: x = ____.", f"If {equation}, then x = ____."],
        ),
        (x,),
        (
            d.tell(
                f"移项：x 的系数为 {coefficient:=}，常数为 {constant:=}，所以 {unknown} = {constant}。",
                f"Collect terms: the coefficient of x is {coefficient:=}, the constant {constant:=}, "
                f"so {unknown} = {constant}.",
            ),
            d.tell(f"系数化为1：x = {solved:=}。", f"Divide: x = {solved:=}."),
            d.tell(
                f"检验：左边 {check_left:=}，右边 {check_right:=}。",
                f"Check: left side {check_left:=}, right side {check_right:=}.",
            ),
        ),
    )


@template("equation_brackets", "math", 7, "choice", ONE, ("去括号", "expanding brackets"))
def equation_brackets(d: Draw) -> Draft:
    x, k, b = d.whole("x", 2, 20), d.whole("k", 2, 9), d.whole("b", 2, 25)
    c = d.whole("c", 1, 40)
    right = num(k.value * (x.value + b.value) + c.value)
    bracket = right - c
    inner = bracket.n / k
    solved = inner.n - b
    equation = f"{k}(x + {b}) + {c} = {right}"
    return Draft(
        d.say(
            [f"方程 {equation} 的解是 x 等于多少？", f"已知 {equation}，求 x 的值。"],
            [f"What is the solution x of {equation}?", f"Given {equation}, find x."],
        ),
        (solved,),
        (
            d.tell(
                f"两边减去{c}：{k}(x + {b}) 等于 {bracket:=}。", f"Subtract {c}: {k}(x + {b}) is {bracket:=}."
            ),
            d.tell(f"两边除以{k}：x + {b} 等于 {inner:=}。", f"Divide by {k}: x + {b} is {inner:=}."),
            d.tell(f"两边减去{b}：x 等于 {solved:=}。", f"Subtract {b}: x is {solved:=}."),
        ),
        # The bracket not subtracted; only x multiplied; the constant added; the constant forgotten.
        (inner, (bracket.n - b) / k, inner + b, (right - k * b) / k, solved + 2),
    )


@template("equations_two_unknowns", "math", 7, "blank", TWO)
def equations_two_unknowns(d: Draw) -> Draft:
    y = d.whole("y", 2, 30)
    x = (y + d.whole("gap", 1, 20)).n
    a = d.whole("a", 2, 7)
    b = d.whole("b", 1, 6)
    sum_ = num(a.value * x.value + b.value * y.value)
    difference = num(x.value - y.value)
    # x = y + difference in the first equation: (a + b) y + a * difference = sum.
    shift = a * difference
    rest = sum_ - shift.n
    count = a + b
    y_found = rest.n / count.n
    x_found = y_found.n + difference
    b_text = "y" if b.value == 1 else f"{b}y"
    system = f"{a}x + {b_text} = {sum_}", f"x - y = {difference}"
    return Draft(
        d.say(
            [
                f"方程组 {system[0]}，{system[1]} 的解是 x = ____，y = ____。",
                f"已知 {system[0]} 且 {system[1]}，则 x = ____，y = ____。",
            ],
            [
                f"The system {system[0]}, {system[1]} has the solution x = ____, y = ____.",
                f"Given that {system[0]} and {system[1]}, x = ____ and y = ____.",
            ],
        ),
        (x_found, y_found),
        (
            d.tell(
                f"由第二个方程，x 比 y 多 {difference}。代入第一个方程，y 的系数为 {count:=}。",
                f"By the second equation, x exceeds y by {difference}. Put into the first, the coefficient of y is "
                f"{count:=}.",
            ),
            d.tell(f"常数项移到右边：{shift:=}，{rest:=}。", f"Move the constant over: {shift:=}, {rest:=}."),
            d.tell(f"所以 y = {y_found:=}。", f"So y = {y_found:=}."),
            d.tell(f"于是 x = {x_found:=}。", f"Then x = {x_found:=}."),
        ),
    )


@template("tickets", "math", 8, "free", TWO, ("方程组的应用", "word problems with two unknowns"))
def tickets(d: Draw) -> Draft:
    adults, children = d.whole("adults", 4, 60), d.whole("children", 5, 70)
    half = d.whole("child_price", 5, 30)
    more = d.whole("more", 3, 40)
    full = (half + more).n
    people = num(adults.value + children.value)
    money = num(adults.value * full.value + children.value * half.value)
    if_children = people * half
    extra = money - if_children.n
    gap = full - half
    a = extra.n / gap.n
    c = people - a.n
    return Draft(
        d.say(
            [
                f"成人票每张{full}元，儿童票每张{half}元。某天上午共售出{people}张票，收入{money}元。\n"
                "（1）售出成人票多少张？\n（2）售出儿童票多少张？",
                f"食堂有大、小两种餐盒，大盒每个{full}元，小盒每个{half}元，共买{people}个，用去{money}元。\n"
                "（1）买了大盒多少个？\n（2）买了小盒多少个？",
            ],
            [
                f"Adult tickets cost {full} yuan and child tickets {half} yuan. One morning {people} tickets were "
                f"sold for {money} yuan in all.\n(1) How many adult tickets were sold?\n"
                "(2) How many child tickets were sold?",
                f"A canteen bought {people} boxes for {money} yuan: large ones at {full} yuan and small ones at "
                f"{half} yuan each.\n(1) How many large boxes were bought?\n(2) How many small ones?",
            ],
        ),
        (a, c),
        (
            d.tell(
                f"假设全部按{half}元计算：{if_children:=}（元）。",
                f"If all cost {half} yuan: {if_children:=} (yuan).",
            ),
            d.tell(f"实际多出：{extra:=}（元）。", f"In fact there is more: {extra:=} (yuan)."),
            d.tell(f"每张（个）相差：{gap:=}（元）。", f"Difference of the two prices: {gap:=} (yuan)."),
            d.tell(f"（1）{full}元的数量：{a:=}。", f"(1) Number at {full} yuan: {a:=}."),
            d.tell(f"（2）{half}元的数量：{c:=}。", f"(2) Number at {half} yuan: {c:=}."),
        ),
    )


@template("times_as_many", "math", 5, "blank", ("和倍问题", "sum and multiple"))
def times_as_many(d: Draw) -> Draft:
    first, second = names(d, 2)
    k, small, extra = d.whole("times", 2, 8), d.whole("small", 6, 60), d.whole("extra", 1, 15)
    total = num((k.value + 1) * small.value + extra.value)
    even, parts = total - extra, k + 1
    one = even.n / parts.n
    return Draft(
        d.say(
            [
                f"{first}和{second}共有{total}张邮票，{first}的张数比{second}的{k}倍还多{extra}张。{second}有____张。",
                f"两个书架共有{total}本书，第一个书架上的书比第二个的{k}倍还多{extra}本。第二个书架上有____本。",
            ],
            [
                f"{first} and {second} have {total} stamps together. {first} has {extra} more than {k} times as many "
                f"as {second}. {second} has ____ stamps.",
                f"Two shelves hold {total} books. The first holds {extra} more than {k} times as many as the second. "
                "The second shelf holds ____ books.",
            ],
        ),
        (one,),
        (
            d.tell(f"去掉多出的部分：{even:=}。", f"Take away the surplus: {even:=}."),
            d.tell(f"剩下的份数：{parts:=}。", f"Number of equal parts: {parts:=}."),
            d.tell(f"一份：{one:=}。", f"One part: {one:=}."),
        ),
    )


@template("sequence_term", "math", 10, "free", ("等差数列", "arithmetic sequences"))
def sequence_term(d: Draw) -> Draft:
    first, step, n = d.whole("first", 1, 30), d.whole("step", 2, 12), d.whole("n", 8, 30)
    count = n - 1
    last = first + count.n * step
    total = (first + last.n) * n / 2
    return Draft(
        d.say(
            [
                f"等差数列的首项为{first}，公差为{step}。\n（1）求第{n}项。\n（2）求前{n}项的和。",
                f"剧场第一排有{first}个座位，以后每排比前一排多{step}个，共{n}排。\n"
                "（1）最后一排有多少个座位？\n（2）一共有多少个座位？",
            ],
            [
                f"An arithmetic sequence has first term {first} and common difference {step}.\n"
                f"(1) Find term number {n}.\n(2) Find the sum of the first {n} terms.",
                f"The first row of a theatre has {first} seats and every further row {step} more than the one "
                f"before. There are {n} rows.\n(1) How many seats are in the last row?\n(2) How many seats are there?",
            ],
        ),
        (last, total),
        (
            d.tell(f"公差加了几次：{count:=}。", f"How often the difference is added: {count:=}."),
            d.tell(f"（1）末项：{last:=}。", f"(1) Last term: {last:=}."),
            d.tell(f"（2）和：{total:=}。", f"(2) Sum: {total:=}."),
        ),
    )
