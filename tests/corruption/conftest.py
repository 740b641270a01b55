"""Corruptions are played in Blenders of their own, which a crash ends alone."""

import importlib.util
import os

if not importlib.util.find_spec("bpy"):
    collect_ignore_glob = ["test_*.py"]


def pytest_report_header() -> str:
    seed, count = os.environ.get("VERBS_ADVERBS_SEED"), os.environ.get("VERBS_ADVERBS_CORRUPTIONS")
    return f"corruptions: {count or 'a short run'} of seed {seed or 'as ever'}"
