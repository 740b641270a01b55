"""The extension's zip, made from the working tree; the same files give the same bytes."""

import os
import re
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOMENT = (1980, 1, 1, 0, 0, 0)
FILES = ("__init__.py", "blender_manifest.toml", "LICENSE")
FOLDERS = ("core", "bridge", "operators", "panels", "icons")
ENDINGS = {".py", ".png", ".svg", ".dat", ".json"}


def version() -> str:
    """Return the version in the manifest, such as '0.1.0'."""
    text = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    found = re.search(r'^version\s*=\s*"([^"]+)"', text, re.MULTILINE)
    if not found:
        raise SystemExit("blender_manifest.toml has no line `version = ...`")
    return found.group(1)


def shipped_files() -> list[Path]:
    """Return the files that go into the zip, relative to the root, sorted."""
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS]
    return sorted(path.relative_to(ROOT) for path in [*(ROOT / name for name in FILES), *inside])


def write_zip(folder: Path) -> Path:
    """Write verbs_adverbs-<version>.zip into the folder, atomically once it is complete, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"verbs_adverbs-{version()}.zip"
    unfinished = folder / f"{target.stem}-{os.getpid()}.part"
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in shipped_files():
            entry = zipfile.ZipInfo(path.as_posix(), MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, (ROOT / path).read_bytes(), compresslevel=9)
    unfinished.replace(target)
    return target
