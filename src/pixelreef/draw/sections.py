"""The report's page, section by section: the board first, then pictures, failures, the article's questions, methods.

Composes parts and words; every figure comes from an `Analysis`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pixelreef.draw import charts, findings, pictures
from pixelreef.draw.analysis import Analysis, analyse
from pixelreef.draw.baselines import NULLS, REFERENCE
from pixelreef.draw.boards import Standing, draw_board
from pixelreef.draw.controls import with_baselines
from pixelreef.draw.hierarchy import LEVEL
from pixelreef.draw.provenance import versions
from pixelreef.draw.score import Attempt
from pixelreef.draw.theirs import METRICS
from pixelreef.metrics.measure import MEASURES
from pixelreef.report import Board, Part, Points, Prose, Section, Tiles

COMPACT_PICTURES = 48


def draw_sections(attempts: Sequence[Attempt], seed: int = 0, compact: bool = True) -> list[Section]:
    """Sections for a page: board and small gallery, or, not compact, all of them. Baselines are added."""
    found = analyse(with_baselines(attempts, seed), seed)
    return compact_sections(found) if compact else all_sections(found)


def compact_sections(found: Analysis) -> list[Section]:
    """Board and gallery, for another room's page."""
    gallery, said = pictures.gallery(found, COMPACT_PICTURES, "the page of `pixelreef draw score`")
    return [
        Section("draw-board", "Drawing by palette and grid", BOARD_WORDS, [main_board(found)]),
        Section("draw-gallery", "What was drawn", f"{GALLERY_WORDS} {said}", [gallery]),
    ]


def all_sections(found: Analysis) -> list[Section]:
    """The whole page."""
    made = [
        _hero(found),
        Section("board", "Board", BOARD_WORDS, [main_board(found), Points(_remarks(found))]),
        Section("headline", "Three headline scores", HEADLINE_WORDS, [charts.headline_bars(found)]),
        _failures(found),
        _correlation(found),
        Section("radar", "Does one entrant dominate?", found.dominance, [charts.radar(found)]),
        Section("hierarchy", "Validity, render, quality, subject", HIERARCHY_WORDS, [findings.hierarchy_board(found)]),
        _direction(found),
        _size(found),
        _repeats(found),
        _controls(found),
        _gallery(found),
        _failed(found),
        _methods(found),
    ]
    return [section for section in made if section.parts]


def main_board(found: Analysis) -> Board:
    """Entrants, nulls and references; damaged references are on the board of `controls`."""
    names = {*NULLS, REFERENCE}
    shown = [one for one in found.standings if not one.baseline or one.control in names]
    return draw_board(shown, found.flags, f"{_count(found.models)} and baselines, {found.suite}")


BOARD_WORDS = (
    "Ranked by one headline, fixed in advance: the share of attempts that are strictly valid and pass their subject's "
    "check. Intervals are 95 %, clustered by subject. Nulls and references are not ranked; a letter at the head of a "
    "column warns of what they show about that score."
)
HEADLINE_WORDS = (
    "JSON validity: the reply is correct JSON with the colours that its grid needs. Render success: neighbours tell of "
    "one another along rows and columns, as in a picture and not in noise. Pixel-art quality: every cell is a valid "
    "index and the palette is put to use. A reply without a strict drawing has 0 for the last two."
)
GALLERY_WORDS = (
    "Each picture opens with the reply behind it. “Strict” follows the contract to the letter; “repaired” could be "
    "read once every named repair was made; “failed” gave no picture and is crossed out."
)
HIERARCHY_WORDS = (
    "The article finds that performance falls from syntax to structure to meaning. Here each step is tested for each "
    f"entrant by paired differences over subjects, at {100 * LEVEL:.0f} %. “Undecidable”: both steps are 0 throughout, "
    "or there are fewer than two subjects.\n\n"
    "The steps are measured on different scales: the references fall too, from render to quality, and rise to the "
    "check. The last column says how much further than the references an entrant moves on the same subjects; only that "
    "is about the entrant. Under constrained decoding a reply is valid by construction, which is no evidence."
)


def _hero(found: Analysis) -> Section:
    best = pictures.best(found)
    asked = [attempt for attempt in found.given if attempt.asked]
    usable = [attempt.usable for attempt in asked if attempt.usable is not None]
    tiles = Tiles(
        [
            ("entrants", f"{len(found.models):,}", ""),
            ("attempts", f"{len(asked):,}", found.suite),
            ("strictly valid", _share([attempt.valid for attempt in asked]), ""),
            ("usable", _share(usable), f"of {len(usable):,} that have a check"),
        ]
    )
    any_usable = any(usable)
    words = "The best pictures of this run." if any_usable else "No entrant drew a usable picture: the references."
    return Section("best", "What was drawn", words if best else "", [*([best] if best else []), tiles], hero=True)


def _remarks(found: Analysis) -> list[str]:
    remarks = []
    if not found.models:
        remarks.append("There are no replies: the board has baselines only.")
    if found.unreadable:
        remarks.append(f"{found.unreadable:,} records could not be read as replies and belong to no entrant.")
    widest = max((one.gap.smallest for one in found.pairs if one.gap.smallest is not None), default=None)
    if widest is not None:
        remarks.append(
            f"Differences on the headline below {widest:.2f} can't be shown for every pair with so many subjects; "
            "see “Pairs” for each."
        )
    unchecked = {a.subject.id: a.subject.unchecked for a in found.given if a.subject and a.subject.unchecked}
    remarks += [f"{name} has no subject check and is left out of “usable”: {why}" for name, why in unchecked.items()]
    if any(ladder.constrained for ladder in found.ladders):
        remarks.append("Under constrained decoding a reply is valid by construction: its validity is no achievement.")
    return remarks


