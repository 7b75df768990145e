"""Whether two expressions are equal.

Rational numbers are compared exactly, as fractions; never with a tolerance. Rational expressions in names, π and e are compared exactly
at two integer points of fifty bits, which settles identity up to a chance of about 2⁻⁹⁰ (Schwartz and Zippel). Everything else, roots, powers,
logarithms and trigonometric functions, is evaluated at several rational points to 300 digits and more, as real numbers: a point
outside the domain of both sides says nothing, a point outside the domain of one side says that they differ. The points come from
a hash of both expressions, so nobody can aim at them.

Every number stays below a limit of bits and every argument below a limit of size; what goes beyond is a `Limit`, never a guess. Only
`mpmath.libmp` is used, whose functions take their precision as an argument: no context, so threads don't meet.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from eduflow.grade.parse import Node, is_constant

MAX_BITS = 24_000
MAX_FACTORIAL = 300
MAX_POWER = 4_000
# The largest |log2| of a number on the way; precision grows with it.
MAX_MAGNITUDE = 4_000
_LOW, _HIGH = 200, 1_100
_TRIALS, _WANTED, _PRECISE = 18, 5, 2
_CONSTANT_BITS = 24_000
# Parts times bits of one evaluation.
MAX_WORK = 600_000


class Limit(Exception):
    """The expression is larger than what is evaluated."""


class Undefined(Exception):
    """No real value: a root of a negative number, a logarithm of zero, a division by zero."""


def exact(node: Node) -> Fraction | None:
    """The value of an expression that is a rational number by arithmetic alone; None for any other.

    Raises:
        Limit: a number on the way grows too large.
        Undefined: a division by zero.
    """
    op, args = node.op, node.args
    if op == "num":
        assert isinstance(node.value, Fraction)
        return node.value
    if op in ("sym", "const", "apply", "inf", "pm", "degree"):
        return None
    if op == "pow":
        return _exact_power(node)
    values: list[Fraction] = []
    for arg in args:
        value = exact(arg)
        if value is None:
            return None
        values.append(value)
    if op == "neg":
        return -values[0]
    if op == "add":
        return _bounded(sum(values, Fraction(0)))
    if op == "mul":
        product = Fraction(1)
        for value in values:
            product = _bounded(product * value)
        return product
    if op == "div":
        if values[1] == 0:
            raise Undefined
        return _bounded(values[0] / values[1])
    if op == "abs":
        return abs(values[0])
    if op == "percent":
        return values[0] / 100
    if op == "fact":
        if values[0].denominator != 1 or not values[0] >= 0:
            raise Undefined
        if values[0] > MAX_FACTORIAL:
            raise Limit
        return Fraction(math.factorial(int(values[0])))
    if op == "root":
        return _exact_root(values[0], values[1])
    return None


_Number = TypeVar("_Number", int, Fraction, int | Fraction)


def _bounded(value: _Number) -> _Number:
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise Limit
    return value


def _exact_power(node: Node) -> Fraction | None:
    exponent = exact(node.args[1])
    base = exact(node.args[0])
    if base is None or exponent is None or exponent.denominator != 1:
        return None
    return _power(base, exponent)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if base in (0, 1, -1):
        if base == 0 and exponent <= 0:
            raise Undefined
        return base ** (int(exponent) if base != -1 else int(exponent % 2))
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * bits > MAX_BITS:
        raise Limit
    return base ** int(exponent)


def _exact_root(radicand: Fraction, index: Fraction) -> Fraction | None:
    if index.denominator != 1 or not 2 <= index <= 60:
        return None
    n = int(index)
    sign = 1
    if radicand < 0:
        if n % 2 == 0:
            raise Undefined
        sign, radicand = -1, -radicand
    top, bottom = _integer_root(radicand.numerator, n), _integer_root(radicand.denominator, n)
    return None if top is None or bottom is None else sign * Fraction(top, bottom)


def _integer_root(value: int, n: int) -> int | None:
    if n == 2:
        root = math.isqrt(value)
        return root if root * root == value else None
    if value.bit_length() > 4_000:
        return None
    low, high = 0, 1 << (value.bit_length() // n + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**n < value:
            low = middle + 1
        else:
            high = middle
    return low if low**n == value else None


def names(node: Node) -> frozenset[str]:
    """The names in an expression."""
    if node.op in ("sym", "apply"):
        assert isinstance(node.value, str)
        return frozenset((node.value,))
    found: frozenset[str] = frozenset()
    for arg in node.args:
        found |= names(arg)
    return found


def size(node: Node) -> int:
    """How many parts an expression has."""
    return 1 + sum(size(arg) for arg in node.args)


_RATIONAL = frozenset(("num", "sym", "apply", "const", "add", "mul", "div", "neg", "percent"))


def is_rational(node: Node) -> bool:
    """Whether an expression is a quotient of polynomials, which is compared at points of whole numbers."""
    if node.op == "pow":
        exponent = node.args[1]
        if exponent.op == "neg":
            exponent = exponent.args[0]
        return (
            exponent.op == "num"
            and isinstance(exponent.value, Fraction)
            and exponent.value.denominator == 1
            and exponent.value <= 60
            and is_rational(node.args[0])
        )
    return node.op in _RATIONAL and all(is_rational(arg) for arg in node.args)


def same(one: Node, two: Node) -> bool:
    """Whether two expressions are equal, as numbers or identically in their names.

    Raises:
        Limit: one of them is larger than what is evaluated.
        Undefined: one of them is constant and has no real value.
    """
    if _is_infinite(one) or _is_infinite(two):
        return one == two
    if one == two:
        return not _is_undefined(one)
    first, second = exact(one), exact(two)
    if first is not None or second is not None:
        if first is not None and second is not None:
            return first == second
        # A number is not an expression in names; with a root or a π it may still be one.
        if not (is_constant(one) and is_constant(two)):
            return False
    if names(one) != names(two):
        return False
    if is_rational(one) and is_rational(two):
        return all(_at(one, point) == _at(two, point) for point in _integer_points(one, two))
    return _same_numerically(one, two)


def proportional(one: Node, two: Node) -> bool:
    """Whether two rational expressions differ by a constant factor other than zero.

    Raises:
        Limit: one of them is larger than what is evaluated, or not rational.
    """
    if names(one) != names(two):
        return False
    if not (is_rational(one) and is_rational(two)):
        raise Limit
    ratio: Fraction | None = None
    for point in _integer_points(one, two):
        first, second = _at(one, point), _at(two, point)
        if first == 0 or second == 0:
            return False
        quotient = Fraction(first) / second
        if ratio is not None and quotient != ratio:
            return False
        ratio = quotient
    return True


def _is_infinite(node: Node) -> bool:
    return node.op == "inf" or (node.op == "neg" and node.args[0].op == "inf")


def _is_undefined(node: Node) -> bool:
    if not is_constant(node):
        return False
    try:
        if exact(node) is None:
            _real(node, {}, _LOW, [0])
    except (Limit, Undefined):
        return True
    return False


# --- points


def _seed(one: Node, two: Node) -> bytes:
    # Sorted, so that both orders are tried at the same points.
    texts = sorted((_spell(one), _spell(two)))
    return hashlib.blake2b("\0".join(texts).encode("utf-8", "surrogatepass")).digest()


def _spell(node: Node) -> str:
    inside = ",".join(_spell(arg) for arg in node.args)
    value = node.value
    if isinstance(value, Fraction):
        # Hexadecimal has no limit on digits.
        value = f"{value.numerator:x}/{value.denominator:x}"
    return f"{node.op}:{value}({inside})"


def _integers(seed: bytes, name: str, trial: int) -> int:
    digest = hashlib.blake2b(
        f"{name}:{trial}".encode("utf-8", "surrogatepass"), key=seed, digest_size=8
    ).digest()
    return int.from_bytes(digest, "big")


def _integer_points(one: Node, two: Node) -> Iterator[dict[str, int]]:
    seed = _seed(one, two)
    every = [*sorted(names(one) | names(two)), "π", "e"]
    for trial in range(2):
        # Fifty bits and more, one point positive and one negative.
        yield {name: ((_integers(seed, name, trial) >> 10) + 3) * (-1 if trial else 1) for name in every}


def _at(node: Node, point: Mapping[str, int]) -> int | Fraction:
    """A rational expression at a point of whole numbers. A pole cannot be met but by chance; then it is a Limit."""
    op = node.op
    if op == "num":
        assert isinstance(node.value, Fraction)
        return node.value.numerator if node.value.denominator == 1 else node.value
    if op in ("sym", "apply", "const"):
        assert isinstance(node.value, str)
        return point[node.value]
    if op == "pow":
        base = Fraction(_at(node.args[0], point))
        exponent = exact(node.args[1])
        assert exponent is not None
        if base == 0 and exponent <= 0:
            raise Limit
        return _power(base, exponent)
    values = [_at(arg, point) for arg in node.args]
    if op == "add":
        return _bounded(sum(values))
    if op == "mul":
        product: int | Fraction = 1
        for value in values:
            product = _bounded(product * value)
        return product
    if op == "neg":
        return -values[0]
    if op == "percent":
        return Fraction(values[0]) / 100
    if values[1] == 0:
        raise Limit
    return _bounded(Fraction(values[0]) / values[1])


# --- real numbers to many digits

_lib: Any = None
_lock = threading.Lock()


def _mp() -> Any:
    """mpmath's functions, loaded at first use, with its constants computed once to more digits than will be asked for.

    mpmath keeps the digits of a constant in two variables that it sets one after the other; a thread that asks for more digits
    while another one reads would hand it a wrong number. Nobody asks for more than is computed here.
    """
    global _lib
    if _lib is None:
        with _lock:
            if _lib is None:
                from mpmath import libmp

                for constant in (libmp.pi_fixed, libmp.ln2_fixed, libmp.ln10_fixed, libmp.e_fixed):
                    constant(_CONSTANT_BITS)
                _lib = libmp
    return _lib


def _same_numerically(one: Node, two: Node) -> bool:
    every = sorted(names(one))
    if not every:
        seen = [0]
        first, second = _real(one, {}, _LOW, seen), _real(two, {}, _LOW, seen)
        return _close(_mp(), first, second, _LOW - 60) and _agree(one, two, {}, seen)
    seed = _seed(one, two)
    agreed = undefined = 0
    for trial in range(_TRIALS):
        point = {name: _rational(_integers(seed, name, trial), trial) for name in every}
        # The first points are looked at with all digits, which finds what differs by a hair everywhere.
        verdict = _verdict(one, two, point, precise=agreed < _PRECISE)
        if verdict is False:
            return False
        if verdict is None:
            undefined += 1
        else:
            agreed += 1
            if agreed >= _WANTED:
                return True
    if agreed == 0 and undefined == _TRIALS:
        # (-1)^n has a value at whole numbers alone.
        for trial in range(_TRIALS, _TRIALS + 8):
            point = {name: Fraction(_integers(seed, name, trial) % 40 + 1) for name in every}
            if not _verdict(one, two, point, precise=True):
                return False
        return True
    return agreed >= 3


def _rational(raw: int, trial: int) -> Fraction:
    """A point of the trial's scale: around 1, below 1, negative, large."""
    part = Fraction(raw % 9_973 + 1, 9_973)
    scale = (3, 1, 3, 20, 1, 1000)[trial % 6]
    sign = -1 if (trial % 3 == 2 or (trial >= 6 and (raw >> 40) % 2)) else 1
    return sign * part * scale


