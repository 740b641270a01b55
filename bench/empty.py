"""An extension of empty modules that registers the same number and kinds of classes as another, and does nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path

import bpy

KINDS = ("Operator", "Panel", "Menu", "UIList", "PropertyGroup")
DRAW = """
    def draw(self, context):
        pass
"""
ASKED = {
    "Operator": '    bl_idname = "verbs_adverbs_bench.empty_{number}"\n    bl_label = "Empty"\n',
    "Panel": f'    bl_label = "Empty"\n    bl_space_type = "VIEW_3D"\n    bl_region_type = "UI"\n{DRAW}',
    "Menu": f'    bl_label = "Empty"\n{DRAW}',
}
"""What Blender requires of classes of some kinds."""
CLASS = '''

class VERBS_ADVERBS_BENCH_{kind}_{number}(bpy.types.{kind}):
    """Empty."""

{body}
'''
MANIFEST = """schema_version = "1.0.0"
id = "{name}"
version = "1.0.0"
name = "Empty"
tagline = "Does nothing"
maintainer = "Nobody"
type = "add-on"
blender_version_min = "4.2.0"
license = ["SPDX:GPL-3.0-or-later"]
"""
REGISTERING = """
from importlib import import_module

import bpy

MODULES = {modules!r}


def register():
    for name in MODULES:
        for one in getattr(import_module(name, __package__), "CLASSES", ()):
            bpy.utils.register_class(one)


def unregister():
    for name in reversed(MODULES):
        for one in reversed(getattr(import_module(name, __package__), "CLASSES", ())):
            bpy.utils.unregister_class(one)
"""


def write_empty(like: str, folder: Path) -> int:
    """Write an extension with the modules that another one has imported by now; return its number of classes.

    Parameters
    ----------
    like : package of the other one, which is enabled.
    folder : folder of the new extension, named like its package.
    """
    names = [name.removeprefix(like) for name in sorted(sys.modules) if name.startswith(f"{like}.")]
    packages = {name.rpartition(".")[0] for name in names}
    kinds = {name: [kind for module, kind in _registered(like) if module == like + name] for name in names}
    number = 0
    for name in names:
        path = folder.joinpath(*name.split("."))
        file = path / "__init__.py" if name in packages else path.with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_module(kinds[name], number), encoding="utf-8")
        number += len(kinds[name])
    (folder / "__init__.py").write_text(REGISTERING.format(modules=names), encoding="utf-8")
    (folder / "blender_manifest.toml").write_text(MANIFEST.format(name=folder.name), encoding="utf-8")
    return number


def _module(kinds: list[str], first: int) -> str:
    """Return the text of a module with a class of each kind, numbered from `first`."""
    if not kinds:
        return '"""Empty."""\n'
    numbered = list(enumerate(kinds, first))
    asked = [ASKED.get(kind, "").format(number=number) for number, kind in numbered]
    bodies = [CLASS.format(kind=k, number=n, body=body) for (n, k), body in zip(numbered, asked, strict=True)]
    names = ", ".join(f"VERBS_ADVERBS_BENCH_{kind}_{number}" for number, kind in numbered)
    return '"""Empty."""\n\nimport bpy\n' + "".join(bodies) + f"\n\nCLASSES = ({names},)\n"


def _registered(package: str) -> Iterator[tuple[str, str]]:
    """Yield module and kind of each class that a package has registered."""
    for kind in KINDS:
        for one in _heirs(getattr(bpy.types, kind)):
            if one.__module__.startswith(f"{package}.") and one.is_registered:
                yield one.__module__, kind


def _heirs(base: type) -> Iterator[type]:
    for one in base.__subclasses__():
        yield one
        yield from _heirs(one)
