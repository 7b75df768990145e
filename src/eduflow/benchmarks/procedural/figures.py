"""The pictures of the procedural problems, drawn with Pillow alone.

Labels are digits, Latin letters and unit signs, so that both languages share a picture and no font has to be there
(Pillow brings one). Everything is drawn at twice its size and reduced, for smooth edges. Each function returns the
bytes of a PNG and depends on its arguments alone. Pointers, surfaces and points stand exactly on a tick.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

_S = 2  # supersampling
Point = tuple[float, float]

INK, GREY, PALE = "#1c1f26", "#8a919e", "#dfe3ea"
BLUE, ORANGE, GREEN, RED, PURPLE = "#2f6fb5", "#e08a2e", "#3c9a5f", "#c8383a", "#7a57a8"
WATER, WOOD, METAL = "#a9d3f2", "#f3dca6", "#aab2bd"
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, "#c2a62b", "#4aa3a0")


@lru_cache(maxsize=16)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size * _S)
    assert isinstance(font, ImageFont.FreeTypeFont), "this Pillow was built without FreeType"
    return font


class _Canvas:
    """A white sheet with its origin at the top left, in pixels of the finished picture."""

    def __init__(self, width: int, height: int) -> None:
        self.image = Image.new("RGB", (width * _S, height * _S), "white")
        self.pen = ImageDraw.Draw(self.image)

    def line(self, *points: Point, colour: str = INK, width: float = 1.5) -> None:
        scaled = [(x * _S, y * _S) for x, y in points]
        self.pen.line(scaled, fill=colour, width=max(1, round(width * _S)), joint="curve")

    def dashed(self, a: Point, b: Point, colour: str = GREY, width: float = 1.2, dash: float = 6) -> None:
        length = max(1e-9, ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        at = 0.0
        while at < length:
            end = min(length, at + dash)
            self.line(
                (a[0] + ux * at, a[1] + uy * at),
                (a[0] + ux * end, a[1] + uy * end),
                colour=colour,
                width=width,
            )
            at += dash * 1.8

    def box(
        self, x0: float, y0: float, x1: float, y1: float, fill: str | None = None, colour: str | None = INK,
        width: float = 1.5, radius: float = 0,
    ) -> None:  # fmt: skip
        self.pen.rounded_rectangle(
            (x0 * _S, y0 * _S, x1 * _S, y1 * _S), radius * _S, fill, colour, max(1, round(width * _S))
        )

    def disc(
        self,
        x: float,
        y: float,
        r: float,
        fill: str | None = INK,
        colour: str | None = None,
        width: float = 1.5,
    ) -> None:
        self.pen.ellipse(
            ((x - r) * _S, (y - r) * _S, (x + r) * _S, (y + r) * _S), fill, colour, max(1, round(width * _S))
        )

    def polygon(
        self, points: Sequence[Point], fill: str | None, colour: str | None = INK, width: float = 2
    ) -> None:
        if fill is not None:
            self.pen.polygon([(x * _S, y * _S) for x, y in points], fill=fill)
        if colour is not None:
            self.line(*points, points[0], points[1], colour=colour, width=width)

    def arc(
        self, x: float, y: float, r: float, start: float, end: float, colour: str = INK, width: float = 1.5
    ) -> None:
        """Angles in degrees, clockwise from three o'clock."""
        self.pen.arc(
            ((x - r) * _S, (y - r) * _S, (x + r) * _S, (y + r) * _S),
            start,
            end,
            colour,
            max(1, round(width * _S)),
        )

    def sector(self, x: float, y: float, r: float, start: float, end: float, fill: str) -> None:
        self.pen.pieslice(
            ((x - r) * _S, (y - r) * _S, (x + r) * _S, (y + r) * _S), start, end, fill, "white", 2 * _S
        )

    def text(
        self, x: float, y: float, text: str, size: int = 16, anchor: str = "mm", colour: str = INK
    ) -> None:
        """`anchor` as in Pillow: horizontal l, m or r, then vertical t, m or b."""
        anchor = anchor.replace("t", "a").replace("b", "d")
        self.pen.text((x * _S, y * _S), text, fill=colour, font=_font(size), anchor=anchor)

    def tag(self, x: float, y: float, text: str, size: int = 16, anchor: str = "mm") -> None:
        """Text on a white ground, readable across lines."""
        x0, y0, x1, y1 = self.pen.textbbox((x * _S, y * _S), text, font=_font(size), anchor=anchor)
        self.pen.rectangle((x0 - 4 * _S, y0 - 3 * _S, x1 + 4 * _S, y1 + 3 * _S), fill="white")
        self.text(x, y, text, size, anchor)

    def png(self) -> bytes:
        out = io.BytesIO()
        # A palette halves the file and the time: packing 24-bit colour would cost more than all the drawing.
        small = self.image.reduce(_S).quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        ground = small.tobytes()[0]
        palette = small.getpalette() or []
        palette[3 * ground : 3 * ground + 3] = [
            255,
            255,
            255,
        ]  # the sheet, which the palette makes a trace darker
        small.putpalette(palette)
        small.save(out, "PNG", compress_level=6)
        return out.getvalue()


