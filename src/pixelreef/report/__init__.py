"""The parts of one self-contained HTML page. Knows no other room than `core` and `metrics`.

A room's own `report` module composes them:

    page = Page("Draw", "How precisely models place pixels.", [Section("board", "Board", "…", [board, chart])])
    page.html()
"""

from __future__ import annotations

from pixelreef.report.aquarium import Aquarium, Swimmer
from pixelreef.report.board import Board, Row
from pixelreef.report.chart import Chart
from pixelreef.report.columns import Column, Interval, Mark
from pixelreef.report.deck import Card, Deck, Label
from pixelreef.report.gallery import Gallery, Picture
from pixelreef.report.html import Html, attribute, script_json, text, visible
from pixelreef.report.legend import Legend
from pixelreef.report.lineup import Lined, Lineup, Pane, View
from pixelreef.report.mosaic import Mosaic, Tile
from pixelreef.report.page import Page, Section
from pixelreef.report.part import Fragment, Part
from pixelreef.report.prose import Beside, Command, Points, Prose, Tiles
from pixelreef.report.swatches import Swatches
from pixelreef.report.timeline import Step, Stop, Timeline

__all__ = [
    "Aquarium",
    "Beside",
    "Board",
    "Card",
    "Chart",
    "Column",
    "Command",
    "Deck",
    "Fragment",
    "Gallery",
    "Html",
    "Interval",
    "Label",
    "Legend",
    "Lined",
    "Lineup",
    "Mark",
    "Mosaic",
    "Page",
    "Pane",
    "Part",
    "Picture",
    "Points",
    "Prose",
    "Row",
    "Section",
    "Step",
    "Stop",
    "Swatches",
    "Swimmer",
    "Tile",
    "Tiles",
    "Timeline",
    "View",
    "attribute",
    "script_json",
    "text",
    "visible",
]
