"""The card of an adapter: on which model, taught what, how, and what the pairs held back cost; as Markdown.

Names of models, corpora and subjects may be anybody's: they are escaped.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pixelreef import __version__
from pixelreef.report.tables import markdown_table, markdown_text
from pixelreef.tune.history import Look

_SAID = ("encodings", "rank", "alpha", "targets", "dropout", "rate", "warmup", "batch", "length", "seed")


def card(facts: Mapping[str, Any], looks: list[Look], kept: Look) -> str:
    """The whole card; `facts` are the run's."""
    base, pairs, recipe = facts["base"], facts["pairs"], facts["recipe"]
    rows = [
        ["base", f"{base['name']} ({base['hash'][:16] or 'by name'})"],
        ["pairs", f"{pairs['taught']:,} taught, {pairs['held']:,} held back, hash {pairs['hash'][:16]}"],
        ["sources", ", ".join(str(one) for one in pairs["sources"]) or "not known"],
        ["steps", f"{kept.step:,} of {facts['steps']:,}, {kept.seconds / 60:.1f} minutes"],
        *([name, str(recipe[name])] for name in _SAID),
        ["subjects never taught", str(pairs["test"])],
    ]
    return "\n".join(
        [
            "---",
            "library_name: peft",
            f"base_model: {json.dumps(base['name'])}",
            "tags: [pixel-art, lora]",
            "---",
            "",
            "# An adapter that was taught to draw",
            "",
            "Writes 24×24 drawings as JSON when it is asked as `pixelreef draw run` asks. "
            f"Made by pixelreef {__version__}.",
            "",
            markdown_table(["", ""], [False, False], [[markdown_text(cell) for cell in row] for row in rows]),
            "What answers on subjects held back cost, before and after (nats per token; bits per drawing):",
            "",
            markdown_table(["encoding", "before", "after"], [False, True, True], _costs(looks, kept)),
            "A lower cost is a better guess at the next sign. It does not say that a picture shows its subject: "
            "`pixelreef tune compare` asks that.",
            "",
        ]
    )


def _costs(looks: list[Look], kept: Look) -> list[list[str]]:
    first = looks[0].encodings if looks and looks[0].step == 0 else {}
    return [
        [markdown_text(name), *(f"{one.loss:.4f}; {one.bits:,.0f}" if one else "–" for one in (first.get(name), after))]
        for name, after in kept.encodings.items()
    ]
