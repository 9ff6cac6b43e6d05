"""What a run leaves in its folder while it goes on, and at its end. Knows no torch.

run.json                what is trained on what: corpus, recipe, configuration
checkpoint.safetensors  where it stands (`checkpoint`)
history.jsonl           a line for every look (`history`)
sheet-<step>.png        what the model draws
weights.safetensors     the running mean of the weights, as of the last look; of a `raster` model raster.safetensors
card.md                 what anybody should know who is given the weights (`card`)
report.html             all of it as a page (`report`)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pixelreef.core.files import write_json, write_text
from pixelreef.sprites.card import NAME as CARD
from pixelreef.sprites.card import card_from_weights
from pixelreef.sprites.drawn import SHOWN, Copies, Draw, draw_cells, engine_draw, judged, write_sheet
from pixelreef.sprites.history import Bits, Look, add_to_history, read_history
from pixelreef.sprites.lecture import Lecture
from pixelreef.sprites.recipe import Recipe
from pixelreef.sprites.report import run_page
from pixelreef.sprites.weights import Weights, hash_of_file, read_weights, write_weights
from pixelreef.taste.calibration import shipped_calibration

WEIGHTS = "weights.safetensors"
RASTER = "raster.safetensors"
REPORT = "report.html"

Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Outcome:
    """What became of a run."""

    out: Path
    weights: Path
    look: Look
    """The one whose weights are kept, with the verdicts on them."""
    seconds: float
    """Of the whole run."""
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What was trained on what."""
    hash: str = ""
    """Of the weights."""
    sheets: tuple[Path, ...] = ()
    """What the model drew on its way, the last at the end."""

    def record(self) -> dict[str, Any]:
        """What a record of iterations keeps of it, as JSON values."""
        judged = {"calibration": shipped_calibration().hash} if self.look.verdicts else {}
        return {
            **judged,
            "corpus": self.facts.get("corpus", ""),
            "weights": self.hash,
            "fields": self.facts.get("recipe", {}),
            "minutes": self.seconds / 60,
            "loss": self.look.loss,
            "losses": dict(self.look.cells),
            "verdicts": dict(self.look.verdicts or {}),
            "made": {
                "out": str(self.out),
                "step": self.look.step,
                "taught": self.facts.get("taught"),
                "copied": self.look.copied,
                "start": self.facts.get("start"),
            },
        }

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "out": str(self.out),
            "weights": str(self.weights),
            "minutes": round(self.seconds / 60, 2),
            **self.look.document(),
            "notes": list(self.notes),
        }


def run_facts(lecture: Lecture, recipe: Recipe, start: Arrays | None) -> dict[str, Any]:
    """What must stay the same while a run goes on."""
    return {
        **lecture.facts,
        "recipe": recipe.model_dump(),
        "config": lecture.config.document(),
        "start": None if start is None else _hash(start),
    }


def due(recipe: Recipe, done: int) -> bool:
    """Whether to look at the model after so many steps."""
    return any(_at(recipe, done, every) for every in (recipe.validate_every, recipe.sheet_every, recipe.judge_every))


def _at(recipe: Recipe, done: int, every: int) -> bool:
    return done == recipe.steps or bool(every and done % every == 0)