def _verdict(one: Node, two: Node, point: Mapping[str, Fraction], *, precise: bool) -> bool | None:
    """Whether both agree at a point; None where neither has a value there, False where only one has."""
    seen = [0]
    values = []
    for node in (one, two):
        try:
            values.append(_real(node, point, _LOW, seen))
        except Undefined:
            values.append(None)
    first, second = values
    if first is None or second is None:
        return None if first is second else False
    if not _close(_mp(), first, second, _LOW - 60):
        return False
    return not precise or _agree(one, two, point, seen)


def _agree(one: Node, two: Node, point: Mapping[str, Fraction], seen: list[int]) -> bool:
    """Whether both agree to all digits; more digits, the larger and smaller the numbers on the way were."""
    precision = _HIGH + 4 * seen[0]
    if (size(one) + size(two)) * precision > MAX_WORK:
        raise Limit
    first, second = _real(one, point, precision, seen), _real(two, point, precision, seen)
    return _close(_mp(), first, second, precision - 200)


def _close(lib: Any, one: Any, two: Any, bits: int) -> bool:
    if one == two:
        return True
    difference = lib.mpf_abs(lib.mpf_sub(one, two, 64, "n"))
    larger = lib.mpf_abs(one) if lib.mpf_gt(lib.mpf_abs(one), lib.mpf_abs(two)) else lib.mpf_abs(two)
    return bool(lib.mpf_le(difference, lib.mpf_shift(larger, -bits)))


