"""Corruptions are played in Blenders of their own, so that a crash ends only that process."""

import importlib.util

from corruption.told import ALONE, SEED

if not importlib.util.find_spec("bpy"):
    collect_ignore_glob = ["test_*.py"]


def pytest_report_header() -> str:
    return f"corruptions: seed {SEED}, {f'case {ALONE} alone' if ALONE else 'counted from 0'}"
