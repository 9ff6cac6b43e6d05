"""What the commands share that leave a record in the trail: their options, and the way from facts to a line.

    recorder = Recorder(note, no_trail)
    facts = write_corpus(…)
    recorder.add("corpus", facts.record)

The trail is `trail.jsonl` in the working folder; PIXELREEF_TRAIL names another file or folder, or is `off`. A record
that can't be written is one line on stderr, and the command goes on: its work is done.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from pixelreef.trail.record import Record, Sheet

VARIABLE, OFF = "PIXELREEF_TRAIL", "off"

NOTE = Annotated[str, typer.Option("--note", metavar="TEXT", help="A remark that stands in the trail.")]
NO_TRAIL = Annotated[bool, typer.Option("--no-trail", help="Leave no record in trail.jsonl.")]


def trail_file() -> Path:
    """Where the trail is, whether it is written or not."""
    from pixelreef.trail.file import NAME

    given = os.environ.get(VARIABLE, "")
    path = Path(NAME if given in ("", OFF) else given)
    return path / NAME if path.is_dir() else path


class Recorder:
    """Times a command from its beginning, and appends its record at its end."""

    def __init__(self, note: str = "", no_trail: bool = False) -> None:
        self.note = note
        self.off = no_trail or os.environ.get(VARIABLE) == OFF
        self.began = time.monotonic()

    def add(self, kind: str, facts: Callable[[], Mapping[str, Any]], sheets: Iterable[Path] = ()) -> None:
        """Append a record of facts, which are asked for now, and of sheets that lie below the trail's folder."""
        if self.off:
            return
        try:
            self._add(kind, dict(facts()), list(sheets))
        except Exception as error:  # whatever it is, what the command made must not be lost for it
            reason = str(error).partition("\n")[0] or type(error).__name__
            print(f"No record was left in the trail: {ascii(reason)[1:-1]}", file=sys.stderr)

    def _add(self, kind: str, facts: dict[str, Any], sheets: list[Path]) -> None:
        from pixelreef.trail.file import append_record
        from pixelreef.trail.record import Record, now

        minutes = facts.pop("minutes", (time.monotonic() - self.began) / 60)
        path = trail_file()
        record = Record(
            kind,
            now(),
            shlex.join(["pixelreef", *sys.argv[1:]]),
            note=self.note,
            minutes=minutes,
            sheets=tuple(_sheets(sheets, path.parent)),
            **facts,
        )
        append_record(path, record)


def _sheets(paths: list[Path], folder: Path) -> list[Sheet]:
    from pixelreef.trail.sheets import sheet_from_file

    found = [sheet for path in paths if (sheet := sheet_from_file(path, folder)) is not None]
    if len(found) < len(paths):
        print("Sheets outside the trail's folder are not in its record.", file=sys.stderr)
    return found


def add_note(text: str, about: str, file: Path) -> Record:
    """Put a note on a record of a trail, the last one unless its id is given."""
    from pixelreef.errors import InputError
    from pixelreef.trail.file import append_record, read_trail
    from pixelreef.trail.record import MAX_TEXT, Record, now

    if not text.strip() or len(text) > MAX_TEXT:
        raise InputError("note", f"be of 1 to {MAX_TEXT:,} characters", f"{len(text):,}", verbatim=True)
    records = [one for one in read_trail(file).records if one.kind != "note"]
    if not records:
        raise InputError(f"trail {str(file)!r}", "have a record to put a note on", "none", verbatim=True)
    chosen = [one for one in records if about and one.id.startswith(about)] if about else records[-1:]
    if len({one.id for one in chosen}) != 1:
        raise InputError("--about", "begin the id of one record; trail --json has them", about)
    append_record(file, Record("note", now(), note=text, about=chosen[0].id))
    return chosen[0]
