r"""Characters and tokens: what of an answer's text is only a way of writing.

`fold` maps characters by the table `CHARACTERS`, which is short and explicit on purpose: Unicode's NFKC would turn cm² into
cm2 and ① into 1. Case is kept. `clean` takes off what surrounds an answer (dollar signs, bold marks, a closing full stop).
`tokens` reads LaTeX and plain notation into one stream: `\dfrac` and `\frac`, `\leqslant` and ≤, `\text{cm}` and cm,
`x^{2}` and x² give the same tokens. All of it is one pass over the text, so its cost is linear in the length.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

# Longer texts are compared as text only; no school answer is a formula of this length.
MAX_CHARS = 2_000
MAX_TOKENS = 700
# Beyond this, not even as text.
MAX_TEXT = 20_000


def _character_map() -> dict[int, str | None]:
    table: dict[int, str | None] = {
        code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)
    }  # fullwidth ASCII
    rows: dict[str, str] = {
        # spaces that are only wide or narrow
        " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\r",
        "-": "\u2212\u2010\u2011\u2012\u2013\ufe63\u02d7",
        "'": "\u2018\u2019\u02bc\uff07",
        '"': "\u201c\u201d\uff02",
        "′": "\u2032\u02b9\u00b4",
        "″": "\u2033\u02ba\u3003",
        "°": "\u00ba\u02da\u2218",
        "·": "\u22c5\u2219\u2022\u30fb\u2027\u00b7",
        "×": "\u2715\u2a2f",
        "/": "\u2215\u2044",
        ":": "\u2236\ufe55",
        "≤": "\u2266\u2a7d",
        "≥": "\u2267\u2a7e",
        "<": "\ufe64",
        ">": "\ufe65",
        "∅": "\u2300\u29b0\u00d8",
        "μ": "\u00b5",
        "Ω": "\u2126",
        "Å": "\u212b",
        "K": "\u212a",
        "△": "\u25b3\u2206",
        "√": "\u221a",
        "ϕ": "\u03d5",
        "∥": "\u2225\u2016",
        "|": "\u2223",
        "【": "\u3010",
        "…": "\u22ef\u2026",
        ",": "\ufe50",
        ";": "\ufe54",
        "。": "\uff61",
    }
    for to, sources in rows.items():
        for source in sources:
            table[ord(source)] = to
    for invisible in "\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\ufeff\u00ad\ufe0e\ufe0f":
        table[ord(invisible)] = None
    return table


CHARACTERS = _character_map()


def fold(text: str) -> str:
    """`text` with the characters of `CHARACTERS` replaced; nothing else changes."""
    return text.translate(CHARACTERS)


_GAP = re.compile(r"\$\$?\s+\$\$?")
_EDGE = " \n.。,;:、"
_PAIRS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"), ("__", "__"), ("`", "`"))

_MARKS = frozenset("$\\*_`")
_WRAPPERS = ("\\boxed{", "\\fbox{", "\\text{", "\\textbf{", "\\mathrm{", "\\mathbf{", "\\displaystyle{")

# Golds and answers come again and again; only short ones are remembered, so that what is remembered stays small.
CACHED_CHARS = 160


def clean(text: str) -> str:
    r"""What stands in an answer, without what stands around it.

    Off come: spaces, closing stops and commas, `$…$`, `\(…\)`, `\[…\]`, bold and code marks, and a `\boxed{}` or `\text{}`
    around the whole. A gap between two formulas, `$$7$$ $$11$$`, stays as a gap: `7\quad11`.
    """
    return _clean_cached(text) if len(text) <= CACHED_CHARS else _clean(text)


def _clean(text: str) -> str:
    if text.isascii() and text.isalnum():
        return text
    text = fold(text)
    for _ in range(12):
        before = text
        text = text.strip(" \n").lstrip("。,;:、")
        stripped = text.rstrip(_EDGE)
        if text[len(stripped) :].startswith(".."):
            stripped = text  # "0.333..." goes on
        # "A." loses its stop, "\left." and "…" do not.
        if not stripped.endswith(("\\right", "\\left", "\\")):
            text = stripped
        for opening, closing in _PAIRS if text[:1] in _MARKS else ():
            inside = text[len(opening) : -len(closing)]
            if (
                len(text) > len(opening) + len(closing)
                and text.startswith(opening)
                and text.endswith(closing)
                and opening not in inside
                and (closing not in inside)
            ):
                text = inside
                break
        for wrapper in _WRAPPERS if text[:1] == "\\" else ():
            if text.startswith(wrapper) and _closes(text, len(wrapper) - 1) == len(text) - 1:
                text = text[len(wrapper) : -1]
        if text == before:
            break
    if "$" in text:
        text = _GAP.sub("\\\\quad ", text.replace("\\$", "\0"))
        text = text.replace("$", "").replace("\0", "\\$")
    if "\\(" in text or "\\[" in text:
        text = text.replace("\\(", " ").replace("\\)", " ").replace("\\[", " ").replace("\\]", " ")
    return text.strip()


_clean_cached = lru_cache(maxsize=8192)(_clean)


def _closes(text: str, start: int) -> int:
    """Where the brace at `start` is closed; -1 where it is not."""
    depth = 0
    i = start
    while i < len(text):
        character = text[i]
        if character == "\\":
            i += 2
            continue
        if character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return i
        i += 1
    return -1


class Token(NamedTuple):
    """One token.

    `kind`: num, run (letters), sym (Greek and other one-letter symbols), func, op, rel, open, close, sep, cmd (`\\frac`, `\\sqrt`,
    accents), cjk, gap (a wide space), other. `space` says that white space stands before it, `roman` that it is set upright, as
    units and words are, `group` that it stood alone in braces: `\\frac{12}{5}` is not `\\frac125`.
    """

    kind: str
    text: str
    space: bool = False
    roman: bool = False
    group: bool = False


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTIONS = _names(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln lg log exp max min"
)  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "vartheta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
    "rho": "ρ", "varrho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ", "chi": "χ",
    "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π",
    "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ohm": "Ω", "ell": "ℓ", "infty": "∞", "partial": "∂",
}  # fmt: skip
_RELATIONS = {
    "le": "≤", "leq": "≤", "leqslant": "≤", "leqq": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "geqq": "≥",
    "lt": "<", "gt": ">", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "backsim": "∼", "cong": "≅",
    "parallel": "∥", "perp": "⊥", "bot": "⊥", "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "supset": "⊃",
    "supseteq": "⊇", "propto": "∝", "mid": "|", "to": "→", "rightarrow": "→", "longrightarrow": "→",
    "Rightarrow": "⇒", "Leftrightarrow": "⇔", "leftarrow": "←", "rightleftharpoons": "⇌", "xlongequal": "xlongequal",
    "xrightarrow": "xrightarrow", "overset": "overset", "underset": "underset", "xlongrightarrow": "xrightarrow",
    "xleftrightarrow": "xleftrightarrow", "uparrow": "↑", "downarrow": "↓",
}  # fmt: skip
_OPERATORS = {
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "cup": "∪", "cap": "∩", "setminus": "∖", "ast": "×",
    "angle": "∠", "measuredangle": "∠", "triangle": "△", "vartriangle": "△", "bigtriangleup": "△", "odot": "⊙",
    "emptyset": "∅", "varnothing": "∅", "degree": "°", "circ": "°", "prime": "′", "because": "∵", "therefore": "∴",
    "cdots": "…", "ldots": "…", "dots": "…", "dotsc": "…", "lor": "∨", "vee": "∨", "land": "∧", "wedge": "∧",
    "surd": "√", "star": "⋆", "complement": "∁", "forall": "∀", "exists": "∃", "neg": "¬", "square": "□", "Box": "□",
    "checkmark": "√", "textcelsius": "℃", "celsius": "℃", "bullet": "·", "ohm": "Ω", "percent": "%",
}  # fmt: skip
_SPACES = _names("quad qquad thinspace enspace hspace space nobreak negthinspace")
_DROPPED = _names("left right displaystyle textstyle limits nolimits big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr middle "
    "protect bf it sf tt normalsize large Large small mathop operatorname")  # fmt: skip
_ROMAN = _names("text mathrm textrm mbox hbox unit si textup mathsf textsf rm textnormal textit")
_PLAIN = _names("mathit mathbf textbf mathbb mathcal number num boxed fbox ensuremath mathfrak bf color")
_FRACTIONS = _names("frac dfrac tfrac cfrac")
_ACCENTS = {
    "vec": "vec", "overrightarrow": "vec", "boldsymbol": "vec", "bm": "vec", "hat": "hat", "widehat": "hat", "bar": "bar",
    "overline": "bar", "dot": "dot", "tilde": "tilde", "overset{\\frown}": "arc", "overparen": "arc", "wideparen": "arc",
}  # fmt: skip
_QUANTITIES = _names("quantity qty SI")
_SUPER = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
_SUB = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₙ", "0123456789+-n", strict=True))
_VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
           "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8)}  # fmt: skip
_CHARS = {
    **dict.fromkeys("+-×·÷/*±∓^_!%‰°′″'∪∩∖∠△⊙∅…∨∧√∁∀∃¬□℃?&", "op"),
    **dict.fromkeys("=<>≤≥≠≈≡∼≅∥⊥∈∉⊂⊆⊃⊇∝→⇒⇔←⇌↑↓:", "rel"),
    **dict.fromkeys("([{", "open"),
    **dict.fromkeys(")]}", "close"),
    **dict.fromkeys(",;、。\n", "sep"),
    "|": "bar",
    "∞": "sym",
}
_ARROWS = {"<=>": "⇌", "<->": "⇌", "<=": "≤", ">=": "≥", "!=": "≠"}
_SCAN = re.compile(
    r"(?P<cmd>\\[A-Za-z]+)|(?P<esc>\\.)|(?P<num>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)|(?P<run>[A-Za-z]+)"
    r"|(?P<cjk>[\u3400-\u9fff]+)|(?P<sup>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+)|(?P<sub>[₀₁₂₃₄₅₆₇₈₉₊₋ₙ]+)"
    r"|(?P<arrow>-+>|<=>|<->|<=|>=|!=|={2,})|(?P<space>[ ~]+)|(?P<one>.)",
    re.DOTALL,
)


def tokens(text: str) -> tuple[Token, ...] | None:
    r"""The tokens of a cleaned text; None where it is too long to be a formula.

    Wrappers of style (`\text{}`, `\mathrm{}`, `\number{}`, `\quantity{}{}`, `\left`) leave no token; `\text` and its like mark what
    is in them as upright. Braces stay where they group.
    """
    if len(text) > MAX_CHARS:
        return None
    return _tokens_cached(text) if len(text) <= CACHED_CHARS else _tokens(text)


def _tokens(text: str) -> tuple[Token, ...] | None:
    out: list[Token] = []
    # One entry for each open brace: whether it belongs to a wrapper (and leaves no token), and whether it is upright.
    stack: list[tuple[bool, bool, list[bool]]] = []
    pending: list[bool] = []  # wrappers waiting for their brace, the next one last: upright or not
    roman = False
    space = False
    dropped_delimiter = False

    def emit(kind: str, value: str) -> None:
        nonlocal space, dropped_delimiter, pending
        upright = roman
        if pending:
            upright = upright or pending[-1]
            pending = []
        out.append(Token(kind, value, space, upright))
        space = False
        dropped_delimiter = False

    for match in _SCAN.finditer(text):
        group = match.lastgroup
        value = match.group()
        if group == "space":
            if value[0] == "~" and (match.start() == 0 or (out and out[-1].kind == "rel")):
                emit("other", "~")  # "about", where there is nothing to tie
            space = True
        elif group == "num" or group == "run":
            if group == "run" and value in FUNCTIONS:
                emit("func", value)
            elif group == "run" and value == "pi":
                emit("sym", "π")
            elif group == "run" and len(value) > 1 and out and (cut := _script_end(out[-1].text, value)):
                emit("run", value[:cut])
                emit("run", value[cut:])
            else:
                emit(group, value)
        elif group == "cmd":
            name = value[1:]
            if name in _FRACTIONS:
                emit("cmd", "frac")
            elif name in ("sqrt",):
                emit("cmd", "sqrt")
            elif name in FUNCTIONS:
                emit("func", name)
            elif name in _GREEK:
                emit("sym", _GREEK[name])
            elif name in _OPERATORS:
                emit("op", _OPERATORS[name])
            elif name in _RELATIONS:
                emit("rel", _RELATIONS[name])
            elif name in _SPACES:
                if name in ("quad", "qquad"):
                    emit("gap", " ")
                space = True
            elif name in _DROPPED:
                dropped_delimiter = name in ("left", "right")
            elif name in _ROMAN or name in _PLAIN:
                if name in ("rm", "bf") and not text.startswith("{", match.end()):
                    roman = roman or name == "rm"
                else:
                    pending.append(name in _ROMAN)
            elif name in _QUANTITIES:
                pending.extend((True, False))  # the number's brace first, then the unit's
            elif name in _ACCENTS:
                emit("accent", _ACCENTS[name])
            elif name == "ce":
                pending.append(True)
            elif name in ("lvert", "rvert", "vert"):
                emit("bar", "|")
            elif name in ("lbrace", "rbrace"):
                emit("open" if name == "lbrace" else "close", "\\{" if name == "lbrace" else "\\}")
            elif name in ("langle", "rangle"):
                emit("open" if name == "langle" else "close", "⟨" if name == "langle" else "⟩")
            elif name in ("begin", "end"):
                emit("cmd", name)
            elif name in ("infinity",):
                emit("sym", "∞")
            else:
                emit("other", value)
        elif group == "esc":
            second = value[1]
            if second in "{}":
                emit("open" if second == "{" else "close", value)
            elif second == "%":
                emit("op", "%")
            elif second == "$":
                emit("other", "$")
            elif second == "\\":
                emit("row", "\\\\")
            elif second in ",;:! ":
                if second in ",;: ":
                    space = True
            elif second == "|":
                emit("bar", "|")
            else:
                emit("other", value)
        elif group == "sup" or group == "sub":
            table = _SUPER if group == "sup" else _SUB
            emit("op", "^" if group == "sup" else "_")
            emit("open", "{")
            for inner in _SCAN.finditer("".join(table[c] for c in value)):
                kind = inner.lastgroup
                emit(kind if kind in ("num", "run") else "op", inner.group())
            emit("close", "}")
        elif group == "arrow":
            emit("rel", _ARROWS.get(value) or ("=" if value[0] == "=" else "→"))
        elif group == "cjk":
            emit("cjk", value)
        elif value == "{":
            if pending:
                upright = pending.pop()
                stack.append((True, roman, pending))
                pending = []
                roman = roman or upright
            else:
                stack.append((False, roman, []))
                emit("open", "{")
        elif value == "}":
            wrapper, roman, pending = stack.pop() if stack else (False, roman, [])
            if not wrapper:
                if out and out[-1].kind == "open" and out[-1].text == "{":
                    out.pop()  # an empty group is nothing
                    space = True
                else:
                    emit("close", "}")
        elif value == "." and dropped_delimiter:
            dropped_delimiter = False
        elif value in _VULGAR:
            top, bottom = _VULGAR[value]
            emit("cmd", "frac")
            for part in (top, bottom):
                emit("open", "{")
                emit("num", str(part))
                emit("close", "}")
        elif "Ͱ" <= value <= "Ͽ":
            emit("sym", value)
        else:
            emit(_CHARS.get(value, "other"), value)
        if len(out) > MAX_TOKENS:
            return None
    return _degrees(out)


_tokens_cached = lru_cache(maxsize=8192)(_tokens)


def _script_end(mark: str, run: str) -> int:
    """How many letters of a run without braces belong to the ^ or _ before it; 0 for all of them.

    TeX takes one letter. In plain text `V_max` is one name, but the H of `C_nH` is not in the index.
    """
    if mark == "^":
        return 1
    if mark == "_" and run[0].islower():
        return next((i for i, letter in enumerate(run) if letter.isupper()), 0)
    return 0


def _degrees(found: list[Token]) -> tuple[Token, ...]:
    r"""`^\circ`, `^{\circ}`, `^{{}^\circ}` become one ° token, and °C becomes ℃; a group of one token loses its braces."""
    out: list[Token] = []
    for token in found:
        out.append(token)
        if token.text == "}" and len(out) >= 3 and out[-3].text == "{" and out[-3].kind == "open":
            inner = out[-2]
            # `{12}` stays a group after `^`, `_` and `\frac` all the same: one token is one argument.
            space = out[-3].space
            del out[-3:]
            out.append(inner._replace(space=space, group=True))
            token = out[-1]
        if token.text in ("°", "′", "″") and len(out) >= 2 and out[-2].text == "^":
            del out[-2:]
            out.append(Token("op", token.text, False, token.roman))
            token = out[-1]
        if token.text == "C" and len(out) >= 2 and out[-2].text == "°":
            space = out[-2].space
            del out[-2:]
            out.append(Token("op", "℃", space, token.roman))
        if (
            token.kind == "run"
            and len(out) >= 2
            and out[-2].text == "Δ"
            and len(token.text) > 2
            and token.text.isupper()
        ):
            out[-2] = Token("op", "△", out[-2].space)  # a triangle written with the letter
    return tuple(out)


def canonical(found: tuple[Token, ...] | None, text: str) -> str:
    """The text in one spelling: two answers with the same one are the same answer, whatever it means.

    White space counts only between letters and digits ("37 20" is not "3720").
    """
    if found is None:
        return " ".join(text.split())
    parts: list[str] = []
    last = Token("", "")
    for token in found:
        raised = last.text in ("^", "_")
        if (
            last.kind in _WORDLIKE
            and token.kind in _WORDLIKE
            and (token.space or (last.kind == token.kind == "num"))
        ):
            parts.append(" ")
        parts.append(
            f"{{{token.text}}}" if (token.group or raised) and token.text not in "{-+" else token.text
        )
        last = token
    return "".join(parts)


_WORDLIKE = frozenset(("num", "run", "func"))