def _magnitude(value: Any) -> int:
    return int(value[2] + value[3]) if value[1] else 0


def _real(node: Node, point: Mapping[str, Fraction], precision: int, seen: list[int]) -> Any:
    """The real value, `precision` bits; the largest magnitude met is noted in `seen`.

    Raises:
        Undefined: there is none.
        Limit: a number on the way is too large, too small or too long.
    """
    value = _evaluate(node, point, precision, seen)
    magnitude = abs(_magnitude(value))
    if magnitude > MAX_MAGNITUDE:
        raise Limit
    if magnitude > seen[0]:
        seen[0] = magnitude
    return value


def _evaluate(node: Node, point: Mapping[str, Fraction], precision: int, seen: list[int]) -> Any:
    lib = _mp()
    op = node.op
    if op == "num":
        assert isinstance(node.value, Fraction)
        return _from(lib, node.value, precision)
    if op in ("sym", "apply"):
        assert isinstance(node.value, str)
        return _from(lib, point[node.value], precision)
    if op == "const":
        return lib.mpf_pi(precision, "n") if node.value == "π" else lib.mpf_e(precision, "n")
    if op == "pow":
        return _real_power(lib, node, point, precision, seen)
    if op in ("inf", "pm"):
        raise Undefined
    values = [_real(arg, point, precision, seen) for arg in node.args]
    if op == "add":
        total = values[0]
        largest = _magnitude(values[0]) if values[0][1] else -MAX_MAGNITUDE
        for value in values[1:]:
            total = lib.mpf_add(total, value, precision, "n")
            if value[1]:
                largest = max(largest, _magnitude(value))
        # What is left after cancelling all but the last bits is zero.
        if total[1] and _magnitude(total) < largest - precision + 80:
            return lib.fzero
        return total
    if op == "mul":
        product = values[0]
        for value in values[1:]:
            product = lib.mpf_mul(product, value, precision, "n")
        return product
    if op == "neg":
        return lib.mpf_neg(values[0])
    if op == "abs":
        return lib.mpf_abs(values[0])
    if op == "div":
        if not values[1][1]:
            raise Undefined
        return lib.mpf_div(values[0], values[1], precision, "n")
    if op == "percent":
        return lib.mpf_div(values[0], lib.from_int(100), precision, "n")
    if op == "degree":
        return lib.mpf_div(
            lib.mpf_mul(values[0], lib.mpf_pi(precision, "n"), precision, "n"),
            lib.from_int(180),
            precision,
            "n",
        )
    if op == "root":
        return _real_root(lib, values[0], node.args[1], precision)
    if op == "fact":
        whole = exact(node)
        if whole is None:
            raise Limit
        return _from(lib, whole, precision)
    if op == "log":
        return lib.mpf_div(
            _logarithm(lib, values[0], precision),
            _logarithm(lib, values[1], precision, base=True),
            precision,
            "n",
        )
    return _function(lib, op, values[0], precision)


