"""How long `pixelreef --help` takes, best of five, against a bare Python start, in one run."""

from __future__ import annotations

import json
import subprocess
import sys
import time


def best_of_five(*arguments: str) -> float:
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def main() -> None:
    bare, help_text = best_of_five("-c", ""), best_of_five("-m", "pixelreef", "--help")
    figures = {"benchmark": "start-up", "help_s": round(help_text, 3), "bare_python_s": round(bare, 3)}
    print(json.dumps({**figures, "ratio_help_over_bare": round(help_text / bare, 1)}))


if __name__ == "__main__":
    main()
