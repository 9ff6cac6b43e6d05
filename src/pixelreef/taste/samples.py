"""Judging samples against a corpus: per cell learned, weak, noise, collapsed, copied, empty, or too few to tell.

    judged = judge_samples(samples, sprites_from_corpus(open_corpus("reef.parquet")))
    judged.cells["coral/abyss"].word, judged.cells["coral/abyss"].reasons

Samples are brought to the corpus' size and palette first. A cell of the corpus without samples is one of too few.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pixelreef.core.quantise import quantise
from pixelreef.corpus.fit import fitted
from pixelreef.errors import GridError, InputError
from pixelreef.taste.against.accuracy import Accuracy
from pixelreef.taste.against.collapse import Collapse
from pixelreef.taste.against.copying import Copying
from pixelreef.taste.against.emptiness import Emptiness
from pixelreef.taste.against.fidelity import Fidelity
from pixelreef.taste.against.pairing import Pairing, SampleStage
from pixelreef.taste.against.texture import Texture
from pixelreef.taste.calibration import Calibration, shipped_calibration
from pixelreef.taste.evidence import FAIL, PASS, TOO_FEW, WARN, CellVerdict, Evidence, Finding, level_of
from pixelreef.taste.judge import Judgement, Told
from pixelreef.taste.sprites import Sprites
from pixelreef.taste.stage import StageRun

SAMPLE_STAGES: tuple[SampleStage, ...] = (Emptiness(), Copying(), Collapse(), Texture(), Fidelity(), Accuracy())
LEARNED, WEAK, NOISE, COLLAPSED, COPIED, EMPTY = "learned", "weak", "noise", "collapsed", "copied", "empty"
WORDS = {
    "samples_empty": EMPTY,
    "samples_copied": COPIED,
    "samples_copy_test": COPIED,
    "samples_distinct": COLLAPSED,
    "samples_off_texture": NOISE,
    "samples_drift": NOISE,
    "samples_reverse": NOISE,
    "samples_spacing": COLLAPSED,
    "samples_density": NOISE,
    "samples_kernel": NOISE,
    "samples_accuracy": NOISE,
    "samples_coverage": COLLAPSED,
}
"""Gate → the verdict when it fails. Of several that fail the first here decides: what is said most plainly."""
_ALL_ELSE = {"samples_off_texture", "samples_density", "samples_reverse"}
_SHARES = {"emptiness": 0.01, "copying": 0.4, "collapse": 0.05, "texture": 0.04, "fidelity": 0.12, "accuracy": 0.18}
_FEATURES = 0.2  # of the time, before the first stage: 1,920 samples against 20,000 sprites


def judge_samples(
    samples: Sprites,
    corpus: Sprites,
    calibration: Calibration | None = None,
    seed: int = 0,
    progress: Told | None = None,
    held_out: Sprites | None = None,
    stages: Sequence[SampleStage] = SAMPLE_STAGES,
) -> Judgement:
    """Hold samples against a corpus, and judge every cell of it.

    `held_out` are real sprites that whoever drew the samples never saw; they sharpen the copy test.
    """
    limits = calibration or shipped_calibration()
    if not any(gate.name in limits.gates for stage in stages for gate in stage.gates):
        todo = "Make one with: pixelreef taste calibrate"
        raise InputError("calibration", "know a gate for samples", "none", todo, verbatim=True)
    brought = brought_to(samples, corpus)
    evidence, runs = sample_evidence(brought, corpus, seed, progress, held_out, stages)
    cells = {
        cell: _verdict(cell, len(brought.by_cell[cell]), stages, evidence.get(cell, {}), limits)
        for cell, places in corpus.by_cell.items()
        if len(places)
    }
    strangers = [name for name, places in brought.by_cell.items() if len(places) and name not in cells]
    notes = [f"Cells that the corpus does not have were not judged: {', '.join(strangers[:8])}."] if strangers else []
    return Judgement("samples", brought, cells, runs, limits, seed, notes, corpus)


def sample_evidence(
    samples: Sprites,
    corpus: Sprites,
    seed: int = 0,
    progress: Told | None = None,
    held_out: Sprites | None = None,
    stages: Sequence[SampleStage] = SAMPLE_STAGES,
) -> tuple[dict[str, dict[str, Evidence]], list[StageRun]]:
    """Cell → stage → evidence, before any gate is asked; and what each stage took."""
    tell = progress or (lambda name, done, left: None)
    pairing = Pairing(samples, corpus, seed, held_out)
    total = _FEATURES + sum(_SHARES.get(stage.name, 0.2) for stage in stages)
    began, passed = time.perf_counter(), _FEATURES / total
    found: dict[str, dict[str, Evidence]] = {cell: {} for cell in pairing.pairs}
    runs = []
    for stage in stages:
        share, start = _SHARES.get(stage.name, 0.2) / total, time.perf_counter()

        def heard(done: float, stage: SampleStage = stage, before: float = passed, share: float = share) -> None:
            whole = before + share * done
            tell(stage.name, done, (time.perf_counter() - began) * (1 - whole) / whole)

        for cell, evidence in stage.run(pairing, heard).items():
            found[cell][stage.name] = evidence
        passed += share
        seconds = time.perf_counter() - start
        runs.append(StageRun(stage.name, seconds, seconds))
    return found, runs


def brought_to(samples: Sprites, corpus: Sprites) -> Sprites:
    """The samples in the corpus' cells, palette and size: nearest colours, centred or reduced by whole factors.

    Cells that the corpus does not have come after its own.
    """
    cells, notes = samples.cells, list(samples.notes)
    if samples.palette != corpus.palette:
        cells = quantise(samples.palette.rgba[None], corpus.palette)[0][cells]
        notes.append("Samples were brought to the colours of the corpus, each to the nearest.")
    height, width = corpus.cells.shape[1:]
    if cells.shape[1:] != (height, width):
        if corpus.palette.transparent is None:
            raise GridError("samples", f"be {width} × {height} as the corpus is", cells.shape[:0:-1])
        cells = np.stack([fitted(one, (width, height), corpus.palette.transparent) for one in cells])
        notes.append(f"Samples were brought to the size of the corpus, {width} × {height}.")
    names = tuple(dict.fromkeys([*corpus.names, *samples.names]))
    place = np.array([names.index(name) for name in samples.names], np.intp)
    return replace(
        samples,
        cells=cells,
        palette=corpus.palette,
        names=names,
        cell=place[samples.cell],
        factors=corpus.factors,
        notes=tuple(notes),
    )


def _verdict(
    cell: str, n: int, stages: Sequence[SampleStage], evidence: Mapping[str, Evidence], calibration: Calibration
) -> CellVerdict:
    gates = [gate for stage in stages for gate in stage.gates]
    asked = [gate.judge(evidence.get(gate.stage, Evidence(0, {})), calibration.limits(gate.name)) for gate in gates]
    findings = tuple(finding for finding in asked if finding is not None)
    level = level_of(findings)
    return CellVerdict(cell, n, word_of(findings), level, findings, evidence)


def word_of(findings: Sequence[Finding]) -> str:
    """The verdict that findings lead to.

    >>> word_of([])
    'learned'
    """
    level = level_of(findings)
    if level == FAIL:
        return _fault(findings)
    return {PASS: LEARNED, WARN: WEAK, TOO_FEW: TOO_FEW}[level]


def _fault(findings: Sequence[Finding]) -> str:
    """The word of the first gate that fails, in the order of `WORDS`, but for two that can mislead."""
    levels = {finding.gate: finding.level for finding in findings}
    failed = [gate for gate in WORDS if levels.get(gate) == FAIL]
    if not failed:
        return NOISE
    elsewhere = failed[0] == "samples_coverage" and levels.get("samples_density", PASS) != PASS
    any_colours = failed[0] == "samples_distinct" and set(failed) >= _ALL_ELSE  # near-copies to `metrics.likeness`
    return NOISE if elsewhere or any_colours else WORDS[failed[0]]
