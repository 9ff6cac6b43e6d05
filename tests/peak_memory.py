"""The most memory that this process has held so far, and how to forget it."""

from __future__ import annotations

import re
import resource
from contextlib import suppress
from pathlib import Path


def peak_bytes() -> int:
    """From Linux's own record, since `getrusage` also counts what the parent held before this process was born."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return 1024 * (int(found[1]) if found else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def forget_peak() -> None:
    """From now on the peak is counted anew, from what is held now; where that can't be had, it is not forgotten."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
