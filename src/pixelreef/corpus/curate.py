"""Curation: a file of decisions about sprites, made by a person, and the corpus that follows from it.

    {"format": "pixelreef-decisions", "version": 1, "corpus": "<hash of the corpus they were made on>",
     "decisions": {"<hash of a sprite>": {"do": "drop"},
                   "<another>": {"do": "keep", "relabel": {"zone": "abyss"}, "weight": 2}}}

A decision is about a picture, by the hash of what is seen, so it holds for every copy of it, and in other corpora too.
What was not decided stays as it is.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pixelreef.core.files import read_bytes
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.corpus.entry import Entry
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.layout import Factors, check_factor_names
from pixelreef.corpus.opened import Corpus
from pixelreef.errors import DocumentError

FORMAT, VERSION = "pixelreef-decisions", 1
_HASH = re.compile(r"[0-9a-f]{32}\Z")
_KEYS = {"do", "relabel", "weight"}


@dataclass(frozen=True)
class Decision:
    """What is to become of one sprite."""

    keep: bool = True
    relabel: Mapping[str, str] = field(default_factory=dict)
    """Factor → its new value; an empty value takes the factor away."""
    weight: float | None = None

    def document(self) -> dict[str, Any]:
        """As it stands in the file."""
        made: dict[str, Any] = {"do": "keep" if self.keep else "drop"}
        if self.relabel:
            made["relabel"] = dict(self.relabel)
        return made if self.weight is None else {**made, "weight": self.weight}


@dataclass(frozen=True)
class Decisions:
    """The decisions of one file."""

    corpus: str
    """The hash of the corpus that they were made on; empty when not said."""
    by_hash: Mapping[str, Decision]

    @property
    def hash(self) -> str:
        """32 hex digits over the decisions, in whatever order they were made."""
        made = {name: decision.document() for name, decision in self.by_hash.items()}
        return hashlib.blake2b(json.dumps(made, sort_keys=True).encode(), digest_size=16).hexdigest()

    def document(self) -> dict[str, Any]:
        """The file as JSON values."""
        made = {name: decision.document() for name, decision in self.by_hash.items()}
        return {"format": FORMAT, "version": VERSION, "corpus": self.corpus, "decisions": made}


def read_decisions(path: str | os.PathLike[str]) -> Decisions:
    """Read a file of decisions; a mistake in it is one clear error, for it is the user's own work."""
    what = f"decisions {os.fspath(path)!r}"
    return decisions_from_document(json_from_bytes(read_bytes(path), what), what)


def decisions_from_document(document: Any, what: str = "decisions") -> Decisions:
    """Check every field.

    >>> decisions_from_document({"format": FORMAT, "version": 1, "decisions": {"0" * 32: {"do": "drop"}}}).by_hash
    {'00000000000000000000000000000000': Decision(keep=False, relabel={}, weight=None)}
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DocumentError(what, f"be an object of format {FORMAT!r}", _kind(document))
    if document.get("version") != VERSION:
        raise DocumentError(what, f"be of version {VERSION}", document.get("version"), "Update pixelreef.")
    listed = document.get("decisions")
    if not isinstance(listed, dict) or not isinstance(document.get("corpus", ""), str):
        raise DocumentError(what, "hold decisions by sprite hash, and the hash of a corpus", _kind(listed))
    return Decisions(document.get("corpus", ""), {name: _decision(name, one, what) for name, one in listed.items()})


def curate(corpus: Corpus, decisions: Decisions, intake: Intake) -> Iterator[Entry]:
    """The entries of the new corpus. `intake` counts what was done, and lists decisions about no sprite of this one."""
    met: set[str] = set()
    order = list(factors_after(corpus.factors, decisions))
    for entry in corpus:
        decision = decisions.by_hash.get(entry.hash)
        if decision is None:
            intake.count("not decided")
            yield entry
            continue
        met.add(entry.hash)
        if not decision.keep:
            intake.count("dropped")
            continue
        changed = _changed(entry, decision, order)
        intake.count("kept")
        intake.count("relabelled", changed.factors != entry.factors)
        intake.count("reweighted", changed.weight != entry.weight)
        yield changed
    for name in decisions.by_hash:
        if name not in met:
            intake.refuse(name, "no sprite of the corpus has this hash")
    for row, reason in corpus.refused.items():
        intake.refuse(f"row {row}", reason)


def factors_after(factors: Factors, decisions: Decisions) -> Factors:
    """The corpus' factors and values, then those that the decisions bring in."""
    made = {name: list(values) for name, values in factors.items()}
    for decision in decisions.by_hash.values():
        for name, value in decision.relabel.items():
            values = made.setdefault(name, [])
            if value and value not in values:
                values.append(value)
    check_factor_names(list(made))
    return made


def history_after(corpus: Corpus, decisions: Decisions, intake: Intake) -> dict[str, Any]:
    """What the new corpus records: its parent, the decisions, and the steps before."""
    kinds = Counter(_word(decision) for decision in decisions.by_hash.values())
    return {
        "by": "curate",
        "parents": [{"hash": corpus.hash, "count": corpus.count, "file": corpus.path.name}],
        "decisions": {"hash": decisions.hash, "made_on": decisions.corpus, **dict(sorted(kinds.items()))},
        "record": intake.document(),
        "before": steps_of(corpus.history),
    }


def steps_of(history: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A history and what came before it as a flat list, the oldest first."""
    if not history:
        return []
    before = history.get("before")
    return [*(before if isinstance(before, list) else []), {k: v for k, v in history.items() if k != "before"}]


def _changed(entry: Entry, decision: Decision, order: list[str]) -> Entry:
    wanted = {**entry.factors, **decision.relabel}
    factors = {name: wanted[name] for name in order if wanted.get(name)}
    return replace(entry, factors=factors, weight=entry.weight if decision.weight is None else decision.weight)


def _word(decision: Decision) -> str:
    if not decision.keep:
        return "drop"
    words = [*(["relabel"] if decision.relabel else []), *([] if decision.weight is None else ["reweight"])]
    return " and ".join(words) or "keep"


def _decision(name: str, one: Any, what: str) -> Decision:
    what = f"decision about {name[:40]!r} in {what}"
    if not _HASH.match(name):
        raise DocumentError(what, "be named by a sprite's hash, 32 hex digits", name)
    if not isinstance(one, dict) or set(one) - _KEYS or one.get("do") not in ("keep", "drop"):
        raise DocumentError(what, "say keep or drop under 'do', and at most 'relabel' and 'weight' more", one)
    relabel, weight = one.get("relabel", {}), one.get("weight")
    if not isinstance(relabel, dict) or not all(isinstance(value, str) for value in relabel.values()):
        raise DocumentError(what, "relabel by an object of factors and values", relabel)
    fine = weight is None or (isinstance(weight, int | float) and not isinstance(weight, bool))
    if not fine or (weight is not None and not (math.isfinite(weight) and weight >= 0)):
        raise DocumentError(what, "have a weight from 0 up", weight)
    return Decision(one["do"] == "keep", relabel, None if weight is None else float(weight))


def _kind(document: Any) -> Any:
    return document.get("format", "none") if isinstance(document, dict) else type(document).__name__
