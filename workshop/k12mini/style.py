"""How every figure of K12-Mini looks: one pen, one palette, one font, and the small parts that figures share.

A figure is drawn by a function that takes a `Pen`. It begins with `pen.picture(...)` (a drawing in its own units, equal
on both axes) or `pen.chart(...)` (a graph with scales), and goes on with the pen's other methods. Colours are
from the palette of Okabe and Ito, which colour-blind readers can tell apart; what differs in colour differs in dashes
or in its label too.
"""

from __future__ import annotations

import io
import logging
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image, ImageChops

from eduflow.problem import Language

if TYPE_CHECKING:  # matplotlib is only loaded to draw, so that the sums can be checked without it
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

XY = tuple[float, float]

INK = "#1A1A1A"
GRID = "#C9CED3"
GREY = "#7A7F85"
BLUE = "#0072B2"
RED = "#D55E00"
GREEN = "#009E73"
AMBER = "#E69F00"
SKY = "#56B4E9"
PURPLE = "#AA4499"
WATER = "#CFE6F5"
SHADE = "#C7D3DE"
PALE = "#EEF2F5"
WHITE = "#FFFFFF"

FONT = "Noto Sans CJK SC"
PIXELS_PER_INCH = 200
WIDTH = 5.4  # inches: 1080 pixels, twice the 540 that a page gives a figure
LEAST_WIDTH = 840  # pixels
MAIN, FINE, BOLD = 1.6, 0.8, 2.4  # line widths in points
TEXT, SMALL, LARGE = 12.0, 10.0, 14.0  # font sizes in points

RC: dict[str, Any] = {
    "font.family": [FONT],
    "font.size": TEXT,
    "mathtext.fontset": "stix",
    "axes.unicode_minus": True,
    "axes.linewidth": 1.0,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "lines.solid_capstyle": "round",
    "lines.solid_joinstyle": "round",
    "hatch.linewidth": 0.6,
}

_COMPASS: dict[str, tuple[str, str, float, float]] = {
    "c": ("center", "center", 0, 0),
    "n": ("center", "bottom", 0, 1),
    "s": ("center", "top", 0, -1),
    "e": ("left", "center", 1, 0),
    "w": ("right", "center", -1, 0),
    "ne": ("left", "bottom", 0.7, 0.7),
    "nw": ("right", "bottom", -0.7, 0.7),
    "se": ("left", "top", 0.7, -0.7),
    "sw": ("right", "top", -0.7, -0.7),
}
Side = Literal["c", "n", "s", "e", "w", "ne", "nw", "se", "sw"]


class FontMissing(RuntimeError):
    """The font of the figures is not installed, or this matplotlib cannot read it."""


@cache
def font_is_there() -> bool:
    """Whether the font of the figures is installed and this matplotlib reads its simplified Chinese face."""
    from matplotlib import font_manager

    return any(entry.name == FONT for entry in font_manager.fontManager.ttflist)