# ---- charts ----------------------------------------------------------------------------------------------------


def _axes(
    c: _Canvas,
    left: float,
    top: float,
    right: float,
    bottom: float,
    most: int,
    step: int,
    minor: int,
    unit: str,
) -> None:
    """Horizontal grid with numbers every `step`, thin lines every `minor`, from 0 to `most`."""
    for value in range(0, most + 1, minor):
        y = bottom - (bottom - top) * value / most
        labelled = value % step == 0
        c.line(
            (left, y), (right, y), colour="#a9b1bf" if labelled else "#d9dee6", width=1.2 if labelled else 0.8
        )
        if labelled:
            c.line((left - 5, y), (left, y))
            c.text(left - 9, y, str(value), 15, "rm")
    c.line((left, top - 8), (left, bottom), (right, bottom), width=1.8)
    c.text(left - 6, top - 14, unit, 15, "mb")


def bar_chart(
    labels: Sequence[str], values: Sequence[int], most: int, step: int, minor: int, unit: str
) -> bytes:
    """Bars over letters; every value is a multiple of `minor`."""
    c = _Canvas(560, 400)
    left, top, right, bottom = 66, 48, 536, 356
    _axes(c, left, top, right, bottom, most, step, minor, unit)
    pitch = (right - left) / len(values)
    for index, (label, value) in enumerate(zip(labels, values, strict=True)):
        x, y = left + pitch * (index + 0.5), bottom - (bottom - top) * value / most
        half = min(30.0, pitch * 0.3)
        c.box(x - half, y, x + half, bottom, COLOURS[0], INK, 1.2)
        c.text(x, bottom + 18, label, 16)
    return c.png()


def line_graph(
    labels: Sequence[str], values: Sequence[int], most: int, step: int, minor: int, unit: str, across: str
) -> bytes:
    """Points joined by lines over an evenly spaced axis."""
    c = _Canvas(600, 420)
    left, top, right, bottom = 66, 48, 556, 364
    _axes(c, left, top, right, bottom, most, step, minor, unit)
    pitch = (right - left) / len(values)
    points = [
        (left + pitch * (index + 0.5), bottom - (bottom - top) * value / most)
        for index, value in enumerate(values)
    ]
    for (x, _), label in zip(points, labels, strict=True):
        c.line((x, top), (x, bottom), colour="#d9dee6", width=0.8)
        c.line((x, bottom), (x, bottom + 5))
        c.text(x, bottom + 19, label, 15)
    c.text(right + 8, bottom + 19, across, 15, "lm")
    c.line(*points, colour=BLUE, width=2.6)
    for x, y in points:
        c.disc(x, y, 5, BLUE, "white", 1)
    return c.png()


