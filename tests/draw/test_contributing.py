"""CONTRIBUTING is followed to the letter: its three files, put where it says, are found and work, with nothing else."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json
from pixelreef.draw.drawing import batch_from_drawings
from pixelreef.draw.encodings import encoding, encodings
from pixelreef.draw.find import find_subject
from pixelreef.draw.prompts import prompt
from pixelreef.draw.score import score_replies
from pixelreef.metrics.profile import score
from pixelreef.runs.replies import Reply

moon = find_subject("moon")
letters = encoding("letters")
reply = Reply("m", "moon", letters.encode(moon.reference), metadata={"encoding": "letters"})
blank = Reply("m", "moon", letters.encode(find_subject("sun").reference), metadata={"encoding": "letters"})
good, other = score_replies([reply, blank])
batch = batch_from_drawings([moon.reference])
print(json.dumps({
    "usable": good.usable, "other": other.usable, "text": prompt(moon, letters)[:60], "reply": reply.text[-30:],
    "symmetry": score(batch.cells, batch.rgb, batch.colours)["symmetry"].tolist(), "measured": good.measure("symmetry"),
}))
"""


def test_a_subject_a_metric_and_an_encoding_are_one_file_each(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "src" / "pixelreef", tmp_path / "src" / "pixelreef", ignore=shutil.ignore_patterns("__pycache__")
    )
    blocks = re.findall(r"```python\n# (src/\S+\.py)\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert [path.split("/")[3] for path, _ in blocks] == ["subjects", "symmetry.py", "encodings"]
    for path, code in blocks:
        assert not (tmp_path / path).exists()
        (tmp_path / path).write_text(code)
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(
        command, capture_output=True, text=True, env={"PYTHONPATH": str(tmp_path / "src")}, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["usable"], found["other"]) == (1, 0)
    assert found["text"] == "Draw this subject as pixel art: the full moon\n\nReply with on"
    assert "aaaa" in found["reply"]
    assert found["symmetry"] == [1.0]
    assert found["measured"] == 1.0