class Watch:
    """Looks at the model from time to time."""

    def __init__(self, lecture: Lecture, recipe: Recipe, out: Path, facts: Mapping[str, Any], step: int) -> None:
        self.lecture, self.recipe, self.out, self.facts = lecture, recipe, out, facts
        self.copies = Copies(lecture)
        self.looks = [one for one in read_history(out) if one.step <= step]
        self.path = out / (WEIGHTS if recipe.shape == "reef" else RASTER)
        for part in out.glob(".*.safetensors"):  # what a kill in the middle of writing left; nobody else writes here
            part.unlink(missing_ok=True)
        write_json(out / "run.json", facts)

    @property
    def ended(self) -> bool:
        """Whether the run had been stopped before."""
        return bool(self.looks) and self.looks[-1].stopped

    def look(self, done: int, seconds: float, taught: float, found: Bits, arrays: Arrays, draw: Draw) -> Look:
        """Draw, judge and write what is due."""
        recipe, best = self.recipe, self._best
        copied = None if recipe.copies is None else self.copies.drawn(draw, recipe.seed)
        copies = copied is not None and copied > self.copies.usual + (recipe.copies or 0.0)
        no_better = recipe.patience is not None and best is not None and found.loss >= best.loss
        stopped = copies or (no_better and self._since(best) + 1 >= (recipe.patience or 0))
        look = kept = Look(done, seconds, taught, found.loss, found.opaque, found.cells, copied, None, stopped)
        if best is not None and (copies or no_better):
            kept, arrays = best, read_weights(self.path).arrays
            draw = engine_draw(self.lecture.config, arrays)
        verdicts = self._samples(look, kept, draw)
        look, kept = replace(look, verdicts=verdicts), replace(kept, verdicts=verdicts)
        self.looks = add_to_history(self.out, look)
        self._keep(kept, arrays)
        self._page()
        return look

    @property
    def _best(self) -> Look | None:
        """The look whose weights are kept: the last that did not end the run, or with patience that of lowest loss."""
        going = [one for one in self.looks if not one.stopped] or self.looks
        if self.recipe.patience is None:
            return going[-1] if going else None
        return min(going, key=lambda one: one.loss, default=None)

    def _since(self, look: Look | None) -> int:
        """Looks after this one."""
        return sum(look is not None and one.step > look.step for one in self.looks)

    def finish(self) -> Outcome:
        """What became of the run."""
        sheets = (self.out / f"sheet-{look.step}.png" for look in self.looks)
        drawn = tuple(sheet for sheet in sheets if sheet.exists())
        last = self.looks[-1]
        kept = replace(self._best or last, verdicts=last.verdicts)
        hashed = hash_of_file(self.path)
        return Outcome(self.out, self.path, kept, last.seconds, self._notes(), self.facts, hashed, drawn)

    def _page(self) -> None:
        write_text(self.out / REPORT, run_page(self.facts, self.looks, self.out, self._notes()).html())

    def _notes(self) -> tuple[str, ...]:
        return (*self.lecture.notes, *self._ending())

    def _samples(self, look: Look, kept: Look, draw: Draw) -> dict[str, str] | None:
        """Write a sheet of what is kept, and ask taste, when it is time to; cell → verdict."""
        recipe = self.recipe
        judges = recipe.judged > 0 and (look.stopped or _at(recipe, look.step, recipe.judge_every))
        if not (judges or look.stopped or _at(recipe, look.step, recipe.sheet_every)):
            return None
        samples = draw_cells(self.lecture, draw, recipe.judged if judges else SHOWN, recipe.seed)
        title = f"step {kept.step:,}, {kept.loss:.3f} bits per pixel"
        write_sheet(samples, self.out / f"sheet-{look.step}.png", title)
        if not judges:
            return None
        return {cell: verdict.word for cell, verdict in judged(self.lecture, samples, recipe.seed).cells.items()}

    def _keep(self, look: Look, arrays: Arrays) -> None:
        facts = {
            "corpus": self.facts["corpus"],
            "taught": self.facts["taught"],
            "recipe": self.facts["recipe"],
            "step": look.step,
            "minutes": round(look.seconds / 60, 2),
            "loss": look.loss,
            "losses": dict(look.cells),
            "verdicts": dict(look.verdicts or {}),
            "copied": look.copied,
        }
        if look.verdicts is not None:
            facts |= {"judged": self.recipe.judged, "calibration": shipped_calibration().hash}
        weights = Weights(self.lecture.config, self.lecture.palette, arrays, facts)
        write_weights(self.path, weights)
        if self.recipe.shape == "reef":
            write_text(self.out / CARD, card_from_weights(weights))

    def _ending(self) -> list[str]:
        if not self.looks[-1].stopped:
            return []
        last, best = self.looks[-1], self._best
        if self.recipe.patience is not None and best is not None and self._since(best) >= self.recipe.patience:
            return [
                f"Stopped at step {last.step:,}: sprites held back cost {last.loss:.3f} bits per pixel, no less than "
                f"the {best.loss:.3f} of step {best.step:,}, whose weights are kept."
            ]
        share, usual, kept = last.copied or 0.0, self.copies.usual, "the look before"
        if self.recipe.patience is not None and best is not None:
            kept = f"step {best.step:,}"
        return [
            f"Stopped at step {last.step:,}: {share:.0%} of samples are near-copies of sprites taught, "
            f"against {usual:.0%} of sprites held back. The weights kept are those of {kept}."
        ]


def _hash(arrays: Arrays) -> str:
    found = hashlib.blake2b(digest_size=16)
    for name in sorted(arrays):
        found.update(name.encode() + np.ascontiguousarray(arrays[name], np.float32).tobytes())
    return found.hexdigest()