class Pen:
    """Draws one figure in one language. Coordinates are the figure's own (see `picture` and `chart`)."""

    def __init__(self, language: Language, figure: Figure, axes: Axes) -> None:
        self.language = language
        self.figure = figure
        self.ax = axes
        axes.set_axis_off()

    def say(self, zh: str, en: str) -> str:
        """The text in the figure's language."""
        return zh if self.language == "zh" else en

    # The two kinds of figure

    def picture(self, left: float, right: float, bottom: float, top: float, width: float = WIDTH) -> None:
        """A drawing: units equal on both axes, no scales. `width` in inches is that of left..right."""
        self.figure.set_size_inches(width, width * (top - bottom) / (right - left))
        self.ax.set_position((0, 0, 1, 1))
        self.ax.set_xlim(left, right)
        self.ax.set_ylim(bottom, top)
        self.ax.set_aspect("equal")

    def chart(
        self,
        x: tuple[str, Sequence[float]],
        y: tuple[str, Sequence[float]],
        *,
        size: XY = (WIDTH, 3.8),
        x_names: Sequence[str] | None = None,
        y_names: Sequence[str] | None = None,
        minor: tuple[int, int] = (1, 1),
        grid: Literal["both", "y", "none"] = "both",
        x_room: XY = (0.0, 0.06),
        y_room: XY = (0.0, 0.1),
    ) -> None:
        """A graph: axes with arrows at the ends, ticks at the given values, grid lines.

        Args:
            x, y: the axis's title (quantity and unit) and its ticks.
            x_names, y_names: what stands at the ticks, where it is not the numbers.
            minor: into how many parts finer grid lines divide a step.
            x_room, y_room: free space before the first and behind the last tick, as shares of the span.
        """
        self.figure.set_size_inches(*size)
        ax = self.ax
        ax.set_axis_on()
        ax.set_position((0.13, 0.16, 0.82, 0.76))
        for axis, (title, ticks), names, room in (("x", x, x_names, x_room), ("y", y, y_names, y_room)):
            span = ticks[-1] - ticks[0]
            low, high = ticks[0] - room[0] * span, ticks[-1] + room[1] * span
            written = list(names) if names is not None else [number(tick) for tick in ticks]
            if axis == "x":
                ax.set_xlim(low, high)
                ax.set_xticks(list(ticks), written)
                ax.set_xlabel(title, loc="right", labelpad=3)
            else:
                ax.set_ylim(low, high)
                ax.set_yticks(list(ticks), written)
                ax.annotate(
                    title, (0, 1), xycoords="axes fraction", xytext=(-6, 7), textcoords="offset points",
                    ha="left", va="bottom",
                )  # fmt: skip
        ax.tick_params(length=0, pad=5, labelsize=TEXT)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        if grid != "none":
            x_lines, y_lines = divided(x[1], minor[0]), divided(y[1], minor[1])
            kept = {round(tick, 9) for tick in (*x[1], *y[1])}
            for value in y_lines:
                weight = 0.9 if round(value, 9) in kept else 0.45
                ax.plot([x[1][0], x[1][-1]], [value, value], color=GRID, lw=weight, zorder=0.5)
            if grid == "both":
                for value in x_lines:
                    weight = 0.9 if round(value, 9) in kept else 0.45
                    ax.plot([value, value], [y[1][0], y[1][-1]], color=GRID, lw=weight, zorder=0.5)
        for start, end in (((0, 0), (1.0, 0)), ((0, 0), (0, 1.0))):
            ax.annotate(
                "", end, start, xycoords="axes fraction", textcoords="axes fraction",
                arrowprops={"arrowstyle": "-|>", "lw": 1.1, "color": INK, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 12},
                annotation_clip=False,
            )  # fmt: skip

    def panel(self, left: float, bottom: float, width: float, height: float) -> Pen:
        """A pen for a part of the figure, in shares of its width and height."""
        return Pen(self.language, self.figure, self.figure.add_axes((left, bottom, width, height)))

    # Lines and shapes

    def line(
        self,
        *points: XY,
        color: str = INK,
        width: float = MAIN,
        dash: str = "-",
        z: float = 2,
        clip: bool = False,
    ) -> None:
        """A line through the points; `dash` is "-", "--", ":" or "-."."""
        xs, ys = zip(*points, strict=True)
        self.ax.plot(xs, ys, color=color, lw=width, ls=dash, zorder=z, clip_on=clip)

    def curve(
        self,
        function: Callable[[float], float],
        start: float,
        end: float,
        *,
        color: str = INK,
        width: float = MAIN,
        dash: str = "-",
        parts: int = 240,
    ) -> None:
        """The graph of a function from `start` to `end`."""
        xs = [start + (end - start) * i / parts for i in range(parts + 1)]
        self.line(*[(x, function(x)) for x in xs], color=color, width=width, dash=dash)

    def shape(
        self,
        *points: XY,
        fill: str | None = None,
        color: str | None = INK,
        width: float = MAIN,
        hatch: str | None = None,
        z: float = 1.5,
    ) -> None:
        """A closed polygon."""
        from matplotlib.patches import Polygon

        self.ax.add_patch(
            Polygon(
                list(points), closed=True, facecolor=fill or "none", edgecolor=color or "none",
                lw=width if color else 0, hatch=hatch, zorder=z, joinstyle="round", clip_on=False,
            )
        )  # fmt: skip

    def box(
        self, left: float, bottom: float, width: float, height: float, *, fill: str | None = None,
        color: str | None = INK, line: float = MAIN, round_by: float = 0, hatch: str | None = None, z: float = 1.5,
    ) -> None:  # fmt: skip
        """A rectangle, with rounded corners where `round_by` says so."""
        from matplotlib.patches import FancyBboxPatch

        if round_by:
            self.ax.add_patch(
                FancyBboxPatch(
                    (left + round_by, bottom + round_by), width - 2 * round_by, height - 2 * round_by,
                    boxstyle=f"round,pad={round_by},rounding_size={round_by}", facecolor=fill or "none",
                    edgecolor=color or "none", lw=line, zorder=z, clip_on=False,
                )
            )  # fmt: skip
            return
        right, top = left + width, bottom + height
        self.shape(
            (left, bottom), (right, bottom), (right, top), (left, top),
            fill=fill, color=color, width=line, hatch=hatch, z=z,
        )  # fmt: skip

    def circle(
        self, centre: XY, radius: float, *, fill: str | None = None, color: str | None = INK, width: float = MAIN,
        dash: str = "-", z: float = 1.5,
    ) -> None:  # fmt: skip
        from matplotlib.patches import Circle

        self.ax.add_patch(
            Circle(
                centre, radius, facecolor=fill or "none", edgecolor=color or "none", lw=width if color else 0,
                ls=dash, zorder=z, clip_on=False,
            )
        )  # fmt: skip

    def arc(
        self, centre: XY, radius: float, start: float, end: float, *, color: str = INK, width: float = MAIN, z: float = 2
    ) -> None:  # fmt: skip
        """An arc, counter-clockwise from `start` to `end` (degrees)."""
        from matplotlib.patches import Arc

        self.ax.add_patch(
            Arc(centre, 2 * radius, 2 * radius, theta1=start, theta2=end, color=color, lw=width, zorder=z)
        )

    def dot(self, *points: XY, color: str = INK, size: float = 5.5, fill: str | None = None) -> None:
        """Round marks; `fill` other than the colour makes them hollow."""
        for x, y in points:
            self.ax.plot(
                [x], [y], "o", ms=size, mec=color, mfc=fill or color, mew=1.3, zorder=4, clip_on=False
            )

    def arrow(
        self, start: XY, end: XY, *, both: bool = False, color: str = INK, width: float = MAIN, head: float = 13,
        bend: float = 0, z: float = 3,
    ) -> None:  # fmt: skip
        """An arrow; `both` puts a head at each end, `bend` curves it."""
        self.ax.annotate(
            "", end, start, annotation_clip=False, zorder=z,
            arrowprops={
                "arrowstyle": "<|-|>" if both else "-|>", "lw": width, "color": color, "shrinkA": 0, "shrinkB": 0,
                "mutation_scale": head, "connectionstyle": f"arc3,rad={bend}",
            },
        )  # fmt: skip

    def link(self, a: XY, b: XY, half: XY, *, gap: float = 0.12, color: str = INK) -> None:
        """An arrow between two boxes of half width and height `half`, from edge to edge."""
        length = math.hypot(b[0] - a[0], b[1] - a[1])
        ways = [
            size * length / abs(d)
            for size, d in ((half[0] + gap, b[0] - a[0]), (half[1] + gap, b[1] - a[1]))
            if d
        ]
        self.arrow(toward(a, b, min(ways)), toward(b, a, min(ways)), color=color)

    # Words

    def label(
        self, at: XY, text: str, side: Side = "c", *, size: float = TEXT, color: str = INK, gap: float = 4,
        halo: bool = True, turn: float = 0, bold: bool = False,
    ) -> None:  # fmt: skip
        """A text on the given side of a point, `gap` points away, with a white edge that keeps lines off it."""
        from matplotlib.patheffects import withStroke

        ha, va, dx, dy = _COMPASS[side]
        drop = dy * gap
        if side == "s" and not turn and "\n" not in text and "$" not in text:
            va, drop = "baseline", -gap - 0.8 * size  # words below a line of marks stand on one line
        self.ax.annotate(
            text, at, xytext=(dx * gap, drop), textcoords="offset points", ha=ha, va=va, color=color,
            fontsize=size, rotation=turn, zorder=6, annotation_clip=False, linespacing=1.25,
            fontweight="bold" if bold else "normal",
            path_effects=[withStroke(linewidth=3, foreground=WHITE)] if halo else [],
        )  # fmt: skip

    def measure(self, a: XY, b: XY, text: str, side: Side = "n", *, ticks: float = 0, gap: float = 3) -> None:
        """A dimension: a two-headed thin arrow from a to b with its text; `ticks` draws end marks of that length."""
        self.arrow(a, b, both=True, width=FINE, head=9)
        if ticks:
            angle = math.atan2(b[1] - a[1], b[0] - a[0])
            nx, ny = -math.sin(angle) * ticks / 2, math.cos(angle) * ticks / 2
            for x, y in (a, b):
                self.line((x - nx, y - ny), (x + nx, y + ny), width=FINE)
        self.label(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), text, side, gap=gap)

    def right_angle(self, corner: XY, one: XY, other: XY, size: float) -> None:
        """The square mark at `corner` between the directions to two points."""
        u, v = toward(corner, one, size), toward(corner, other, size)
        inner = (u[0] + v[0] - corner[0], u[1] + v[1] - corner[1])
        self.line(u, inner, v, width=1.0)

    def angle(self, corner: XY, one: XY, other: XY, radius: float, text: str, *, reach: float = 1.6) -> None:
        """An angle's arc (the one below 180°) and its text, `reach` radii from the corner."""
        a = math.degrees(math.atan2(one[1] - corner[1], one[0] - corner[0])) % 360
        b = math.degrees(math.atan2(other[1] - corner[1], other[0] - corner[0])) % 360
        if (b - a) % 360 > 180:
            a, b = b, a
        self.arc(corner, radius, a, b, width=1.0)
        middle = math.radians(a + ((b - a) % 360) / 2)
        spot = (corner[0] + reach * radius * math.cos(middle), corner[1] + reach * radius * math.sin(middle))
        self.label(spot, text)

    def ground(
        self, left: float, right: float, y: float, depth: float = 0.25, *, above: bool = False
    ) -> None:
        """A hatched surface: the ground, or with `above` a ceiling."""
        sign = 1 if above else -1
        self.line((left, y), (right, y))
        step = depth * 0.9
        count = int((right - left) / step)
        for i in range(count + 1):
            x = left + i * step
            if sign < 0:
                self.line((x, y - depth * 0.75), (min(x + depth * 0.75, right), y), width=FINE)
            elif x + depth * 0.75 <= right + 1e-9:
                self.line((x, y), (x + depth * 0.75, y + depth * 0.75), width=FINE)

    def north(self, at: XY, height: float) -> None:
        """A north arrow."""
        x, y = at
        self.arrow((x, y), (x, y + height), width=1.2)
        self.label((x, y + height), self.say("北", "N"), "n", gap=2)

    # Circuit parts: each stands on a straight wire, with its centre at `at`; `upright` where the wire is vertical.

    def resistor(
        self, at: XY, text: str = "", *, upright: bool = False, length: float = 1.2, side: Side = "n"
    ) -> None:
        half, thick = length / 2, 0.2
        x, y = at
        if upright:
            self.box(x - thick, y - half, 2 * thick, length, fill=WHITE, z=3)
        else:
            self.box(x - half, y - thick, length, 2 * thick, fill=WHITE, z=3)
        if text:
            edge = {"n": (x, y + (half if upright else thick)), "s": (x, y - (half if upright else thick)),
                    "e": (x + (thick if upright else half), y), "w": (x - (thick if upright else half), y)}[side]  # fmt: skip
            self.label(edge, text, side)

    def meter(self, at: XY, letter: str, *, radius: float = 0.36) -> None:
        self.circle(at, radius, fill=WHITE, z=3)
        self.label(at, letter, size=LARGE, halo=False)

    def lamp(self, at: XY, text: str = "", side: Side = "n", *, radius: float = 0.36) -> None:
        self.circle(at, radius, fill=WHITE, z=3)
        d = radius * math.sqrt(0.5)
        for sign in (1, -1):
            self.line((at[0] - d, at[1] - sign * d), (at[0] + d, at[1] + sign * d), z=3.2)
        if text:
            self.label((at[0], at[1] + radius), text, side)

    def cell(self, at: XY, text: str = "", *, side: Side = "s") -> None:
        """A battery on a horizontal wire, its long (positive) plate on the left."""
        x, y = at
        self.box(x - 0.13, y - 0.2, 0.26, 0.4, fill=WHITE, color=None, z=2.6)
        self.line((x - 0.13, y - 0.42), (x - 0.13, y + 0.42), z=3)
        self.line((x + 0.13, y - 0.2), (x + 0.13, y + 0.2), width=BOLD + 0.8, z=3)
        if text:
            self.label((x, y - 0.42 if side == "s" else y + 0.42), text, side)

    def switch(self, at: XY, text: str = "", *, length: float = 0.9) -> None:
        """An open switch on a horizontal wire."""
        x, y = at
        half = length / 2
        self.box(x - half, y - 0.1, length, 0.2, fill=WHITE, color=None, z=2.6)
        self.line((x - half, y), (x + half * 0.8, y + length * 0.42), z=3)
        self.dot((x - half, y), (x + half, y), size=4.5)
        if text:
            self.label((x, y), text, "s", gap=6)


