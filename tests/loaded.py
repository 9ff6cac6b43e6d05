"""Which modules a piece of code drags in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def modules_after(code: str, cwd: Path | None = None) -> set[str]:
    """The top-level modules that a fresh interpreter holds after running `code`."""
    report = (
        "import sys, json; sys.__stdout__.write('\\n' + json.dumps(sorted({m.partition('.')[0] for m in sys.modules})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True, cwd=cwd
    )
    return set(json.loads(done.stdout.splitlines()[-1]))
