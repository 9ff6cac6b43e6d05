"""The report of scored masks: a page, and the same in CSV, JSON, Markdown and LaTeX.

written = write_report(score_folders("predictions", "truth", classes), Path("masks-report"))
written.page, written.document["entrants"]

index.html      everything, one file that opens from disk
board.csv       one row per entrant, controls included; board.md and board.tex to paste
board.json      the board and every analysis
classes.csv     one row per entrant and class
images.csv      one row per attempt, every measure under every decoder
"""

from __future__ import annotations

from pixelreef.masks.report.write import Written, write_report

__all__ = ["Written", "write_report"]