def toward(a: XY, b: XY, length: float) -> XY:
    """The point `length` from a on the way to b."""
    distance = math.hypot(b[0] - a[0], b[1] - a[1])
    return (a[0] + (b[0] - a[0]) * length / distance, a[1] + (b[1] - a[1]) * length / distance)


def number(value: float) -> str:
    """A number as it stands on an axis: no needless zeros, a true minus sign."""
    return f"{value:.10g}".replace("-", "−")


def divided(ticks: Sequence[float], parts: int) -> Iterator[float]:
    """The ticks and the values that divide each step into equal parts."""
    for low, high in pairwise(ticks):
        for i in range(parts):
            yield low + (high - low) * i / parts
    yield ticks[-1]


def smooth(points: Sequence[XY], parts: int = 16, closed: bool = False) -> list[XY]:
    """A Catmull-Rom curve through the points."""
    n = len(points)

    def get(i: int) -> XY:
        return points[i % n] if closed else points[min(max(i, 0), n - 1)]

    curve: list[XY] = []
    for i in range(n if closed else n - 1):
        p0, p1, p2, p3 = get(i - 1), get(i), get(i + 1), get(i + 2)
        for k in range(parts):
            t = k / parts
            x, y = (
                0.5 * (2 * p1[d] + (p2[d] - p0[d]) * t + (2 * p0[d] - 5 * p1[d] + 4 * p2[d] - p3[d]) * t**2
                       + (3 * p1[d] - p0[d] - 3 * p2[d] + p3[d]) * t**3)
                for d in (0, 1)
            )  # fmt: skip
            curve.append((x, y))
    if not closed:
        curve.append(points[-1])
    return curve


