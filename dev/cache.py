"""The cache folder for downloads and other reusable files, and locks between processes that use it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def cache_folder() -> Path:
    """Return the cache folder, created if needed: VERBS_ADVERBS_CACHE, or else .dev in the repository."""
    folder = Path(os.environ.get("VERBS_ADVERBS_CACHE") or ROOT / ".dev").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Hold a lock of this name in the `with` block, so that two runs of dev.py do not create the same files at once."""
    if os.name == "nt":
        yield
        return
    import fcntl

    with open(cache_folder() / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
