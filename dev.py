#!/usr/bin/env python3
"""The project's commands. Needs Python 3.11 or 3.13 and git; everything else is fetched into .dev on first use.

The environment variable VERBS_ADVERBS_CACHE sets another cache folder.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dev import counting, gui, linting, programs, release, repository, targets, testing
from dev.environments import MATRIX
from dev.package import ROOT
from dev.saying import Stop


def _add_corruptions(command: argparse.ArgumentParser) -> None:
    command.add_argument("--corruptions", type=int, help="not all tests: only this many generated damaged files")
    command.add_argument("--seed", type=int, help="seed of the generated damaged files")
    command.add_argument("--case", type=int, help="only the damaged file with this number")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dev.py", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="mark, build, scrub and bake in a real Blender; writes a folder to look at")
    demo.add_argument("--out", type=Path, help="folder to write into (out/demo, or out/ and the name of the scene)")
    demo.add_argument("--bvh", type=Path, help="use the BVH files and the keytimes.json of this folder")
    demo.add_argument("--detect", action="store_true", help="find keytimes in the BVH files, without keytimes.json")
    demo.add_argument(
        "--scene", choices=programs.SCENES, default="verbs", help="verbs, a performance, a reach, layers, or gestures"
    )
    demo.add_argument("--words", type=Path, help="with --scene gestures: subtitles or a transcript to be said")
    test = commands.add_parser("test", help="run the tests; further arguments are given to pytest")
    test.add_argument("--all", action="store_true", help=f"in every Blender: {', '.join(MATRIX)}")
    test.add_argument("--bpy", action="append", choices=MATRIX, help="in this Blender; may be given several times")
    test.add_argument("--record", action="store_true", help="write the records of figures that miss their targets")
    test.add_argument("--reason", default="", help="why records become worse; without it such a test fails")
    _add_corruptions(test)
    commands.add_parser("build", help="write zip and static repository into dist, checked with Blender's own tool")
    bench = commands.add_parser("bench", help="measure figures against targets; exit code 1 when one is missed")
    bench.add_argument("--json", type=Path, help="file to write the figures to")
    bench.add_argument("--quick", action="store_true", help="the path of a frame alone, held to its records")
    bench.add_argument("--record", type=int, metavar="RUNS", help="run it so often; the medians become the records")
    bench.add_argument("--reason", default="", help="why records become worse; without it they are left")
    bench.add_argument("--bpy", choices=MATRIX, help="in this Blender; records are those of the default one")
    commands.add_parser("lengths", help="draw docs/images/lengths.png: cost over length, and over characters")
    counted = commands.add_parser("count", help="count lines of code, and what makes code hard to follow")
    counted.add_argument("--json", type=Path, help="file to write the counts to")
    commands.add_parser("targets", help="write docs/targets.md from bench/record.json")
    window = commands.add_parser("gui", help="run the tests in real windows of Blender 4.3 and 5.2 (Debian, as root)")
    window.add_argument("--prepare", action="store_true", help="only set up the windows")
    window.add_argument("--only", choices=list(gui.WINDOWS), action="append", help="only this window")
    window.add_argument("--out", type=Path, default=ROOT / "out" / "gui", help="folder for pictures and logs (out/gui)")
    _add_corruptions(window)
    window.add_argument("scripts", nargs="*", help="names of files tests/gui/test_*.py; all if none is given")
    made = commands.add_parser("release", help="set, build, check, commit and tag a version; nothing is uploaded")
    made.add_argument("version", help="the new version, such as 0.2.0")
    made.add_argument("--dry-run", action="store_true", help="do all of it in a temporary clone that is thrown away")
    commands.add_parser("lint", help="run ruff and pyright")
    return parser


def _run(options: argparse.Namespace, further: list[str]) -> int:
    if options.command == "demo":
        return programs.demo(options.scene, options.out, options.bvh, options.detect, options.words)
    if options.command == "bench":
        return programs.bench(options.json, options.quick, options.record, options.reason, options.bpy)
    if options.command == "lengths":
        return programs.lengths()
    if options.command == "count":
        return counting.count(options.json)
    if options.command == "build":
        repository.build()
        return 0
    if options.command == "targets":
        return targets.write_page()
    if options.command == "release":
        return release.release(options.version, options.dry_run)
    if options.command == "lint":
        return linting.lint()
    asked = options.corruptions is not None or options.case is not None
    if asked:
        testing.ask_for_corruptions(options.corruptions, options.seed, options.case)
    if options.command == "gui":
        scripts = [*options.scripts, *(["test_corruption"] if asked else [])]
        return gui.prepare(options.only) if options.prepare else gui.gui(options.only, scripts, options.out)
    if options.record:
        return testing.test_recording(further, options.reason, options.all or bool(options.bpy))
    further = [*([testing.CORRUPTION] if asked else []), *further]
    if options.all or options.bpy:
        return testing.test_matrix(further, list(MATRIX) if options.all else options.bpy)
    return testing.test_default(further)


def main() -> int:
    """Run the command of the command line; if something is missing, print a message. Return the exit code."""
    parser = _parser()
    options, further = parser.parse_known_args()
    if further and options.command != "test":
        parser.error(f"unknown arguments: {' '.join(further)}")
    try:
        return _run(options, further)
    except Stop as reason:
        print(f"dev.py: {reason}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