def pie_chart(labels: Sequence[str], percents: Sequence[int], shown: Sequence[bool]) -> bytes:
    """Sectors with their letter, and their percentage where it is shown ("?" else)."""
    c = _Canvas(420, 400)
    x, y, r = 210.0, 200.0, 165.0
    start = -90.0
    tints = ("#9cc3ea", "#f5c48c", "#a6d8b6", "#cbb8e3", "#e9dc8f", "#a9dbd9")
    middles = []
    for index, percent in enumerate(percents):
        end = start + percent * 3.6
        c.sector(x, y, r, start, end, tints[index])
        middles.append((start + end) / 2 * pi / 180)
        start = end
    c.disc(x, y, r, None, INK)
    for middle, label, percent, known in zip(middles, labels, percents, shown, strict=True):
        at = x + r * 0.66 * cos(middle), y + r * 0.66 * sin(middle)
        c.text(at[0], at[1] - 10, label, 18)
        c.text(at[0], at[1] + 11, f"{percent}%" if known else "?", 16)
    return c.png()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """A ruled table with a shaded first row."""
    width, height = 110, 40
    c = _Canvas(width * len(head) + 40, height * (len(rows) + 1) + 40)
    right, bottom = 20 + width * len(head), 20 + height * (len(rows) + 1)
    c.box(20, 20, right, 20 + height, PALE, None)
    for row, cells in enumerate([head, *rows]):
        for column, cell in enumerate(cells):
            c.text(20 + width * (column + 0.5), 20 + height * (row + 0.5), cell, 17)
    for row in range(len(rows) + 2):
        c.line((20, 20 + height * row), (right, 20 + height * row))
    for column in range(len(head) + 1):
        c.line((20 + width * column, 20), (20 + width * column, bottom))
    return c.png()


