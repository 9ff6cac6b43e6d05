"""A Plotly chart that follows the page: its fonts, its colours, its light and dark.

The figure travels as JSON and is drawn by the page's own script. Colours that the figure sets itself are kept; the
template of the figure is dropped, since the page's look takes its place. Links in labels are shown as text, for a
label may hold the words of a model. No chart is made here: rooms build figures with plotly, or as plain dicts.

    Chart({"data": [{"type": "bar", "x": names, "y": scores}], "layout": {}}, alt="tide-2 leads with 0.81; …")

Maps (`scattergeo`, `choropleth`, …) fetch their outlines from the network, which the page forbids: they stay empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pixelreef.errors import InputError
from pixelreef.report.html import Html, attribute, script_json, text, visible
from pixelreef.report.part import PLOTLY, Fragment, Part, assets_once

_LINK = re.compile(r"<(?=\s*/?\s*a\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Chart:
    """A figure (a plotly `Figure`, or a dict of `data` and `layout`) and what it shows, in words.

    `alt` is read instead of the drawing. `table` may hold the figures behind it, folded away under the chart.
    """

    figure: Any
    alt: str
    title: str = ""
    caption: str = ""
    height: int = 360
    table: Part | None = None

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise InputError("alt", "say what the chart shows", self.alt)

    def fragment(self, name: str) -> Fragment:
        table = self.table.fragment(f"{name}_table") if self.table else Fragment(Html(""))
        title = f'<h3 class="chart-title">{text(self.title)}</h3>' if self.title else ""
        caption = f"<figcaption>{text(self.caption)}</figcaption>" if self.caption else ""
        folded = f"<details><summary>The figures behind it</summary>{table.body}</details>" if self.table else ""
        document = script_json(figure_json(self.figure))
        body = (
            f'{title}<figure class="chart"><div class="plot" role="img" aria-label="{attribute(self.alt)}"'
            f' style="height:{int(self.height)}px"></div>'
            f'<script type="application/json">{document}</script>{caption}{folded}</figure>\n'
        )
        return Fragment(Html(body), assets_once([("chart.css", PLOTLY, "chart.js"), table.assets]))


def figure_json(figure: Any) -> dict[str, Any]:
    """`data` and `layout` of a figure as plain JSON values, NaN as null, without its template.

    >>> figure_json({"data": [{"y": [1.0, float("nan")]}], "layout": {"template": "plotly_dark"}})
    {'data': [{'y': [1.0, None]}], 'layout': {}}
    """
    from plotly.io.json import to_json_plotly

    document = json.loads(to_json_plotly(figure))
    if not isinstance(document, dict) or not isinstance(document.get("data"), list):
        raise InputError("figure", "be a plotly figure or a dict of data and layout", type(figure).__name__)
    layout = {key: value for key, value in document.get("layout", {}).items() if key != "template"}
    return {"data": _inert(document["data"]), "layout": _inert(layout)}


def _inert(value: Any) -> Any:
    """Plotly reads a little HTML in labels (`<b>`, `<br>`); links and unseen characters are made plain text."""
    if isinstance(value, str):
        return _LINK.sub("&lt;", visible(value))
    if isinstance(value, list):
        return [_inert(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _inert(item) for key, item in value.items()}
    return value