@contextmanager
def _strict() -> Iterator[None]:
    """A missing glyph is an error here, not a box in the figure."""
    import matplotlib

    if not font_is_there():
        raise FontMissing(
            f"the figures need the font '{FONT}' (Debian: fonts-noto-cjk) and matplotlib 3.11 or newer; "
            f"this is matplotlib {matplotlib.__version__}"
        )
    with warnings.catch_warnings(), matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)  # type: ignore[arg-type]
        warnings.filterwarnings("error", message=".*[Gg]lyph.*")
        logger, ear = logging.getLogger("matplotlib"), _Ear()
        logger.addHandler(ear)
        try:
            yield
        finally:
            logger.removeHandler(ear)
        if ear.heard:
            raise FontMissing(ear.heard[0])


class _Ear(logging.Handler):
    """Hears what matplotlib only logs: a glyph or a font that is missing."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(record.getMessage())


def render(draw: Callable[[Pen], None], language: Language) -> bytes:
    """The PNG of a figure: cropped to what is drawn, 64 colours at most, the same bytes every time.

    Raises:
        FontMissing: the font is not there.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with _strict():
        figure = Figure(figsize=(WIDTH, WIDTH), dpi=PIXELS_PER_INCH, facecolor=WHITE)
        canvas = FigureCanvasAgg(figure)
        pen = Pen(language, figure, figure.add_axes((0, 0, 1, 1)))
        draw(pen)
        raw = io.BytesIO()
        canvas.print_figure(
            raw, format="png", dpi=PIXELS_PER_INCH, bbox_inches="tight", pad_inches=0.12, metadata={"Software": None}
        )  # fmt: skip
    image = _cropped(Image.open(raw).convert("RGB"))
    packed = image.quantize(colors=64, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    packed.save(out, format="PNG", optimize=True)
    return out.getvalue()


def _cropped(image: Image.Image, edge: int = 24) -> Image.Image:
    """The image with a white edge of the given pixels around what is drawn, `LEAST_WIDTH` wide at least."""
    box = ImageChops.difference(image, Image.new("RGB", image.size, WHITE)).getbbox()
    if box is None:
        raise ValueError("the figure is empty")
    width, height = box[2] - box[0], box[3] - box[1]
    across = max(width + 2 * edge, LEAST_WIDTH)
    out = Image.new("RGB", (across, height + 2 * edge), WHITE)
    out.paste(image.crop(box), ((across - width) // 2, edge))
    return out
