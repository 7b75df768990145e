"""Word problems of whole numbers, fractions, units, ratios, percentages and averages (mathematics, grades 2 to 7)."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from eduflow.benchmarks.procedural.core import Draft, Draw, template
from eduflow.benchmarks.procedural.numbers import Num, num
from eduflow.benchmarks.procedural.words import goods, names, thing

ADD = ("整数加减法", "addition and subtraction of whole numbers")
MULTIPLY = ("整数乘除法", "multiplication and division of whole numbers")
TWO_STEP = ("两步应用题", "two-step word problems")


@template("gain_and_give", "math", 2, "blank", ADD, TWO_STEP)
def gain_and_give(d: Draw) -> Draft:
    (name,), (what, c) = names(d, 1), thing(d)
    a, b = d.whole("start", 12, 95), d.whole("gain", 6, 80)
    give = d.whole("give", 5, int(a + b) - 3)
    sum_ = a + b
    rest = sum_.n - give
    return Draft(
        d.say(
            [
                f"{name}有{a}{c}{what}，又买来{b}{c}，然后送给同学{give}{c}。{name}现在还有____{c}{what}。",
                f"盒子里原有{a}{c}{what}，{name}先放进{b}{c}，再拿出{give}{c}。盒子里现在有____{c}{what}。",
                f"{name}上周收集了{a}{c}{what}，这周又收集了{b}{c}，其中{give}{c}送人了。还剩____{c}{what}。",
            ],
            [
                f"{name} has {a} {what}, buys {b} more and then gives {give} to a classmate. "
                f"{name} now has ____ {what}.",
                f"There are {a} {what} in a box. {name} puts in {b} more and then takes out {give}. "
                f"The box now holds ____ {what}.",
                f"{name} collected {a} {what} last week and {b} this week, and gave {give} of them away. "
                f"____ {what} are left.",
            ],
        ),
        (rest,),
        (
            d.tell(f"先求增加后的数量：{sum_:=}。", f"First add what came in: {sum_:=}."),
            d.tell(f"再减去拿走的数量：{rest:=}。", f"Then subtract what went away: {rest:=}."),
        ),
    )


@template("groups_and_rest", "math", 3, "blank", MULTIPLY, TWO_STEP)
def groups_and_rest(d: Draw) -> Draft:
    (name,), (what, c) = names(d, 1), thing(d)
    boxes, each, rest = d.whole("boxes", 3, 19), d.whole("each", 4, 24), d.whole("rest", 2, 60)
    packed = boxes * each
    total = packed.n + rest
    return Draft(
        d.say(
            [
                f"{name}把{what}装进{boxes}个盒子，每盒{each}{c}，还多出{rest}{c}。一共有____{c}{what}。",
                f"商店有{boxes}箱{what}，每箱{each}{c}，柜台上另有{rest}{c}。商店一共有____{c}{what}。",
            ],
            [
                f"{name} packs {boxes} boxes with {each} {what} each, and {rest} {what} are left over. "
                f"There are ____ {what} in total.",
                f"A shop has {boxes} crates of {each} {what} each and {rest} more on the counter. "
                f"The shop has ____ {what} in total.",
            ],
        ),
        (total,),
        (
            d.tell(f"装好的数量：{packed:=}。", f"Number packed: {packed:=}."),
            d.tell(f"加上另外的{rest}{c}：{total:=}。", f"Add the other {rest}: {total:=}."),
        ),
    )


@template("change", "math", 3, "choice", MULTIPLY, ("人民币与购物", "money and shopping"))
def change(d: Draw) -> Draft:
    (name,), (one, many, c) = names(d, 1), goods(d)
    price, count = d.whole("price", 4, 48), d.whole("count", 2, 9)
    cost = price * count
    paid = d.whole("paid", (int(cost) // 50 + 1) * 50, (int(cost) // 50 + 4) * 50, 50)
    back = paid - cost.n
    return Draft(
        d.say(
            [
                f"每{c}{one}{price}元，{name}买了{count}{c}，付给收银员{paid}元，应找回多少元？",
                f"{name}带了{paid}元去买{count}{c}{one}，每{c}{price}元。买完后还剩多少元？",
            ],
            [
                f"{name} buys {count} {many} at {price} yuan each and pays with {paid} yuan. How much change is due?",
                f"{name} takes {paid} yuan to the shop and buys {count} {many} at {price} yuan each. "
                "How much money is left?",
            ],
        ),
        (back,),
        (
            d.tell(f"总价：{cost:=}（元）。", f"Total price: {cost:=} (yuan)."),
            d.tell(f"找回：{back:=}（元）。", f"What is left: {back:=} (yuan)."),
        ),
        (cost, paid - price, back + 10, back - 10, paid - (price + count)),
        d.tell("元", "yuan"),
    )


@template("share_equally", "math", 3, "blank", MULTIPLY, TWO_STEP)
def share_equally(d: Draw) -> Draft:
    (name,), (what, c) = names(d, 1), thing(d)
    friends, each, had = d.whole("friends", 3, 12), d.whole("each", 4, 25), d.whole("had", 3, 60)
    total = num(friends.value * each.value)
    share = total / friends
    now = share.n + had
    return Draft(
        d.say(
            [
                f"老师把{total}{c}{what}平均分给{friends}名同学，其中的{name}原来已有{had}{c}。"
                f"分完后，{name}一共有____{c}{what}。",
                f"{friends}个小组平分{total}{c}{what}。{name}所在的小组原来就有{had}{c}，现在这个小组共有____{c}{what}。",
            ],
            [
                f"A teacher shares {total} {what} equally among {friends} pupils. One of them, {name}, already had "
                f"{had}. Now {name} has ____ {what}.",
                f"{friends} groups share {total} {what} equally. {name}'s group already had {had}. "
                f"Now this group has ____ {what}.",
            ],
        ),
        (now,),
        (
            d.tell(f"每份：{share:=}。", f"Each share: {share:=}."),
            d.tell(f"加上原有的：{now:=}。", f"Add what was there before: {now:=}."),
        ),
    )


@template("reading_plan", "math", 4, "free", MULTIPLY, TWO_STEP)
def reading_plan(d: Draw) -> Draft:
    (name,) = names(d, 1)
    a, days = d.whole("pages", 12, 45), d.whole("days", 3, 9)
    b, later = d.whole("new_pages", 15, 60), d.whole("new_days", 2, 12)
    total = num(a.value * days.value + b.value * later.value)
    read = a * days
    rest = total - read.n
    need = rest.n / b
    return Draft(
        d.say(
            [
                f"{name}读一本{total}页的书，每天读{a}页，已经读了{days}天。\n"
                f"（1）已经读了多少页？\n（2）还剩多少页？\n（3）如果以后每天读{b}页，剩下的还要读多少天？",
                f"一条小路长{total}米，工程队每天修{a}米，修了{days}天。\n"
                f"（1）已经修了多少米？\n（2）还剩多少米？\n（3）如果以后每天修{b}米，剩下的还要修多少天？",
            ],
            [
                f"{name} reads a book of {total} pages and has read {a} pages a day for {days} days.\n"
                f"(1) How many pages has {name} read?\n(2) How many pages are left?\n"
                f"(3) At {b} pages a day, how many more days will the rest take?",
                f"A path is {total} metres long. A team has built {a} metres a day for {days} days.\n"
                "(1) How many metres are done?\n(2) How many metres are left?\n"
                f"(3) At {b} metres a day, how many more days will the rest take?",
            ],
        ),
        (read, rest, need),
        (
            d.tell(f"（1）已完成：{read:=}。", f"(1) Done so far: {read:=}."),
            d.tell(f"（2）剩余：{rest:=}。", f"(2) Left: {rest:=}."),
            d.tell(f"（3）还需天数：{need:=}。", f"(3) Days needed: {need:=}."),
        ),
    )


@template("order_of_operations", "math", 4, "choice", ("四则混合运算", "order of operations"))
def order_of_operations(d: Draw) -> Draft:
    a, b, c = d.whole("a", 8, 70), d.whole("b", 3, 15), d.whole("c", 3, 12)
    e = d.whole("d", 2, int(a + b.n * c) - 2)
    product = b * c
    middle = a + product.n
    value = middle.n - e
    whole = a + b * c - e
    return Draft(
        d.say(
            [f"计算：{whole:e} = ？", f"{whole:e} 的结果是多少？"],
            [f"Calculate {whole:e}.", f"What is the value of {whole:e}?"],
        ),
        (value,),
        (
            d.tell(f"先算乘法：{product:=}。", f"Multiply first: {product:=}."),
            d.tell(
                f"再从左到右：{middle:=}，{value:=}。", f"Then from left to right: {middle:=}, {value:=}."
            ),
        ),
        ((a + b) * c - e, a + b * (c - e), middle, value + 10),
    )


@template("round_up", "math", 4, "blank", ("有余数的除法", "division with remainder"))
def round_up(d: Draw) -> Draft:
    seats, full = d.whole("seats", 4, 48), d.whole("full", 3, 14)
    over = d.whole("over", 1, int(seats) - 1)
    people = num(full.value * seats.value + over.value)
    check, need = full * seats + over, full + 1
    return Draft(
        d.say(
            [
                f"{people}名师生去郊游，每辆车最多坐{seats}人，至少需要____辆车。",
                f"{people}个零件要装箱，每箱最多装{seats}个，至少需要____个箱子才能全部装完。",
                f"礼堂里要给{people}名观众摆长椅，每条长椅最多坐{seats}人，至少要摆____条长椅。",
            ],
            [
                f"{people} people go on a trip in vans that hold at most {seats} people each. "
                "At least ____ vans are needed.",
                f"{people} parts are packed into boxes that hold at most {seats} parts each. "
                "At least ____ boxes are needed to pack them all.",
                f"Benches for {people} visitors are put up in a hall; each bench seats at most {seats} people. "
                "At least ____ benches are needed.",
            ],
        ),
        (need,),
        (
            d.tell(
                f"{people}除以{seats}，商{full}余{over}：{check:=}。",
                f"{people} divided by {seats} is {full} with remainder {over}: {check:=}.",
            ),
            d.tell(f"余下的还要一个：{need:=}。", f"The rest needs one more: {need:=}."),
        ),
    )


@template("fraction_of", "math", 6, "blank", ("分数乘法", "multiplying by a fraction"))
def fraction_of(d: Draw) -> Draft:
    below = d.whole("below", 3, 12)
    above = num(d.choose("above", [k for k in range(2, int(below)) if gcd(k, int(below)) == 1]))
    unit = d.whole("unit", 5, 95)
    whole = num(below.value * unit.value)
    part = whole / below * above
    rest = whole - part.n
    return Draft(
        d.say(
            [
                f"学校有学生{whole}人，其中 {above}/{below} 参加了运动会，没有参加的有____人。",
                f"一桶油重{whole}千克，用去了它的 {above}/{below}，还剩____千克。",
                f"果园有果树{whole}棵，其中 {above}/{below} 是梨树，其余是桃树，桃树有____棵。",
            ],
            [
                f"A school has {whole} pupils; {above}/{below} of them took part in the sports day. "
                "____ pupils did not take part.",
                f"A barrel holds {whole} kg of oil, and {above}/{below} of it is used. ____ kg are left.",
                f"An orchard has {whole} trees; {above}/{below} of them are pear trees and the others are peach "
                "trees. There are ____ peach trees.",
            ],
        ),
        (rest,),
        (
            d.tell(f"{whole}的 {above}/{below}：{part:=}。", f"{above}/{below} of {whole}: {part:=}."),
            d.tell(f"其余部分：{rest:=}。", f"The rest: {rest:=}."),
        ),
    )


# (larger unit zh, en, smaller unit zh, en, factor)
UNITS = (
    ("千米", "km", "米", "m", 1000),
    ("米", "m", "厘米", "cm", 100),
    ("分米", "dm", "厘米", "cm", 10),
    ("千克", "kg", "克", "g", 1000),
    ("吨", "t", "千克", "kg", 1000),
    ("升", "L", "毫升", "mL", 1000),
    ("平方米", "m²", "平方分米", "dm²", 100),
    ("平方米", "m²", "平方厘米", "cm²", 10000),
    ("公顷", "ha", "平方米", "m²", 10000),
    ("立方米", "m³", "立方分米", "dm³", 1000),
)


@template("unit_conversion", "math", 5, "choice", ("单位换算", "converting units"))
def unit_conversion(d: Draw) -> Draft:
    large_zh, large_en, small_zh, small_en, factor = d.choose("unit", UNITS, lambda u: f"{u[1]} {u[3]}")
    value = d.tenth("value", 105, 9995, 100)
    large, small = d.tell(large_zh, large_en), d.tell(small_zh, small_en)
    up = d.choose("up", (True, False))
    if up:
        given, answer = value, value * factor
        source, target = large, small
        rule = d.tell(
            f"1{large} = {factor}{small}，大单位化小单位乘进率",
            f"1 {large} is {factor} {small}, so multiply by the rate",
        )
    else:
        given = num(value.value * factor)
        answer = given / factor
        source, target = small, large
        rule = d.tell(
            f"{factor}{small} = 1{large}，小单位化大单位除以进率",
            f"{factor} {small} are 1 {large}, so divide by the rate",
        )
    number = answer.n
    return Draft(
        d.say(
            [f"{given}{source}等于多少{target}？", f"把{given}{source}换算成以{target}为单位，结果是多少？"],
            [f"How many {target} are {given} {source}?", f"Convert {given} {source} to {target}."],
        ),
        (answer,),
        (f"{rule}{d.tell('：', ': ')}{answer:=}{d.tell('。', '.')}",),
        (number * 10, number / 10, number * 100, number / 100),
        target,
    )


@template("elapsed_time", "math", 3, "blank", ("时、分的计算", "hours and minutes"))
def elapsed_time(d: Draw) -> Draft:
    start_hour, start_minute = d.whole("start_hour", 6, 16), d.whole("start_minute", 1, 59)
    minutes = d.whole("minutes", 35, 330)
    end = int(start_hour) * 60 + int(start_minute) + int(minutes)
    end_hour, end_minute = num(end // 60), num(end % 60)
    first = start_hour * 60 + start_minute
    last = end_hour * 60 + end_minute
    gone = last.n - first.n
    start_text, end_text = (
        f"{int(h)}:{int(m):02d}" for h, m in ((start_hour, start_minute), (end_hour, end_minute))
    )
    return Draft(
        d.say(
            [
                f"一列火车{start_text}出发，当天{end_text}到达，路上用了____分钟。",
                f"一场活动从{start_text}开始，到当天{end_text}结束（24时计时法），一共持续____分钟。",
            ],
            [
                f"A train leaves at {start_text} and arrives at {end_text} on the same day (24-hour clock). "
                "The journey takes ____ minutes.",
                f"An event begins at {start_text} and ends at {end_text} on the same day (24-hour clock). "
                "It lasts ____ minutes.",
            ],
        ),
        (gone,),
        (
            d.tell(f"结束时刻从0时算起的分钟数：{last:=}。", f"The end in minutes after midnight: {last:=}."),
            d.tell(
                f"开始时刻从0时算起的分钟数：{first:=}。", f"The start in minutes after midnight: {first:=}."
            ),
            d.tell(f"经过的时间：{gone:=}（分钟）。", f"Time gone by: {gone:=} (minutes)."),
        ),
    )


@template("discount", "math", 6, "choice", ("百分数与折扣", "percentages and discounts"))
def discount(d: Draw) -> Draft:
    one, many, _ = goods(d)
    price, off = d.whole("price", 40, 1980, 20), d.whole("off", 5, 45, 5)
    coupon = d.whole("coupon", 2, 15)
    left = 100 - off
    sale = price * left.n / 100
    pay = sale.n - coupon
    return Draft(
        d.say(
            [
                f"一批{one}原价每箱{price}元，现在降价{off}%出售，结账时再减{coupon}元。买一箱实际要付多少元？",
                f"一家商店把每箱{price}元的{one}按原价的{left}%出售，用券再减{coupon}元。买一箱实际要付多少元？",
            ],
            [
                f"A crate of {many} costs {price} yuan. It is sold at {off}% off, and {coupon} yuan more are taken off "
                "at the till. How much is paid?",
                f"A shop sells crates of {many}, usually {price} yuan, at {left}% of the price; a voucher takes off "
                f"{coupon} yuan more. How much is paid for one crate?",
            ],
        ),
        (pay,),
        (
            d.tell(f"现价是原价的百分之几：{left:=}。", f"Per cent of the price that is left: {left:=}."),
            d.tell(f"降价后：{sale:=}（元）。", f"Price after the reduction: {sale:=} (yuan)."),
            d.tell(f"再减{coupon}元：{pay:=}（元）。", f"Take off {coupon} yuan: {pay:=} (yuan)."),
        ),
        (price * off / 100 - coupon, sale, price - off - coupon, sale + coupon),
        d.tell("元", "yuan"),
    )


RATIOS = [(a, b) for a in range(1, 12) for b in range(1, 12) if a != b and gcd(a, b) == 1]


@template("ratio_share", "math", 6, "free", ("按比例分配", "sharing in a ratio"))
def ratio_share(d: Draw) -> Draft:
    first, second = names(d, 2)
    a, b = (num(k) for k in d.choose("ratio", RATIOS, list))
    unit = d.whole("unit", 6, 60)
    total = num((a.value + b.value) * unit.value)
    parts = a + b
    one = total / parts.n
    x, y = one.n * a, one.n * b
    return Draft(
        d.say(
            [
                f"把{total}元奖金按 {a}:{b} 分给{first}和{second}。\n（1）{first}分得多少元？\n（2）{second}分得多少元？",
                f"{first}和{second}合种一块{total}平方米的菜地，面积之比为 {a}:{b}。\n"
                f"（1）{first}种了多少平方米？\n（2）{second}种了多少平方米？",
            ],
            [
                f"A prize of {total} yuan is shared between {first} and {second} in the ratio {a}:{b}.\n"
                f"(1) How many yuan does {first} get?\n(2) How many yuan does {second} get?",
                f"{first} and {second} plant a field of {total} square metres in the ratio {a}:{b}.\n"
                f"(1) How many square metres does {first} plant?\n(2) How many does {second} plant?",
            ],
        ),
        (x, y),
        (
            d.tell(f"总份数：{parts:=}。", f"Number of parts: {parts:=}."),
            d.tell(f"每份：{one:=}。", f"One part: {one:=}."),
            d.tell(f"（1）{first}：{x:=}。", f"(1) {first}: {x:=}."),
            d.tell(f"（2）{second}：{y:=}。", f"(2) {second}: {y:=}."),
        ),
    )


@template("average_missing", "math", 5, "blank", ("平均数", "averages"))
def average_missing(d: Draw) -> Draft:
    (name,) = names(d, 1)
    known = d.wholes("known", 3, 62, 99)
    low = -(-(sum(int(k) for k in known) + 60) // 4)
    high = (sum(int(k) for k in known) + 100) // 4
    mean = d.whole("mean", low, high)
    total, three = mean * 4, known[0] + known[1] + known[2]
    fourth = total.n - three.n
    a, b, c = known
    return Draft(
        d.say(
            [
                f"{name}前三次测验得了{a}分、{b}分和{c}分，四次测验的平均分是{mean}分，第四次得了____分。",
                f"四名同学跳绳，平均每人跳{mean}下，其中三人分别跳了{a}、{b}、{c}下，第四人{name}跳了____下。",
            ],
            [
                f"{name} scored {a}, {b} and {c} in three tests; the average of all four tests is {mean}. "
                "The score in the fourth test is ____.",
                f"Four pupils skip a rope, {mean} times each on average. Three of them skip {a}, {b} and {c} times. "
                f"The fourth, {name}, skips ____ times.",
            ],
        ),
        (fourth,),
        (
            d.tell(f"四个数的总和：{total:=}。", f"Sum of all four: {total:=}."),
            d.tell(f"已知三个数的和：{three:=}。", f"Sum of the three: {three:=}."),
            d.tell(f"第四个数：{fourth:=}。", f"The fourth: {fourth:=}."),
        ),
    )


@template("percent_change", "math", 7, "choice", ("百分数的应用", "percentage change"))
def percent_change(d: Draw) -> Draft:
    base = d.whole("base", 100, 3000, 20)
    percent = d.whole("percent", 5, 80, 5)
    up = d.choose("up", (True, False))
    amount = num(base.value * percent.value / 100)
    now = num(base.value + (amount.value if up else -amount.value))
    gap = now - base if up else base - now
    rate = gap.n / base * 100
    to_new = Num(Fraction(round(1000 * amount.value / now.value), 10))
    word = d.tell("增加" if up else "减少", "increase" if up else "decrease")
    moved = d.tell("增加到" if up else "减少到", "rises" if up else "falls")
    return Draft(
        d.say(
            [
                f"某图书馆上月借出图书{base}册，本月{moved}{now}册，{word}了百分之几？",
                f"某厂去年用水{base}吨，今年{moved}{now}吨，用水量{word}了百分之几？",
            ],
            [
                f"A library lent {base} books last month. The number {moved} to {now} this month. "
                f"What is the percentage {word}?",
                f"A factory used {base} tonnes of water last year. The amount {moved} to {now} tonnes this year. "
                f"What is the percentage {word}?",
            ],
        ),
        (rate,),
        (
            d.tell(f"{word}的量：{gap:=}。", f"Amount of the {word}: {gap:=}."),
            d.tell(
                f"与原来的量相比：{rate:=}，即{rate}%。",
                f"Compared with the amount before: {rate:=}, so {rate}%.",
            ),
        ),
        (to_new, 100 - rate.n, num(100 * now.value / base.value), rate.n * 2),
        "%",
    )
