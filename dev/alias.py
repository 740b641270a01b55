"""Import of the repository's root as the package `verbs_adverbs`, whatever the name of its folder."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]


def load_root() -> ModuleType:
    """Make imports such as `import verbs_adverbs.core` work, and return the root package."""
    if "verbs_adverbs" not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            "verbs_adverbs", ROOT / "__init__.py", submodule_search_locations=[str(ROOT)]
        )
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules["verbs_adverbs"] = module
        spec.loader.exec_module(module)
    return sys.modules["verbs_adverbs"]
