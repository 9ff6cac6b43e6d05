"""The boards of a report of masks. Controls stand on them unranked, each with what it shows.

The board leads with pixel accuracy and mean IoU and is ranked by the one figure that was fixed in advance. Whatever
failed counts as 0 there; every kind of failure has a column of its own, and the figure over what did not fail another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pixelreef.masks.control_board import SEGMENTER, SEGMENTER_SHOWS
from pixelreef.masks.control_entrants import CONTROL
from pixelreef.masks.controls import CONTROLS
from pixelreef.masks.diagnosis.findings import FAMILIES
from pixelreef.masks.measures import EDGES, FAILURES, PRIMARY, QUALITY, SIGNS
from pixelreef.masks.report.analysis import ACCURACY, Analysis, Entrant
from pixelreef.masks.standings import LOST_TO_FAILURE
from pixelreef.report import Board, Column, Row

TITLES = {
    "mean_iou_union": "mIoU",
    "mean_iou_truth": "mIoU, truth classes",
    "pixel_accuracy": "Pixel accuracy",
    "macro_f1_union": "F1 (Dice)",
    "macro_f1_truth": "F1, truth classes",
    "macro_precision_union": "Precision",
    "macro_precision_truth": "Precision, truth classes",
    "macro_recall": "Recall",
    "weighted_iou": "Weighted IoU",
    "boundary_iou_union": "Boundary IoU",
    "boundary_iou_truth": "Boundary IoU, truth classes",
    "boundary_f_union": "Boundary F",
    "boundary_f_truth": "Boundary F, truth classes",
    "stray_classes": "Stray classes",
    "stray_area": "Stray area",
    "unknown_share": "Unknown",
}
PRIMARY_WORDS = (
    "mIoU: mean over images of the mean IoU over the classes of truth and prediction (union), decoder robust, unknown "
    "pixels wrong, failures 0"
)
_CLASS_COLUMNS = {"iou": "IoU", "f1": "F1", "precision": "Precision", "recall": "Recall"}
FAMILY_ORDER = (*dict.fromkeys(FAMILIES.values()), "edges", "region", LOST_TO_FAILURE)
"""What points are lost to: faults with a name, the plainest first, then the rest."""
MOST_CLASSES = 60
"""Classes that one table of the page shows; classes.csv has all."""


def main_board(found: Analysis, caption: str) -> Board:
    """Everyone, by the primary figure."""
    columns = [
        Column("entrant", "Entrant"),
        _interval(ACCURACY, hint="share of pixels of the right class"),
        _interval(PRIMARY, hint="primary figure, fixed in advance"),
    ]
    if any(one.share_of_ceiling for one in found.everyone):
        columns.append(
            Column("share_of_ceiling", "Share of ceiling", "interval", hint="of mIoU; not cut at 1", scale=(0, 1.1))
        )
    columns += [
        Column("valid", "mIoU over valid", "interval", better="high", scale=(0, 1), hint="failures left out"),
        Column("failed", "Failed", "percent", better="low", hint="any reason"),
        *(Column(kind, kind.capitalize(), "percent", better="low", hint=_FAILURE_HINTS[kind]) for kind in FAILURES),
        _interval("macro_f1_union"),
        Column("attempts", "Attempts", "count"),
    ]
    return Board(columns, [_row(one) for one in found.everyone], caption, sort=PRIMARY, rank=True)


_FAILURE_HINTS = {
    "missing": "no file",
    "refused": "the model declined",
    "error": "the call failed",
    "timeout": "no answer in time",
    "unreadable": "no picture, or a broken one",
    "not-a-mask": "such as a photograph",
    "one-colour": "one class everywhere",
}


def measures_board(found: Analysis) -> Board:
    """Every measure there is."""
    there = list(found.everyone[0].measures)
    columns = [
        Column("entrant", "Entrant"),
        *(_interval(name, hint={**QUALITY, **EDGES, **SIGNS}[name]) for name in there),
        Column("whole", "mIoU of the data set", "number", better="high", hint="all images as one picture"),
    ]
    rows = [
        Row({"entrant": one.name, **one.measures, "whole": one.whole[PRIMARY]}, ranked=not one.is_control)
        for one in found.everyone
    ]
    return Board(columns, rows, "Every measure, under the primary decoder, failures 0", sort=PRIMARY)


def sensitivity_board(found: Analysis) -> Board:
    """The primary measure under every decoder, and its ceiling."""
    columns = [
        Column("entrant", "Entrant"),
        *(Column(name, f"mIoU, {name}", "interval", better="high", scale=(0, 1)) for name in found.decoders),
        Column("ceiling", "Ceiling", "interval", scale=(0, 1), hint="the truth, come the same way"),
        Column("share", "Share of ceiling", "interval", hint="not cut at 1"),
    ]
    rows = [
        Row(
            {"entrant": one.name, **one.sensitivity, "ceiling": one.ceiling, "share": one.share_of_ceiling},
            ranked=not one.is_control,
        )
        for one in found.everyone
    ]
    if all(one.ceiling is None for one in found.everyone):
        columns = columns[:-2]
        rows = [Row({key: row.cells[key] for key in ("entrant", *found.decoders)}, ranked=row.ranked) for row in rows]
    return Board(columns, rows, "The same pictures under every decoder", sort=found.decoders[0])


def attempts_board(found: Analysis) -> Board | None:
    """Mean, vote and best of k where there are several attempts."""
    several = [one for one in found.everyone if one.standing.most_attempts > 1]
    if not several:
        return None
    ks = sorted({k for one in several for k in one.best_of})
    oracle = {one.standing.most_attempts for one in several}
    columns = [
        Column("entrant", "Entrant"),
        _interval(PRIMARY, hint="mean over attempts"),
        Column("vote", "Majority vote", "interval", better="high", scale=(0, 1), hint="one mask of all attempts"),
        *(
            Column(
                f"best_of_{k}",
                f"Best of {k}",
                "interval",
                better="high",
                scale=(0, 1),
                hint="oracle: the best attempt, by one who knows the truth" if k in oracle else "expected, unbiased",
            )
            for k in ks
        ),
        Column("attempts", "Attempts per image", "count"),
    ]
    rows = [
        Row(
            {
                "entrant": one.name,
                PRIMARY: one.measures[PRIMARY],
                "vote": one.voted,
                **{f"best_of_{k}": best for k, best in one.best_of.items()},
                "attempts": one.standing.most_attempts,
            },
            ranked=not one.is_control,
        )
        for one in several
    ]
    return Board(columns, rows, "Several attempts at each image", sort=PRIMARY)


def pairs_board(found: Analysis) -> Board | None:
    """Paired differences of the primary measure."""
    if not found.differences:
        return None
    columns = [
        Column("first", "First"),
        Column("second", "Second"),
        Column("gap", "First − second, mIoU", "interval"),
        Column("p", "p", "number", digits=4, hint="two-sided, not corrected"),
        Column("smallest", "Smallest to be seen", "number", hint="shown four times in five by so many images"),
    ]
    rows = [
        Row({"first": first, "second": second, "gap": gap, "p": gap.p, "smallest": gap.smallest})
        for (first, second), gap in found.differences.items()
    ]
    return Board(columns, rows, "Differences on the same images")


def classes_board(shown: Sequence[Entrant]) -> Board:
    """The classes with most pixels in the truth: everything about one entrant, or the IoU of several."""
    shares = {name: values["share"] for name, values in shown[0].per_class.items()}
    there = [name for name in shares if any(not math.isnan(one.per_class[name]["iou"]) for one in shown)]
    rows = sorted(there, key=lambda name: -shares[name])[:MOST_CLASSES]
    columns = [Column("class", "Class"), Column("share", "Share of the truth", "percent")]
    if len(shown) == 1:
        columns += [Column(key, title, "number", better="high") for key, title in _CLASS_COLUMNS.items()]
        cells = {name: shown[0].per_class[name] for name in rows}
    else:
        columns += [
            Column(f"iou_{place}", one.name, "number", better="high", hint="IoU") for place, one in enumerate(shown)
        ]
        cells = {
            name: {"share": shares[name]}
            | {f"iou_{place}": one.per_class[name]["iou"] for place, one in enumerate(shown)}
            for name in rows
        }
    caption = "Classes, all images as one picture" + (f": {shown[0].name}" if len(shown) == 1 else "")
    return Board(columns, [Row({"class": name, **cells[name]}) for name in rows], caption, sort="share")


def verdicts_board(found: Analysis) -> Board | None:
    """How often each verdict was given, and where the points went."""
    examined = [(one, one.verdicts) for one in found.everyone if one.verdicts is not None]
    if not examined:
        return None
    there = {family for _, verdicts in examined for family, lost in verdicts.split.items() if lost}
    families = [family for family in FAMILY_ORDER if family in there]
    columns = [
        Column("entrant", "Entrant"),
        Column("verdicts", "Verdicts", hint="the commonest"),
        Column("score", "Points", "number", digits=1, better="high", hint="100 · mIoU, the mean over attempts"),
        *(Column(f"lost_{name}", name.capitalize(), "number", digits=1, better="low") for name in families),
    ]
    rows = [
        Row(
            {
                "entrant": one.name,
                "verdicts": verdicts.words,
                "score": verdicts.score,
                **{f"lost_{name}": verdicts.split.get(name, 0.0) for name in families},
            },
            ranked=not one.is_control,
        )
        for one, verdicts in examined
    ]
    return Board(columns, rows, "Why masks are wrong: verdicts, and points lost to each", sort="score")


def control_shows(entrant: str) -> str:
    """What a control shows, in one line; nothing for a name that is no control's."""
    name = entrant.removeprefix(CONTROL)
    if name == SEGMENTER:
        return SEGMENTER_SHOWS
    return CONTROLS[name].shows if name in CONTROLS else ""


def _row(one: Entrant) -> Row:
    return Row(
        {
            "entrant": one.name,
            ACCURACY: one.measures[ACCURACY],
            PRIMARY: one.measures[PRIMARY],
            **({"share_of_ceiling": one.share_of_ceiling} if one.share_of_ceiling else {}),
            "valid": one.valid[PRIMARY],
            "failed": one.failures["any"].mean,
            **{kind: one.failures[kind].mean for kind in FAILURES},
            "macro_f1_union": one.measures["macro_f1_union"],
            "attempts": len(one.standing.attempts),
        },
        note=control_shows(one.name) if one.is_control else "",
        ranked=not one.is_control,
    )


def _interval(name: str, hint: str = "") -> Column:
    if name in SIGNS:
        return Column(name, TITLES[name], "interval", better="low", hint=hint)
    return Column(name, TITLES[name], "interval", better="high", scale=(0, 1), hint=hint)
