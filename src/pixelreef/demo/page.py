"""The demo's page: what is alive first, then what was measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pixelreef import __version__
from pixelreef.core.grid import Grid
from pixelreef.core.quantise import quantise
from pixelreef.core.reef import LIGHTNESS, STEPS, reef_palette, reef_ramps
from pixelreef.core.render import png_from_grid, png_from_rgba
from pixelreef.demo.cells import cells_section, scenes_section
from pixelreef.demo.living import LivingReef
from pixelreef.demo.quantising import Entrant
from pixelreef.demo.scene import paint_fish
from pixelreef.draw.score import Attempt
from pixelreef.draw.sections import draw_sections
from pixelreef.report import Beside, Board, Chart, Column, Gallery, Page, Picture, Row, Section, Swatches

_LEAD = "Pixelreef measures how precisely a model places pixels, and grows small models that place them well."


def demo_page(
    living: LivingReef,
    drawn: Section,
    painted: NDArray[np.uint8],
    entrants: Sequence[Entrant],
    attempts: Sequence[Attempt],
    boards: Sequence[Section],
    seed: int,
) -> str:
    """The whole page as HTML."""
    draw_board, draw_gallery = draw_sections(attempts, seed)
    sections = [
        Section("reef", "A living reef", parts=[living.aquarium], hero=True),
        living.section,
        cells_section(seed),
        drawn,
        scenes_section(seed),
        Section(
            "palette",
            "The reef palette",
            "Transparent, then nine ramps of seven steps, even in OKLab lightness. As pixel artists do it, hues drift "
            "towards blue in shadow. One table serves tokens, sampler, shader and recolouring.",
            [Beside([Swatches(reef_palette(), reef_ramps()), _ramp_chart()])],
        ),
        Section(
            "gallery",
            "Before and after",
            "The reef was painted by code in smooth colours; each way of quantising turns it into 63.",
            [_gallery(painted, entrants, seed)],
        ),
        draw_gallery,
        draw_board,
        *boards,
        Section(
            "board",
            "Four ways to quantise",
            "OKLab distance between what was painted and what is shown, over tiles of 16 × 16: from close by, and from "
            "a distance at which dithering blends. Lower is better; 0.02 is about the least that one notices.",
            [_board(entrants)],
        ),
    ]
    return Page(
        "Pixelreef",
        _LEAD,
        sections,
        f"Made by pixelreef {__version__}, seed {seed}. Opens from disk; needs no network.",
    ).html()


def _ramp_chart() -> Chart:
    palette, ramps = reef_palette(), reef_ramps()
    chroma = np.hypot(palette.oklab[:, 1], palette.oklab[:, 2])
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": palette.oklab[list(line), 0].round(4).tolist(),
            "y": chroma[list(line)].round(4).tolist(),
            "line": {"color": f"#{palette.hex()[line[STEPS // 2]]}", "width": 2},
            "marker": {
                "color": [f"#{palette.hex()[index]}" for index in line],
                "size": 13,
                "line": {"width": 1, "color": "#888"},
            },
        }
        for name, line in zip(ramps.names, ramps.lines, strict=True)
    ]
    layout = {
        "xaxis": {"title": {"text": "lightness"}, "range": [0.15, 1]},
        "yaxis": {"title": {"text": "chroma"}, "rangemode": "tozero"},
    }
    ends = f"from {LIGHTNESS[0]} to {LIGHTNESS[-1]:.3f}"
    alt = f"Lightness against chroma of the 63 colours: all nine ramps share seven lightness steps {ends}."
    return Chart({"data": data, "layout": layout}, alt, title="Nine ramps, seven even steps", height=380)


def _gallery(painted: NDArray[np.uint8], entrants: Sequence[Entrant], seed: int) -> Gallery:
    height, width = painted.shape[:2]
    pictures = [Picture(png_from_rgba(painted), width, height, "as painted", "thousands of colours", ("kind:scene",))]
    for one in entrants:
        png = png_from_grid(Grid(one.cells), reef_palette())
        pictures.append(Picture(png, width, height, one.name, f"{one.colours} colours", ("kind:scene",)))
    for number in range(5):
        fish = paint_fish(seed, number)
        cells = Grid(quantise(fish, reef_palette()))
        pictures.append(
            Picture(
                png_from_rgba(fish), fish.shape[1], fish.shape[0], f"fish {number + 1}, painted", "", ("kind:fish",)
            )
        )
        pictures.append(
            Picture(
                png_from_grid(cells, reef_palette()),
                *cells.size,
                f"fish {number + 1}, in the palette",
                "",
                ("kind:fish",),
            )
        )
    return Gallery(pictures, tile=288, label="The painted reef, its quantised forms and its fish")


def _board(entrants: Sequence[Entrant]) -> Board:
    columns = [
        Column("way", "Way"),
        Column("far", "Error from a distance", "interval", 4, better="low"),
        Column("near", "Error from close by", "interval", 4, better="low"),
        Column(
            "ahead",
            "Against the first, from a distance",
            "interval",
            4,
            better="low",
            hint="Paired by tile; below 0 is better than OKLab, nearest.",
        ),
        Column("colours", "Colours used", "count"),
    ]
    rows = [
        Row({"way": one.name, "far": one.far, "near": one.near, "ahead": one.ahead, "colours": one.colours})
        for one in entrants
    ]
    return Board(
        columns, rows, f"Colour error over {entrants[0].far.n} tiles of the painted reef", sort="far", rank=True
    )