def _from(lib: Any, value: Fraction, precision: int) -> Any:
    return lib.from_rational(value.numerator, value.denominator, precision, "n")


def _is_negative(value: Any) -> bool:
    return bool(value[0])


def _logarithm(lib: Any, value: Any, precision: int, base: bool = False) -> Any:
    if not value[1] or _is_negative(value) or (base and value == lib.fone):
        raise Undefined
    result = lib.mpf_log(value, precision + 40, "n")
    # A value within rounding of 1 has a logarithm that is rounding alone.
    return lib.fzero if result[1] and _magnitude(result) < -precision + 80 else result


def _real_root(lib: Any, value: Any, index: Node, precision: int) -> Any:
    n = exact(index)
    if n is None or n.denominator != 1 or not 2 <= n <= 60:
        raise Limit
    degree = int(n)
    if not value[1]:
        return value
    if _is_negative(value):
        if degree % 2 == 0:
            raise Undefined
        return lib.mpf_neg(lib.mpf_nthroot(lib.mpf_neg(value), degree, precision, "n"))
    if degree == 2:
        return lib.mpf_sqrt(value, precision, "n")
    return lib.mpf_nthroot(value, degree, precision, "n")


def _real_power(lib: Any, node: Node, point: Mapping[str, Fraction], precision: int, seen: list[int]) -> Any:
    base = _real(node.args[0], point, precision, seen)
    exponent = _substituted(node.args[1], point)
    if exponent is not None and exponent.denominator == 1:
        if abs(exponent) > MAX_POWER:
            raise Limit
        if not base[1]:
            if exponent <= 0:
                raise Undefined
            return base
        if abs(_magnitude(base) * exponent) > 2 * MAX_MAGNITUDE:
            raise Limit
        return lib.mpf_pow_int(base, int(exponent), precision, "n")
    power = _real(node.args[1], point, precision, seen)
    if not base[1]:
        if not power[1] or _is_negative(power):
            raise Undefined
        return base
    if _is_negative(base):
        raise Undefined
    size = _magnitude(power) if power[1] else 0
    if size > 13 or (size > 0 and abs(_magnitude(base)) << size > 4 * MAX_MAGNITUDE):
        raise Limit
    return lib.mpf_pow(base, power, precision, "n")


