"""A calibration: the limits of every gate, worked out from cells with known faults, with a version and a hash.

    {"format": "pixelreef-calibration", "version": 1, "status": "calibrated", "made": {…how…},
     "gates": {"orphans": {"fewest": 10, "at": [{"n": 200, "warn": 0.2, "fail": 0.3}]}},
     "hash": "<32 hex digits over all of the above>"}

The one that is used unless another is given is shipped beside this file. A calibration whose status is `provisional`
was not worked out on faults: its verdicts are a first look, and every report says so.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from pixelreef.core.files import read_bytes
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.errors import DocumentError
from pixelreef.taste.evidence import Limit, Limits

FORMAT, VERSION = "pixelreef-calibration", 1
STATUSES = ("provisional", "calibrated")
_FILE = "calibration.json"


@dataclass(frozen=True)
class Calibration:
    """The limits of gates, by name."""

    gates: Mapping[str, Limits]
    status: str = "provisional"
    made: Mapping[str, Any] = field(default_factory=dict)
    """How it was worked out, as JSON values: seeds, corpora, faults, rates."""

    def limits(self, gate: str) -> Limits | None:
        """Those of a gate; None for one that was not calibrated, which then says nothing."""
        return self.gates.get(gate)

    @property
    def hash(self) -> str:
        """32 hex digits over everything but the hash itself."""
        text = json.dumps(self._content(), sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def document(self) -> dict[str, Any]:
        """The file as JSON values."""
        return {**self._content(), "hash": self.hash}

    def _content(self) -> dict[str, Any]:
        gates = {
            name: {
                "fewest": one.fewest,
                "at": [{"n": limit.n, "warn": limit.warn, "fail": limit.fail} for limit in one.at],
            }
            for name, one in self.gates.items()
        }
        return {"format": FORMAT, "version": VERSION, "status": self.status, "made": dict(self.made), "gates": gates}


@cache
def shipped_calibration() -> Calibration:
    """The calibration that comes with this version."""
    data = resources.files("pixelreef.taste").joinpath(_FILE).read_bytes()
    return calibration_from_document(json_from_bytes(data, _FILE), _FILE)


def read_calibration(path: str | os.PathLike[str]) -> Calibration:
    """A calibration from a file."""
    what = f"calibration {os.fspath(path)!r}"
    return calibration_from_document(json_from_bytes(read_bytes(path), what), what)


def calibration_from_document(document: Any, what: str = "calibration") -> Calibration:
    """Check every field, and the hash."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise DocumentError(what, f"be an object of format {FORMAT!r}", type(document).__name__)
    if document.get("version") != VERSION:
        raise DocumentError(what, f"be of version {VERSION}", document.get("version"), "Make it anew: taste calibrate.")
    status, made, gates = document.get("status"), document.get("made", {}), document.get("gates")
    if status not in STATUSES or not isinstance(made, dict) or not isinstance(gates, dict):
        raise DocumentError(what, f"have a status of {' or '.join(STATUSES)}, how it was made, and gates", status)
    read = Calibration({name: _limits(one, f"gate {name!r} of {what}") for name, one in gates.items()}, status, made)
    if document.get("hash") != read.hash:
        todo = "It was changed by hand: make it anew with taste calibrate."
        raise DocumentError(what, f"have the hash of its content, {read.hash}", document.get("hash"), todo)
    return read


def _limits(one: Any, what: str) -> Limits:
    at = one.get("at") if isinstance(one, dict) else None
    if not isinstance(at, list) or not _is_count(one.get("fewest")) or not all(isinstance(limit, dict) for limit in at):
        raise DocumentError(what, "have the fewest sprites and a list of limits", one)
    limits = [Limit(limit.get("n"), limit.get("warn"), limit.get("fail")) for limit in at]
    for limit in limits:
        if not _is_count(limit.n) or not all(value is None or _is_number(value) for value in (limit.warn, limit.fail)):
            raise DocumentError(what, "have limits of a number of sprites, and numbers or null to warn and fail", limit)
    if [limit.n for limit in limits] != sorted({limit.n for limit in limits}):
        raise DocumentError(what, "have its limits in order of their sprites", [limit.n for limit in limits])
    return Limits(one["fewest"], tuple(limits))


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
