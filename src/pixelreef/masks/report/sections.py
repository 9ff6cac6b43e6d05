"""The page of a report of masks, section by section: the board first, then why, classes, pictures, methods.

Composes parts and words; every figure comes from an `Analysis`, every picture from an `Album`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pixelreef.masks.control_board import SEGMENTER
from pixelreef.masks.measures import FAILURES, PRIMARY
from pixelreef.masks.report import boards, charts
from pixelreef.masks.report.analysis import Analysis, Entrant
from pixelreef.masks.report.choice import Chosen
from pixelreef.masks.report.galleries import Galleries
from pixelreef.masks.report.pictures import Album
from pixelreef.masks.theirs import published_rows
from pixelreef.report import Board, Legend, Part, Points, Section

MOST_MATRICES = 6
_LISTED = 200  # files that were not used, on the page


def all_sections(found: Analysis, galleries: Galleries, board: Board) -> list[Section]:
    """The whole page."""
    made = [
        _board(found, board),
        Section("compared", "Side by side", "", [charts.comparison(found)]),
        _decoders(found),
        _why(found),
        _attempts(found),
        _pairs(found),
        _classes(found),
        Section("extremes", "Best and worst cases", EXTREMES_WORDS, galleries.extremes()),
        Section("failures", "Failures", galleries.failure_words(), galleries.failures()),
        Section("gallery", "Gallery", f"{GALLERY_WORDS} {galleries.words()}", galleries.all_rows()),
        Section("measures", "Every measure", "", [boards.measures_board(found)]),
        _published(found),
        _methods(found),
    ]
    return [section for section in made if section.parts]


def compact_section(album: Album, items: Sequence[str], name: str, title: str, words: str) -> Section:
    """The board and a few images, for another page."""
    found = album.found
    board = boards.main_board(found, f"{len(found.scores.items):,} images, {found.scores.classes.name}")
    rows = [album.row(Chosen(item, (), None)) for item in items]
    lineup = album.lineup([row for row in rows if row is not None])
    return Section(name, title, f"{words}\n\n{GALLERY_WORDS}", [board, lineup])


BOARD_WORDS = (
    f"Ranked by one figure, fixed in advance. {boards.PRIMARY_WORDS}. Intervals are 95 %, over images; attempts at one "
    "image are averaged first. Controls are made from the truth, show what one fault or one virtue is worth, and are "
    "not ranked."
)
CEILING_WORDS = (
    "A perfect mask with soft edges, or saved as JPEG, does not score 1 under every decoder. The ceiling is what the "
    "truth itself scores when it comes the way that the prediction came: at its size, with soft edges, through its own "
    "JPEG tables. A share above 1 is a picture with harder edges than those assumed, and is not cut."
)
WHY_WORDS = (
    "Every mask is asked which small repair would bring back most points: a shift, a flip, other names, a left for a "
    "right. A fault has a name only where its evidence is above what chance brings on honest imperfect masks."
)
EXTREMES_WORDS = "Of each entrant the attempts that score highest and lowest, failures apart."
GALLERY_WORDS = (
    "Point at a picture, tap it, or walk with the arrow keys: the label at that place is read out in the truth and in "
    "every prediction. In the overlay, wrong pixels are red, those of no class violet, borders of the truth white."
)


def _board(found: Analysis, board: Board) -> Section:
    legend = Legend({bytes(one.colour or ()).hex(): one.name for one in found.scores.classes.scored}, "The palette")
    return Section("board", "Board", BOARD_WORDS, [board, Points(_remarks(found)), legend])


def _remarks(found: Analysis) -> list[str]:
    scores = found.scores
    remarks = [f"{kind}: {sentence}" for kind, sentence in FAILURES.items()]
    remarks = ["Each failure scores 0 and has a column of its own. " + " ".join(remarks)]
    if not found.entrants:
        remarks.append("There are no entrants: the board has controls only.")
    if scores.own_classes:
        names = ", ".join(sorted(scores.own_classes))
        remarks.append(f"Given the colours of the palette in another order, and read in them: {names}.")
    if scores.unscored:
        remarks.append(f"Images left out, since their truth can't be read: {len(scores.unscored):,}; see “Methods”.")
    if scores.pairing.unmatched:
        remarks.append(f"Files that were not used: {len(scores.pairing.unmatched):,}; see “Methods”.")
    return remarks


def _published(found: Analysis) -> Section:
    """What others report on the same dataset, if anything; nothing of it was measured here."""
    rows = published_rows(found.scores.classes.name) if found.scores.classes.name else []
    lines = [f"{one['entrant']}: {one['measure']} {one['figure']} ({one['of']}). {one['source']}." for one in rows]
    words = "Figures of others on this dataset, by their own rule and on their own choice of images: not ours."
    return Section("published", "As published", words, [Points(lines)] if lines else [])


def _decoders(found: Analysis) -> Section:
    if len(found.decoders) < 2:
        return Section("decoders", "Decoder and ceiling")
    parts: list[Part] = [charts.sensitivity(found), boards.sensitivity_board(found)]
    return Section("decoders", "Decoder and ceiling", CEILING_WORDS, parts)


def _why(found: Analysis) -> Section:
    lost, board = charts.lost_points(found), boards.verdicts_board(found)
    return Section("why", "Why masks are wrong", WHY_WORDS, [part for part in (lost, board) if part is not None])


def _attempts(found: Analysis) -> Section:
    board = boards.attempts_board(found)
    words = (
        "Best of k is what the best of k attempts would score on average, over all subsets: an oracle, since choosing "
        "it takes the truth. The majority vote takes none."
    )
    return Section("attempts", "Several attempts", words, [board] if board else [])


def _pairs(found: Analysis) -> Section:
    board = boards.pairs_board(found)
    words = "Both on the same images; an interval that holds 0 shows no difference."
    return Section("pairs", "Paired differences", words, [board] if board else [])


def _classes(found: Analysis) -> Section:
    shown = _examined(found)
    parts: list[Part] = [boards.classes_board(shown), *(charts.confusion(one) for one in shown)]
    words = "How well each class was found, and which was painted as which, all images as one picture."
    if len(found.entrants) > len(shown):
        words += f" The first {len(shown)} of the board; classes.csv has all."
    return Section("classes", "Classes", words, parts)


def _examined(found: Analysis) -> list[Entrant]:
    """The best entrants; without any, the control that really predicts, or the first."""
    if found.entrants:
        return list(found.entrants[:MOST_MATRICES])
    floor = [one for one in found.controls if one.name.endswith(SEGMENTER)]
    return floor or list(found.everyone[:1])


def _methods(found: Analysis) -> Section:
    scores = found.scores
    knobs = [
        f"Decoder {decoder.name}: " + ", ".join(f"{key} {_knob(value)}" for key, value in decoder.record().items())
        for decoder in scores.settings.decoders
    ]
    points = [
        f"Primary figure: {boards.PRIMARY_WORDS} ({PRIMARY}).",
        "A prediction is decoded at its own size; labels are then taken to the truth's size by the nearest pixel, and "
        "stretched where the shape differs. The truth is never scaled for scoring.",
        *knobs,
        "Beside this page: board.csv, board.md, board.tex, board.json, classes.csv and images.csv (every measure of "
        "every attempt).",
    ]
    parts: list[Part] = [Points(points)]
    unused = [f"not used: {one.path}: {one.reason}" for one in scores.pairing.unmatched]
    unused += [f"not scored: {item}: {why}" for item, why in scores.unscored.items()]
    if unused:
        more = [f"… and {len(unused) - _LISTED:,} more, all in board.json"] if len(unused) > _LISTED else []
        parts.append(Points([*unused[:_LISTED], *more]))
    return Section("methods", "Methods", "", parts)


def _knob(value: object) -> str:
    """A knob of a decoder for people.

    >>> _knob(None), _knob(True), _knob((0, 0, 0))
    ('none', 'yes', '0 0 0')
    """
    if isinstance(value, tuple | list):
        return " ".join(str(one) for one in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