def _substituted(node: Node, point: Mapping[str, Fraction]) -> Fraction | None:
    """The exponent at the point, where it is a rational number there."""
    if is_constant(node):
        return exact(node)
    if not is_rational(node) or _has_constant(node):
        return None
    return _exact_at(node, point)


def _exact_at(node: Node, point: Mapping[str, Fraction]) -> Fraction | None:
    """The exact value of an exponent in names at a point of fractions."""
    if node.op in ("sym", "apply"):
        assert isinstance(node.value, str)
        return point[node.value]
    return exact(Node(node.op, tuple(_number_at(arg, point) for arg in node.args), node.value))


def _number_at(node: Node, point: Mapping[str, Fraction]) -> Node:
    value = _exact_at(node, point)
    return node if value is None else Node("num", (), value)


def _has_constant(node: Node) -> bool:
    return node.op == "const" or any(_has_constant(arg) for arg in node.args)


def _function(lib: Any, name: str, value: Any, precision: int) -> Any:
    if value[1] and _magnitude(value) > 100:
        raise Limit
    if name in ("sin", "cos", "tan", "cot", "sec", "csc"):
        cosine, sine = lib.mpf_cos_sin(value, precision + 40, "n")
        sine, cosine = (_clipped(lib, part, precision) for part in (sine, cosine))
        if name == "sin":
            return sine
        if name == "cos":
            return cosine
        top, bottom = {
            "tan": (sine, cosine), "cot": (cosine, sine), "sec": (lib.fone, cosine), "csc": (lib.fone, sine),
        }[name]  # fmt: skip
        if not bottom[1]:
            raise Undefined
        return lib.mpf_div(top, bottom, precision, "n")
    if name in ("arcsin", "arccos"):
        if lib.mpf_gt(lib.mpf_abs(value), lib.fone):
            raise Undefined
        function = lib.mpf_asin if name == "arcsin" else lib.mpf_acos
        return function(value, precision, "n")
    if name == "arctan":
        return lib.mpf_atan(value, precision, "n")
    if name in ("sinh", "cosh", "tanh"):
        if value[1] and _magnitude(value) > 10:
            raise Limit
        return {"sinh": lib.mpf_sinh, "cosh": lib.mpf_cosh, "tanh": lib.mpf_tanh}[name](value, precision, "n")
    raise Limit


def _clipped(lib: Any, value: Any, precision: int) -> Any:
    """sin π is zero, not a rounding error."""
    return lib.fzero if value[1] and _magnitude(value) < -precision + 80 else value
