"""Charts: what reaches the page of a figure."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from report.samples import board, read

from pixelreef.errors import InputError
from pixelreef.report import Chart
from pixelreef.report.chart import figure_json


def test_a_figure_loses_its_template_and_keeps_its_data() -> None:
    figure = go.Figure(go.Bar(x=["a", "b"], y=[1, np.nan]), layout={"yaxis": {"range": [0, 1]}})
    assert figure_json(figure) == {
        "data": [{"type": "bar", "x": ["a", "b"], "y": [1.0, None]}],
        "layout": {"yaxis": {"range": [0, 1]}},
    }


def test_arrays_of_numpy_are_taken_in_a_dict() -> None:
    assert figure_json({"data": [{"y": np.array([1, 2])}]})["data"] == [{"y": [1, 2]}]


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ('<a href="https://example.org">x</a>', '&lt;a href="https://example.org">x&lt;/a>'),
        ("<A HREF=x>", "&lt;A HREF=x>"),
        ("<b>bold</b><br>line", "<b>bold</b><br>line"),
        ("\u202eabc", "⟨U+202E⟩abc"),
    ],
)
def test_a_label_holds_no_link_and_nothing_unseen(label: str, shown: str) -> None:
    assert figure_json({"data": [], "layout": {"title": {"text": label}}})["layout"]["title"]["text"] == shown


def test_the_figure_in_the_page_is_the_figure() -> None:
    seen = read(Chart({"data": [{"type": "bar", "y": [1], "name": "</script>"}]}, alt="One bar."))
    document = json.loads(next(text for text in seen.texts if text.startswith("{")))
    assert document["data"][0]["name"] == "</script>"
    assert "One bar." in seen.values


def test_a_table_behind_a_chart_brings_its_assets() -> None:
    chart = Chart({"data": []}, alt="Nothing.", table=board())
    assert chart.fragment("c").assets == ("chart.css", "plotly.js", "chart.js", "board.css", "board.js")
    assert "details" in [tag for tag, _ in read(chart).tags]


def test_a_chart_needs_words() -> None:
    with pytest.raises(InputError, match="alt must say what the chart shows"):
        Chart({"data": []}, alt=" ")


@pytest.mark.parametrize("figure", [[1], {"layout": {}}, None])
def test_what_is_no_figure_is_refused(figure: object) -> None:
    with pytest.raises(InputError, match="figure must be"):
        Chart(figure, alt="x").fragment("c")
