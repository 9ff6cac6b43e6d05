"""Controls as entrants on a board: every control's answer to every item, as files that are scored like any other.

    fit = fitted_on_others(dataset("reef-parts"), seed=0)
    names = write_controls(((item.id, exhibit_from_item(item, classes)) for item in items), out, segmenter=fit)

    out/<control>/<id>.1.png    or .jpg for those that came as JPEG
    out/segmenter/<id>.1.png    the floor that really predicts, where one is given

`out` is for controls alone, and nothing else is written there. A control that an item can't show (no photograph to
return) has no file for it; one that no item can show is no entrant. The segmenter never answers what it learnt from: it
is fitted on other items of a made dataset, or on one half of a folder for the other half and the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path

from pixelreef.core.files import inside, write_bytes
from pixelreef.core.seeds import derive
from pixelreef.errors import InputError
from pixelreef.masks.controls import CONTROLS, Control, control, control_file
from pixelreef.masks.dataset import MadeDataset
from pixelreef.masks.exhibit import Exhibit, exhibit_of
from pixelreef.masks.render import rgb_from_labels
from pixelreef.masks.segmenter import Segmenter, train_segmenter
from pixelreef.masks.soften import png_from_rgb

SEGMENTER = "segmenter"
SEGMENTER_SHOWS = "Colour clusters named on a few other pictures: a floor that really predicts."
PICTURES = 12  # that a segmenter learns from
_MAX_ID = 200  # characters, so that a name with its ending fits any file system

Fitted = Callable[[str], Segmenter]
"""Id → the segmenter that may answer it."""


def write_controls(
    exhibits: Iterable[tuple[str, Exhibit]],
    out: Path,
    seed: int = 0,
    names: Sequence[str] | None = None,
    segmenter: Segmenter | Fitted | None = None,
) -> list[str]:
    """Write the controls (all, or those named) and the segmenter's answers; return the entrants in their order.

    Exhibits are asked for one after another, so that one at a time is in memory. An answer depends on seed and id, not
    on which other items there are.
    """
    chosen = [control(name) for name in (CONTROLS if names is None else names) if name != SEGMENTER]
    if names is not None and SEGMENTER in names and segmenter is None:
        raise InputError("control 'segmenter'", "be given with a segmenter that was fitted", "none")
    fit = segmenter if names is None or SEGMENTER in names else None
    written = dict.fromkeys([*(one.name for one in chosen), SEGMENTER], 0)
    for name, exhibit in exhibits:
        _check_id(name)
        number = derive(seed, "masks", "control", name)
        for one in chosen:
            if can_show(one, exhibit):
                _write(out, one.name, name, *control_file(one, exhibit, seed, number))
                written[one.name] += 1
        if fit is not None and exhibit.photograph is not None:
            _write(out, SEGMENTER, name, _predicted(fit, name, exhibit), ".png")
            written[SEGMENTER] += 1
    return [name for name, count in written.items() if count]


def can_show(one: Control, exhibit: Exhibit) -> bool:
    """Whether the control differs from others on this exhibit: there is a photograph, or a left and a right."""
    sided = any(partner is not None for partner in exhibit.classes.partners)
    return (exhibit.photograph is not None or not one.needs_photograph) and (sided or not one.needs_sides)


def fitted_on_others(made: MadeDataset, seed: int = 0, pictures: int = PICTURES) -> Segmenter:
    """A segmenter for a made dataset, fitted on items of a seed of its own, which no board of that seed holds."""
    small, own = made.sized(made.side), derive(seed, "masks", SEGMENTER, made.name) % 2**32
    return train_segmenter([exhibit_of(small, own, number) for number in range(pictures)], seed=seed)


def fitted_on_halves(
    ids: Iterable[str], read: Callable[[str], Exhibit], seed: int = 0, pictures: int = PICTURES
) -> Fitted:
    """Two segmenters for items that are all on the board, each fitted on a few of one half, to answer the other half.

    The halves are drawn by the seed. Items that can't be read, or have no photograph, teach nothing.
    """
    drawn = sorted(set(ids), key=lambda one: (derive(seed, "masks", SEGMENTER, one), one))
    halves = drawn[::2], drawn[1::2]
    fits = [train_segmenter(list(islice(_readable(half, read), pictures)), seed=seed) for half in halves]
    first = frozenset(halves[0])
    return lambda name: fits[1] if name in first else fits[0]


def _readable(ids: Iterable[str], read: Callable[[str], Exhibit]) -> Iterable[Exhibit]:
    for name in ids:
        try:
            exhibit = read(name)
        except InputError:
            continue  # whoever scores the item will say what is wrong with it
        if exhibit.photograph is not None:
            yield exhibit


def _predicted(fit: Segmenter | Fitted, name: str, exhibit: Exhibit) -> bytes:
    assert exhibit.photograph is not None
    one = fit if isinstance(fit, Segmenter) else fit(name)
    return png_from_rgb(rgb_from_labels(one.predict(exhibit.photograph), exhibit.classes))


def _write(out: Path, entrant: str, name: str, data: bytes, ending: str) -> None:
    write_bytes(inside(out, f"{entrant}/{name}.1{ending}"), data)


def _check_id(name: str) -> None:
    """An id must be a plain file name: what lies deeper is not found again when the folder is scored."""
    if not 0 < len(name.encode()) <= _MAX_ID or "/" in name or "\\" in name or "\0" in name or name.startswith("."):
        raise InputError("id", f"be a plain file name of at most {_MAX_ID} bytes", name)
