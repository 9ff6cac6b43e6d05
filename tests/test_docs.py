"""The papers tell the truth: their Python examples run, the commands they name exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pixelreef.core.reef import reef_palette
from pixelreef.demo.quantising import compare_ways
from pixelreef.demo.scene import paint_reef
from pixelreef.draw.boards import standings
from pixelreef.draw.controls import with_baselines
from pixelreef.draw.score import score_replies
from pixelreef.draw.sources import kept_replies
from pixelreef.masks.evaluate import evaluate_controls
from pixelreef.masks.standings import standings as mask_standings
from pixelreef.metrics.summary import Summary
from pixelreef.runs.replies import read_replies
from pixelreef.tune.compare import Compared, compare

ROOT = Path(__file__).parents[1]
PAPERS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = [
    pytest.param(block, id=f"{paper.name}-{number}")
    for paper in PAPERS
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", paper.read_text(), re.DOTALL))
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_python_examples_run(example: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = re.findall(r"^print\(.*\)  # (.*)$", example, re.MULTILINE)
    assert done.stdout.splitlines()[: len(expected)] == expected


README_CONTROLS = {"reference", "flipped-20", "shuffled-rows", "shuffled-pixels", "uniform-noise", "blank"}
SESSIONS = [
    pytest.param(command, output, id=f"{paper.name}-{number}")
    for paper in PAPERS
    for number, (command, output) in enumerate(
        re.findall(r"```\n\$ (pixelreef .*)\n((?:.|\n)*?)```", paper.read_text())
    )
]


@pytest.mark.parametrize(("command", "output"), SESSIONS)
def test_sessions_show_what_the_command_prints(command: str, output: str, tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    done = subprocess.run([sys.executable, "-m", *command.split()], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == output


def test_the_board_of_the_readme_is_what_the_demo_measures() -> None:
    """To 0.0002: dithering carries the last bit of a float on from pixel to pixel, and processors differ in it."""
    readme = (ROOT / "README.md").read_text()
    for one in compare_ways(paint_reef(0), reef_palette(), 0):
        row = re.search(rf"^\| {re.escape(one.name)} \|(.*)\|$", readme, re.MULTILINE)
        assert row is not None
        told = [float(number) for number in re.findall(r"[\d.]+", row[1])]
        found = [figure for of in (one.far, one.near) for figure in (of.mean, of.low, of.high)]
        assert told == pytest.approx(found, abs=2e-4)


def test_the_draw_board_of_the_readme_is_what_the_kept_replies_score() -> None:
    readme = (ROOT / "README.md").read_text()
    for one in standings(with_baselines(score_replies(kept_replies()), 0), 0):
        if one.control in README_CONTROLS or not one.baseline:
            names = ("usable", "valid", "render_success", "pixel_art_quality", "craft")
            cells = " | ".join(_interval(one.scores[name]) for name in names)
            assert f"| {one.entrant} | {cells} | {one.asked} |" in readme


@pytest.mark.slow
@pytest.mark.parametrize("made", ["reef-parts", "reef-scenes"])
def test_the_mask_board_of_the_readme_is_what_the_controls_score(made: str, tmp_path: Path) -> None:
    rows = {line.split(" | ")[0]: line for line in (ROOT / "README.md").read_text().splitlines() if " | " in line}
    for one in mask_standings(evaluate_controls(made, tmp_path, n=50).scores):
        figures = one.sensitivity()
        if made == "reef-scenes":
            last = f"{figures['robust'].mean:.3f} | {figures['pixelarena'].mean:.3f} |"
            assert rows[f"| {one.entrant.removeprefix('control: ')}"].endswith(f" | {last}"), one.entrant
        else:
            first = " | ".join([_interval(one.mean("pixel_accuracy")), _interval(one.mean())])
            found = one.verdicts()
            assert found is not None
            said = f"{figures['pixelarena'].mean:.3f} | {found.words}"
            assert f"| {one.entrant.removeprefix('control: ')} | {first} | {said} |" in (ROOT / "README.md").read_text()


def _interval(summary: Summary) -> str:
    return f"{summary.mean:.3f} [{summary.low:.3f}, {summary.high:.3f}]"


def test_every_command_in_the_papers_exists() -> None:
    listed = subprocess.run([sys.executable, "-m", "pixelreef", "--help"], capture_output=True, text=True, check=True)
    named = {
        name for paper in PAPERS for name in re.findall(r"^(?:\$ )?pixelreef ([a-z]+)", paper.read_text(), re.MULTILINE)
    }
    assert named
    assert all(re.search(rf"\b{name}\b", listed.stdout) for name in named), named


def test_the_readme_shows_its_two_commands_and_links_its_sources() -> None:
    readme = (ROOT / "README.md").read_text()
    for needed in ("make demo", "make test", "Matt Mazur", "Emergent Mind", "danfking/pixel-llm", "2512.16303"):
        assert needed in readme


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_relative_links_lead_somewhere(paper: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", paper.read_text()):
        assert (paper.parent / target).exists(), target


@pytest.mark.parametrize(("kept", "column"), [("replies", 4), ("replies-warm", 5)])
def test_the_table_of_the_readme_on_tuning_is_what_the_kept_replies_compare_to(kept: str, column: int) -> None:
    replies = read_replies(ROOT / "experiments" / "tune" / f"{kept}.parquet")
    rows = [line.split(" | ") for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("| free |")]
    rows += [line.split(" | ") for line in (ROOT / "README.md").read_text().splitlines() if "| constrained |" in line]
    table = {(row[0].strip("| "), row[1], row[2].strip("`")): row[column].strip("| ") for row in rows}
    parts = compare(score_replies(replies)).parts
    told = {
        (part.decoding, part.group, one.asked.name): tuning_cell(one)
        for part in parts
        for one in part.rows
        if one.asked.telling and (part.decoding, part.group, one.asked.name) in table
    }
    assert len(table) == 8
    assert table == told
    for part in parts:
        usable = part.telling()["subject"]
        assert (usable.base.mean, usable.tuned.mean) == (0, 0)
        if part.decoding == "free":
            assert part.telling()["craft"].base.mean is None


def tuning_cell(one: Compared) -> str:
    assert None not in (one.base.mean, one.gap.mean)
    gap = f"{one.gap.mean:+.3f} [{one.gap.low:+.3f}, {one.gap.high:+.3f}]".replace("-", "−")
    return f"{one.base.mean:.3f} → {one.tuned.mean:.3f}, {gap}, {one.verdict}"
