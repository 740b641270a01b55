"""The command `build`: the zip and a static extension repository, both checked with Blender's own extension tool."""

from __future__ import annotations

from pathlib import Path

from .environments import Environment, default_environment
from .package import ROOT, write_zip
from .saying import Stop, run, say

LARGEST = 1_200_000


def _inside_bpy(environment: Environment, name: str) -> Path:
    """Return the path of a file that belongs to the bpy wheel, given the end of that path."""
    found = sorted(environment.folder.glob(f"lib/python*/site-packages/bpy/*/scripts/{name}"))
    found += sorted(environment.folder.glob(f"Lib/site-packages/bpy/*/scripts/{name}"))
    if not found:
        raise Stop(f"{environment.folder} has no {name}. Delete that folder and run the command again.")
    return found[0]


def build(folder: Path = ROOT / "dist") -> Path:
    """Write the zip and the repository into the folder, check them, and return the zip's path."""
    _, environment = default_environment()
    tool = [str(environment.python), str(_inside_bpy(environment, "addons_core/bl_pkg/cli/blender_ext.py"))]
    tags = _inside_bpy(environment, "modules/_bpy_internal/extensions/tags.py")
    archive = write_zip(folder)
    for stale in set(folder.glob("verbs_adverbs-*.zip")) - {archive}:
        stale.unlink()
    size = archive.stat().st_size
    say(f"Wrote {archive} ({size / 1000:.0f} kB)")
    if size > LARGEST:
        raise Stop(f"The zip has {size} bytes, more than {LARGEST}. Leave something out.")
    run([*tool, "validate", f"--valid-tags={tags}", str(archive)], "Checking the zip")
    say("Blender's extension tool finds the zip valid")
    run([*tool, "server-generate", f"--repo-dir={folder}", "--html"], "Writing the repository")
    say(f"Wrote {folder / 'index.json'}: a repository to serve from any web space, or to add to Blender by its address")
    return archive