def _gallery(found: Analysis) -> Section:
    gallery, said = pictures.gallery(found)
    parts: list[Part] = [gallery] if gallery.pictures else []
    return Section("gallery", "Gallery", f"{GALLERY_WORDS} {said}", parts)


def _failures(found: Analysis) -> Section:
    words = "A bad reply is a result: counted by its reason, never dropped. “Strict” is what followed the contract."
    return Section("failures", "Failures", words, [charts.failure_bars(found)] if found.models else [])


def _failed(found: Analysis) -> Section:
    board, more = findings.failed_board(found)
    words = f"{len(board.rows) + more:,} replies gave no picture, even with repairs."
    if more:
        words += f" {len(board.rows):,} are listed, every kind of every entrant among them; attempts.csv has all."
    return Section("failed", "Replies without a picture", words, [board] if board.rows else [])


def _correlation(found: Analysis) -> Section:
    known = [one for one in found.published if one.value is not None]
    words = (
        "The article reads weak and negative coefficients as signs that the metrics see different things. The same "
        "coefficients over the replies at hand, with intervals from resampling subjects. A measure that does not vary "
        "has none. The published formulas are used as they are: indices outside the palette push colour efficiency "
        "above 1, and a palette of one colour sends entropy to a thousand million, which alone can make a coefficient."
    )
    if not known:
        return Section(
            "correlation", "How metrics go together", words, [Prose("Too few drawings for any coefficient.")]
        )
    ours = charts.matrix(
        found.profile,
        list(MEASURES),
        "The pixelreef profile",
        "Of repaired drawings; point at a cell for its interval.",
    )
    theirs = charts.matrix(
        found.published,
        METRICS,
        "The five published metrics",
        "Over replies that parse as they stand. Empty: a metric that does not vary here.",
    )
    return Section("correlation", "How metrics go together", words, [theirs, findings.coefficient_board(found), ours])


def _direction(found: Analysis) -> Section:
    encodings = findings.encoding_board(found)
    parts: list[Part] = [findings.direction_board(found), charts.row_lines(found)]
    parts.append(encodings or Prose("No model was asked in two encodings, so encodings are not compared."))
    words = (
        "A grid is written row by row. Rows well above columns are the mark of a grid written as text; errors that "
        "grow with the row number, of a model that loses count."
    )
    return Section("direction", "One dimension or two?", words, parts if found.models else [])


def _size(found: Analysis) -> Section:
    chart = charts.size_points(found)
    parts: list[Part] = [*([chart] if chart else []), findings.size_board(found)]
    words = "Nominal counts of the families that the article names; others are not known. A few models make no law."
    return Section("size", "Score against size", words, parts if found.models else [])


def _repeats(found: Analysis) -> Section:
    pairs, repeats = findings.pair_board(found), findings.diversity_board(found)
    parts: list[Part] = [part for part in (pairs, findings.cost_board(found), repeats) if part is not None]
    words = (
        "Differences are paired by subject and corrected by Holm for all pairs; the last column is the smallest true "
        "difference that so many subjects show four times in five. Models that cost nothing stand apart. Two drawings "
        "of one subject count as one where they are near-copies: recoloured, mirrored, or with a few cells changed."
    )
    return Section("pairs", "Pairs, cost and repeats", words, parts if found.models else [])


def _controls(found: Analysis) -> Section:
    strip = pictures.strip(found)
    if strip is None:
        return Section("controls", "Do the scores measure anything?")
    damaged = [one for one in found.standings if one.baseline]
    board = draw_board(damaged, found.flags, "Every baseline: nulls, damaged references, references")
    words = (
        "Nulls are the floor, hand-drawn references the ceiling, and references damaged in 5 to 80 % of their cells "
        "the steps between. A score by which a null does as well as the references, or which does not fall with "
        "the dose, is flagged at the head of its column. Single measures only describe."
    )
    parts: list[Part] = [strip, charts.dose_lines(found), board, findings.measure_board(found)]
    return Section("controls", "Do the scores measure anything?", words, parts)


def _methods(found: Analysis) -> Section:
    parts: list[Part] = [findings.settings_board(found)] if found.models else []
    named = versions()
    parts.append(
        Points(
            [
                f"Suite: {found.suite}. Pixelreef {named['pixelreef']}, metrics {named['metrics']}, published formulas "
                f"{named['published']}, seed {found.seed}.",
                "Intervals: Student's t under 20 subjects, bootstrap over subjects from 20 on; attempts at one subject "
                "count once together. “constant” scores have an interval without width, which proves nothing.",
                "Beside this page: board.csv, board.json, board.md, attempts.csv (every measure of every attempt) and "
                "replies.jsonl.",
            ]
        )
    )
    return Section("methods", "Settings and methods", "", parts)


def _share(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{100 * sum(known) / len(known):.1f} %" if known else "–"


def _count(models: Sequence[Standing]) -> str:
    return f"{len(models):,} entrant{'' if len(models) == 1 else 's'}"