def xy_graph(
    points: Sequence[tuple[float, float]],
    most: tuple[int, int],
    step: tuple[int, int],
    minor: tuple[int, int],
    names: tuple[str, str],
    smooth: bool = False,
    dots: bool = False,
) -> bytes:
    """A curve through points over a grid of millimetre-paper kind, both axes from 0."""
    c = _Canvas(624, 540)
    left, top, right, bottom = 70.0, 44.0, 540.0, 484.0
    for axis in (0, 1):
        for value in range(0, most[axis] + 1, minor[axis]):
            labelled = value % step[axis] == 0
            middle = step[axis] % (2 * minor[axis]) == 0 and value % (step[axis] // 2) == 0
            colour, width = ("#a9b1bf", 1.2) if labelled else ("#c6ccd6", 1.0) if middle else ("#d9dee6", 0.8)
            if axis == 0:
                x = left + (right - left) * value / most[0]
                c.line((x, top), (x, bottom), colour=colour, width=width)
                if labelled and value:
                    c.text(x, bottom + 17, str(value), 15)
            else:
                y = bottom - (bottom - top) * value / most[1]
                c.line((left, y), (right, y), colour=colour, width=width)
                if labelled and value:
                    c.text(left - 9, y, str(value), 15, "rm")
    c.text(left - 10, bottom + 14, "0", 15)
    c.line((left, top - 14), (left, bottom), (right + 14, bottom), width=1.8)
    c.polygon([(left - 4, top - 12), (left + 4, top - 12), (left, top - 21)], INK, None)
    c.polygon([(right + 12, bottom - 4), (right + 12, bottom + 4), (right + 21, bottom)], INK, None)
    c.text(left + 10, top - 20, names[1], 16, "lm")
    c.text(right + 26, bottom, names[0], 16, "lm")
    place = [(left + (right - left) * x / most[0], bottom - (bottom - top) * y / most[1]) for x, y in points]
    c.line(*(_curve(place) if smooth else place), colour=BLUE, width=2.6)
    if dots:
        for x, y in place:
            c.disc(x, y, 4.5, BLUE, "white", 1)
    return c.png()


def _curve(points: Sequence[Point], parts: int = 12) -> list[Point]:
    """A Catmull-Rom curve through the points."""
    out: list[Point] = []
    padded = [points[0], *points, points[-1]]
    for p0, p1, p2, p3 in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for k in range(parts):
            t = k / parts
            out.append(
                tuple(  # type: ignore[arg-type]
                    0.5
                    * (
                        2 * b
                        + (g - a) * t
                        + (2 * a - 5 * b + 4 * g - h) * t**2
                        + (3 * b - a - 3 * g + h) * t**3
                    )
                    for a, b, g, h in zip(p0, p1, p2, p3, strict=True)
                )
            )
    return [*out, points[-1]]


# ---- instruments -----------------------------------------------------------------------------------------------


def thermometers(readings: Sequence[int], names: Sequence[str], low: int, high: int, step: int) -> bytes:
    """Upright thermometers side by side, numbered every 10 degrees, a tick every `step`."""
    c = _Canvas(200 * len(readings), 470)
    for index, (reading, name) in enumerate(zip(readings, names, strict=True)):
        x, top, bottom = 200 * index + 100.0, 70.0, 380.0

        def at(value: float, top: float = top, bottom: float = bottom) -> float:
            return bottom - (bottom - top) * (value - low) / (high - low)

        c.box(x - 62, 14, x + 62, 452, "#fbfbf7", GREY, 1.2, 14)
        c.text(x, 32, name, 17)
        c.text(x + 34, 52, "°C", 15)
        c.box(x - 9, 56, x + 9, 410, "white", INK, 1.5, 9)
        c.disc(x, 414, 20, RED, INK)
        c.box(x - 5, at(reading), x + 5, 412, RED, None)
        for value in range(low, high + 1, step):
            y = at(value)
            if value % 10 == 0:
                c.line((x + 11, y), (x + 29, y), width=1.8)
                c.text(x + 33, y, str(value), 14, "lm")
            else:
                c.line((x + 11, y), (x + (23 if value % 5 == 0 else 19), y), width=1.1)
        c.line((x - 5, at(reading)), (x + 5, at(reading)), colour="#7d1719", width=1.6)
    return c.png()


def ruler(start: int, end: int, most: int) -> bytes:
    """A centimetre ruler with a bar above it from tick `start` to tick `end`, both in millimetres."""
    pitch = 5.2  # pixels in a millimetre
    c = _Canvas(round(most * 10 * pitch) + 70, 190)
    left, top = 35.0, 92.0
    c.box(left - 18, top, left + most * 10 * pitch + 18, 172, WOOD, INK, 1.5, 4)
    for mm in range(most * 10 + 1):
        x = left + mm * pitch
        length = 28 if mm % 10 == 0 else 20 if mm % 5 == 0 else 12
        c.line((x, top), (x, top + length), width=1.4 if mm % 10 == 0 else 0.9)
        if mm % 10 == 0:
            c.text(x, top + 42, str(mm // 10), 16)
    c.text(left + 3, top + 66, "cm", 14, "lm")
    x0, x1 = left + start * pitch, left + end * pitch
    c.box(x0, 42, x1, 78, BLUE, INK, 1.2)
    for x in (x0, x1):
        c.dashed((x, 78), (x, top), RED, 1.2, 3)
    return c.png()


def cylinders(
    readings: Sequence[int], names: Sequence[str], most: int, step: int, minor: int, stone: bool
) -> bytes:
    """Measuring cylinders filled to a tick; with `stone` the last one holds a stone on a thread."""
    c = _Canvas(230 * len(readings), 460)
    for index, (reading, name) in enumerate(zip(readings, names, strict=True)):
        x, top, bottom = 230 * index + 95.0, 66.0, 396.0

        def at(value: float, top: float = top, bottom: float = bottom) -> float:
            return bottom - (bottom - top) * value / most

        half = 46.0
        c.box(x - half, at(reading), x + half, bottom + 10, WATER, None)
        if stone and index == len(readings) - 1:
            c.line((x - 18, 30), (x - 18, 352), colour="#6b5b49", width=1.2)
            c.polygon(
                [(x - 38, 390), (x - 40, 370), (x - 24, 350), (x - 8, 354), (x + 2, 372), (x - 4, 396), (x - 26, 402)],
                "#8d8378", INK, 1.5,
            )  # fmt: skip
        c.line(
            (x - half - 8, 30),
            (x - half, 40),
            (x - half, bottom + 10),
            (x + half, bottom + 10),
            (x + half, 36),
        )
        c.box(x - 64, bottom + 10, x + 64, bottom + 24, PALE, INK)
        c.line((x - half, at(reading)), (x + half, at(reading)), colour="#1f5f96", width=2)
        for value in range(0, most + 1, minor):
            y = at(value)
            labelled = value % step == 0
            half_way = step % (2 * minor) == 0 and value % (step // 2) == 0
            length = 24 if labelled else 17 if half_way else 12
            c.line((x + half - length, y), (x + half, y), width=1.6 if labelled else 1)
            if labelled and value:
                c.text(x + half + 8, y, str(value), 15, "lm")
        c.text(x + half + 8, 44, "mL", 15, "lm")
        c.text(x, bottom + 44, name, 18)
    return c.png()


def dials(
    readings: Sequence[int], parts: Sequence[int], numbers: Sequence[Sequence[str]], letters: Sequence[str]
) -> bytes:
    """Pointer instruments side by side: reading i stands `readings[i]` small divisions from the left end.

    `numbers[i]` label the big divisions, evenly spread; `parts[i]` counts the small ones.
    """
    c = _Canvas(330 * len(readings), 260)
    for index, reading in enumerate(readings):
        x, y, r = 330 * index + 165.0, 205.0, 138.0
        c.box(x - 155, 10, x + 155, 250, "#fbfbf7", INK, 2, 12)
        count = parts[index]
        big = count // (len(numbers[index]) - 1)

        def at(division: float, radius: float, x: float = x, y: float = y, count: int = count) -> Point:
            angle = (210 + 120 * division / count) * pi / 180
            return x + radius * cos(angle), y + radius * sin(angle)

        c.arc(x, y, r, 210, 330, width=1.6)
        for division in range(count + 1):
            major, middle = division % big == 0, big % 2 == 0 and division % (big // 2) == 0
            inner = r - (20 if major else 14 if middle else 10)
            c.line(at(division, r), at(division, inner), width=2 if major else 1)
            if major:
                number = numbers[index][division // big]
                px, py = at(division, r + 19)
                c.text(px, py, number, 15)
        tip = at(reading, r - 3)
        c.line((x, y), tip, colour=RED, width=2)
        c.disc(x, y, 8, INK)
        c.text(x, y - 46, letters[index], 26)
    return c.png()


def balance(weights: Sequence[int], rider: int) -> bytes:
    """A level beam balance: an object X left, weights in grams right, the rider at `rider` fifths of a gram (0 to 5 g)."""
    c = _Canvas(620, 380)
    for x in (150, 470):
        c.line((x, 96), (x - 84, 172), colour=GREY, width=1.2)
        c.line((x, 96), (x + 84, 172), colour=GREY, width=1.2)
        c.box(x - 110, 172, x + 110, 182, METAL, INK, 1.2, 4)
    c.box(304, 70, 316, 240, METAL, INK, 1.2)
    c.box(140, 86, 480, 96, METAL, INK, 1.2, 4)
    c.polygon([(310, 90), (300, 66), (320, 66)], INK, None)
    c.line((310, 96), (310, 150), colour=RED, width=2)
    c.box(120, 118, 180, 172, "#c9b191", INK, 1.5, 8)
    c.text(150, 145, "X", 20)
    size = {50: (44, 60), 20: (36, 48), 10: (32, 42), 5: (28, 34)}
    span = sum(size[w][0] + 8 for w in weights) - 8
    x0 = 470 - span / 2
    for weight in weights:
        width, height = size[weight]
        c.box(x0 + width / 2 - 5, 172 - height - 8, x0 + width / 2 + 5, 172 - height, "#d8b25a", INK, 1)
        c.box(x0, 172 - height, x0 + width, 172, "#e6c777", INK, 1.2, 3)
        c.text(x0 + width / 2, 172 - 15, str(weight), 14)
        x0 += width + 8
    c.text(470, 200, "g", 15)
    # The rider's scale: 0 to 5 g, five divisions to the gram.
    left, right, top = 60.0, 560.0, 268.0
    c.box(left - 30, 240, right + 30, 340, WOOD, INK, 1.5, 6)
    for fifth in range(26):
        tick = left + (right - left) * fifth / 25
        c.line((tick, top), (tick, top + (26 if fifth % 5 == 0 else 15)), width=1.8 if fifth % 5 == 0 else 1)
        if fifth % 5 == 0:
            c.text(tick, top + 41, str(fifth // 5), 16)
    c.line((left, top), (right, top), width=1.5)
    c.text(right + 6, top + 58, "g", 15, "lm")
    edge = left + (right - left) * rider / 25
    c.box(edge, 246, edge + 16, top + 12, "#7c8694", INK, 1.2)
    c.line((edge, 244), (edge, top + 14), colour=RED, width=2)
    return c.png()


def clocks(times: Sequence[int], names: Sequence[str]) -> bytes:
    """Clock faces; each time in minutes from 0 to 719."""
    c = _Canvas(270 * len(times), 300)
    for index, (minutes, name) in enumerate(zip(times, names, strict=True)):
        x, y, r = 270 * index + 135.0, 135.0, 118.0

        def at(turn: float, radius: float, x: float = x, y: float = y) -> Point:
            angle = turn * 2 * pi - pi / 2
            return x + radius * cos(angle), y + radius * sin(angle)

        c.disc(x, y, r, "#fdfdfb", INK, 3)
        for minute in range(60):
            hour = minute % 5 == 0
            c.line(at(minute / 60, r - 4), at(minute / 60, r - (14 if hour else 9)), width=2.2 if hour else 1)
        for hour_number in range(1, 13):
            px, py = at(hour_number / 12, r - 29)
            c.text(px, py, str(hour_number), 18)
        c.line(at(minutes / 720 + 0.5, 14), at(minutes / 720, 50), width=5.5)
        c.line(at(minutes % 60 / 60 + 0.5, 18), at(minutes % 60 / 60, 76), colour=BLUE, width=3)
        c.disc(x, y, 6, INK)
        c.text(x, 278, name, 20)
    return c.png()


# ---- geometry --------------------------------------------------------------------------------------------------


def right_triangle(names: str, bc: str, ac: str, ab: str, upright: bool) -> bytes:
    """A triangle with its right angle at C, the third of `names`: BC along the bottom, AC upright. Not to scale.

    `upright` draws AC about as long as BC, else it is the shorter one; lengths are to be taken from the labels.
    """
    c = _Canvas(440, 340)
    a, b, corner = (
        ((90.0, 50.0), (330.0, 280.0), (90.0, 280.0))
        if upright
        else ((90.0, 110.0), (390.0, 280.0), (90.0, 280.0))
    )
    c.polygon([a, b, corner], "#eef4fb", INK, 2)
    c.line((108, 280), (108, 262), (90, 262), width=1.4)
    c.text(a[0] - 4, a[1] - 18, names[0], 18)
    c.text(b[0] + 16, b[1] + 8, names[1], 18)
    c.text(corner[0] - 16, corner[1] + 10, names[2], 18)
    c.text((b[0] + corner[0]) / 2, corner[1] + 24, bc, 17)
    c.text(corner[0] - 12, (a[1] + corner[1]) / 2, ac, 17, "rm")
    c.text((a[0] + b[0]) / 2 + 12, (a[1] + b[1]) / 2 - 12, ab, 17, "lb")
    return c.png()


def trapezium(top: str, bottom: str, height: str) -> bytes:
    """A trapezium with its height as a dashed line. Not to scale."""
    c = _Canvas(460, 300)
    points = [(140.0, 60.0), (300.0, 60.0), (410.0, 235.0), (50.0, 235.0)]
    c.polygon(points, "#eef4fb", INK, 2)
    c.dashed((200, 60), (200, 235), INK, 1.5)
    c.line((200, 222), (213, 222), (213, 235), width=1.2)
    c.text(220, 38, top, 17)
    c.text(230, 260, bottom, 17)
    c.text(210, 150, height, 17, "lm")
    return c.png()


def notched(width: int, height: int, notch_width: int, notch_height: int) -> bytes:
    """A rectangle without its top right corner, drawn to scale, the cut-out dashed; lengths in cm."""
    scale = min(340 / width, 250 / height)
    c = _Canvas(520, 380)
    x0, y0 = (520 - width * scale) / 2, 56.0
    x1, y1 = x0 + width * scale, y0 + height * scale
    xn, yn = x1 - notch_width * scale, y0 + notch_height * scale
    c.polygon([(x0, y0), (xn, y0), (xn, yn), (x1, yn), (x1, y1), (x0, y1)], "#eef4fb", INK, 2)
    c.dashed((xn, y0), (x1, y0), INK, 1.3)
    c.dashed((x1, y0), (x1, yn), INK, 1.3)
    c.text((x0 + x1) / 2, y1 + 22, f"{width} cm", 17)
    c.text(x0 - 10, (y0 + y1) / 2, f"{height} cm", 17, "rm")
    c.text((xn + x1) / 2, y0 - 20, f"{notch_width} cm", 17)
    c.text(x1 + 10, (y0 + yn) / 2, f"{notch_height} cm", 17, "lm")
    return c.png()


def grid_polygon(corners: Sequence[tuple[int, int]], size: tuple[int, int]) -> bytes:
    """A polygon with named corners on the first quadrant of a coordinate grid."""
    c = _Canvas(size[0] * 36 + 100, size[1] * 36 + 100)
    left, bottom, pitch = 50.0, size[1] * 36 + 50.0, 36.0
    for column in range(size[0] + 1):
        x = left + column * pitch
        c.line((x, bottom), (x, bottom - size[1] * pitch), colour="#ccd2db", width=1)
        if column:
            c.text(x, bottom + 16, str(column), 14)
    for row in range(size[1] + 1):
        y = bottom - row * pitch
        c.line((left, y), (left + size[0] * pitch, y), colour="#ccd2db", width=1)
        if row:
            c.text(left - 10, y, str(row), 14, "rm")
    c.text(left - 10, bottom + 14, "O", 14)
    c.line(
        (left, bottom - size[1] * pitch - 18),
        (left, bottom),
        (left + size[0] * pitch + 18, bottom),
        width=1.8,
    )
    c.text(left - 14, bottom - size[1] * pitch - 20, "y", 16)
    c.text(left + size[0] * pitch + 24, bottom + 14, "x", 16)
    places = [(left + x * pitch, bottom - y * pitch) for x, y in corners]
    c.polygon(places, "#cfe2f5", BLUE, 2.2)
    middle = sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)
    for (x, y), name in zip(places, "ABCDEF", strict=False):
        c.disc(x, y, 3.5, INK)
        length = ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) ** 0.5 or 1.0
        c.tag(x + (x - middle[0]) / length * 17, y + (y - middle[1]) / length * 17, name, 15)
    return c.png()
