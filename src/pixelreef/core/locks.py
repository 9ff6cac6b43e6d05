"""Locks on open files, which the system takes back when their holder ends, however it ends."""

from __future__ import annotations

import os
import sys

_FAR = 2**30  # Windows locks bytes, and keeps others from reading them: one that no file of ours reaches


def taken(handle: int) -> bool:
    """Lock the file of an open handle until it is closed; False, at once, where another holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
