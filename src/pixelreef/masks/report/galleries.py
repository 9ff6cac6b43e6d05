"""The galleries of a report: rows with everyone, the best and worst of each, and what failed.

The page must open on a laptop whatever the number of masks, so pictures have a budget in bytes and in number. What does
not fit is chosen by `choice`; the page says how many are shown and why, and the tables hold all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import numpy as np

from pixelreef.core.grid import Grid
from pixelreef.core.palette import Palette
from pixelreef.core.render import png_from_grid
from pixelreef.masks.item import AttemptScore
from pixelreef.masks.measures import FAILURES, PRIMARY
from pixelreef.masks.report.analysis import Entrant
from pixelreef.masks.report.choice import KINDS, Chosen, counted, failed_attempts, in_turns
from pixelreef.masks.report.pictures import Album
from pixelreef.masks.report.thumbs import tile_png
from pixelreef.report import Gallery, Lined, Part, Picture

MOST_BYTES = 24_000_000
"""Of the pictures of the gallery; those of the other sections are few."""
MOST_PANES = 480
"""Predictions in the gallery."""
MOST_EXTREMES = 8
"""Entrants of which the best and the worst are shown."""
MOST_FAILURES = 60
_TILE = 144
_EACH = 2  # best, and worst, of an entrant

Progress = Callable[[str, int, int], None]


@dataclass(eq=False)
class Galleries:
    """Made when first asked for; `record` then says what the page shows."""

    album: Album
    most_bytes: int = MOST_BYTES
    most_panes: int = MOST_PANES
    progress: Progress | None = None
    _rows: list[Lined] | None = field(default=None, init=False)
    _shown: list[Chosen] = field(default_factory=list, init=False)

    def all_rows(self) -> list[Part]:
        """The gallery: as many images as the budget has room for, each with everyone."""
        rows = self._made()
        return [self.album.lineup(rows)] if rows else []

    def words(self) -> str:
        """Which images are shown, and of how many."""
        shown, total = len(self._made()), len(self.album.found.scores.items)
        if shown == total:
            return f"All {total:,} images are shown."
        kinds = ", ".join(f"{count:,} {_KIND_WORDS[kind]}" for kind, count in counted(self._shown).items() if count)
        return f"{shown:,} of {total:,} images are shown: {kinds}. images.csv has all."

    @property
    def record(self) -> Mapping[str, Any]:
        """The same as JSON values."""
        return {"shown": len(self._made()), "of": len(self.album.found.scores.items), **counted(self._shown)}

    def extremes(self) -> list[Part]:
        """The best and the worst of each entrant."""
        rows = [row for one in self.album.found.entrants[:MOST_EXTREMES] for row in self._extremes_of(one)]
        return [self.album.lineup(rows)] if rows else []

    def failures(self) -> list[Part]:
        """What failed, with the reason and what was said; entrants and kinds in turns."""
        failed = self._failed()
        if not failed:
            return []
        pictures = [self._failure(one, attempt, failure) for one, attempt, failure in failed[:MOST_FAILURES]]
        return [Gallery(pictures, _TILE, "Attempts that failed")]

    def failure_words(self) -> str:
        failed = len(self._failed())
        shown = "" if failed <= MOST_FAILURES else f" {MOST_FAILURES} are shown, entrants and kinds in turns."
        return f"{failed:,} attempts failed and score 0.{shown} Each opens with its reason and what was said."

    def _made(self) -> list[Lined]:
        if self._rows is None:
            self._rows = self._chosen_rows()
        return self._rows

    def _chosen_rows(self) -> list[Lined]:
        rows: list[Lined] = []
        spent = panes = 0
        chosen = in_turns(self.album.found)
        for place, one in enumerate(chosen):
            if self.progress:
                self.progress("making the gallery", place, len(chosen))
            row = self.album.row(one)
            if row is None:
                continue
            spent += self.album.lineup([row]).size()
            panes += len(row.panes)
            if rows and (spent > self.most_bytes or panes > self.most_panes):
                break
            rows.append(row)
            self._shown.append(one)
        if len(rows) < len(chosen):
            order = sorted(range(len(rows)), key=lambda place: KINDS.index(self._shown[place].kinds[0]))
        else:
            order = sorted(range(len(rows)), key=lambda place: rows[place].title)
        return [rows[place] for place in order]

    def _extremes_of(self, one: Entrant) -> list[Lined]:
        decoder = self.album.found.decoders[0]
        valid = [attempt for attempt in one.standing.attempts if attempt.scores[decoder].failure is None]
        ranked = sorted(valid, key=lambda attempt: -attempt.scores[decoder].measures[PRIMARY])
        best, worst = ranked[:_EACH], ranked[_EACH:][::-1][:_EACH]
        made = [self.album.single(one, attempt, f"{one.name}, best", "best") for attempt in best]
        made += [self.album.single(one, attempt, f"{one.name}, worst", "worst") for attempt in worst]
        return [row for row in made if row is not None]

    def _failed(self) -> list[tuple[Entrant, AttemptScore, str]]:
        """Failed attempts of entrants; of controls only where there are no entrants."""
        found = self.album.found
        lists: dict[tuple[str, str], list[tuple[Entrant, AttemptScore, str]]] = {}
        for one in found.entrants or found.controls:
            for attempt, failure in failed_attempts(one):
                lists.setdefault((failure, one.name), []).append((one, attempt, failure))
        return [item for turn in zip_longest(*lists.values()) for item in turn if item is not None]

    def _failure(self, one: Entrant, attempt: AttemptScore, failure: str) -> Picture:
        reason = attempt.scores[self.album.found.decoders[0]].reason
        rgba = self.album.returned(one, attempt)
        png, width, height = (_NOTHING, 24, 24) if rgba is None else tile_png(rgba, _TILE)
        words = reason if len(reason) <= 90 else f"{reason[:88]}…"
        detail = "\n\n".join(part for part in (FAILURES[failure], reason, self.album.said(one, attempt)) if part)
        title = f"{one.name}: {attempt.item}" + (f" · {attempt.attempt}" if one.standing.most_attempts > 1 else "")
        return Picture(
            png, width, height, title, f"{failure}: {words}", (f"failure:{failure}", f"entrant:{one.name}"), detail
        )


_KIND_WORDS = {"best": "of the best", "worst": "of the worst", "failed": "with failures", "sample": "of an even sample"}


def _crossed() -> bytes:
    """A tile that says 'no picture': two thin diagonals."""
    cells = np.zeros((24, 24), np.uint8)
    steps = np.arange(4, 20)
    cells[steps, steps] = cells[steps, 23 - steps] = 1
    return png_from_grid(Grid(cells), Palette.from_hex(["d8d8d8", "8a8a8a"]))


_NOTHING = _crossed()
