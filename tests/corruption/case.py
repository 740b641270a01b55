"""One corruption: a good file is opened, damaged and used, and what happens is judged from outside the extension."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import bpy

from . import damage, damage_rigs, doings
from .console import Console
from .files import FILES
from .state import Name, bake_names, everything, source_names

DAMAGES = (
    (damage.stored_value, 12), (damage.stored_items, 4), (damage.custom_property, 3), (damage.curve, 4),
    (damage.all_curves, 1), (damage_rigs.bones, 2), (damage_rigs.rig, 2), (damage_rigs.place, 2),
    (damage_rigs.block, 4), (damage_rigs.assigned, 2), (damage_rigs.driver, 1.5), (damage_rigs.scene, 2),
    (damage_rigs.linked, 0.5),
)  # fmt: skip
TRIES = 6
THOROUGH = 0.3
"""Share of cases in which all actions' keys are compared after every step, not only at the end."""
TRACE = "Traceback (most recent call last)"
DRIVERS = re.compile(r'Traceback \(most recent call last\):\n +File "<bpy driver>".*?\n(?=\S)', re.S)
REFUSED_BY_BLENDER = ("poll()", "context is incorrect")


@dataclass
class Case:
    """A corruption with its number: what is done in it (`story`), and the faults that are found (`found`)."""

    seed: int
    number: int
    folder: Path
    console: Console
    story: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    last: dict[Name, object] = field(default_factory=dict)
    keys: dict[Name, object] = field(default_factory=dict)
    thorough: bool = True

    def steps(self) -> Iterator[None]:
        """Play the case step by step; a window may draw between the steps."""
        rng = Random(f"{self.seed}:{self.number}")
        self._open(rng)
        yield
        for _ in range(rng.choice((1, 2, 3))):
            self._damage(rng)
            yield
        bpy.ops.ed.undo_push(message="damaged")
        bpy.context.view_layer.update()
        self.last, names = everything(), source_names()
        self.keys = {name: value for name, value in self.last.items() if name in names and name[0] == "keys"}
        self.thorough = rng.random() < THOROUGH
        for _ in range(rng.randrange(3, 7)):
            if rng.random() < 0.7:
                self._operate(rng)
            else:
                yield from self._something_else(rng)
            yield
        doings.look_at_panels()
        self.heard()
        self._compare_keys()

    def _open(self, rng: Random) -> None:
        name = rng.choices(list(FILES), [share for _, share in FILES.values()])[0]
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / f"{name}.blend"), load_ui=False)
        self.story.append(f"file {name}")
        self.heard()

    def _damage(self, rng: Random) -> None:
        for _ in range(TRIES):
            kind = rng.choices([one for one, _ in DAMAGES], [share for _, share in DAMAGES])[0]
            try:
                told = kind(rng)
            except (damage.CannotDamage, *damage.CANNOT):
                continue
            bpy.context.view_layer.update()
            self.story.append(f"damage: {told}")
            self.heard()
            return

    def _operate(self, rng: Random) -> None:
        name = doings.choose_operator(rng)
        given = doings.arguments(rng, name)
        names = source_names()
        self._compare("meanwhile something changed", names)
        self.story.append(f"{name}({', '.join(f'{key}={value!r:.80}' for key, value in given.items())})")
        try:
            end = getattr(doings.OPS, name)("EXEC_DEFAULT", True, **given)
        except RuntimeError as refusal:
            self._refused(str(refusal))
            end = {"CANCELLED"}
        except (TypeError, ValueError) as mistake:
            self.story.append(f"not called: {str(mistake).splitlines()[-1]:.150}")
            return
        self.story[-1] += f" {' '.join(sorted(end))}"
        if "FINISHED" in end:
            written = bake_names() if name == "bake_again" else set()
            self.keys = {one: value for one, value in self.keys.items() if one not in written}
            self._compare(f"{name} changed", names - written)
        else:
            self._compare(f"{name}, which refused, changed")

    def _refused(self, text: str) -> None:
        told = text.strip().removeprefix("Error: ")
        self.story.append(f"refused: {told:.300}")
        if any(word in told for word in REFUSED_BY_BLENDER):
            return
        if TRACE in told:
            self.found.append(f"traceback: {told}")
        elif not told.endswith((".", "?", "!")) or told.startswith("Python"):
            self.found.append(f"no sentence: {told}")

    def _something_else(self, rng: Random) -> Iterator[None]:
        names = source_names()
        kept = {("keys", one.name_full) for one in bpy.data.actions if one.use_fake_user}
        told = doings.do_something_else(rng)
        self.story.append(told)
        if told == doings.OPENED:
            yield
            bpy.ops.ed.undo_push(message=told)
        if told in {"undo", "redo"}:
            now = everything()
            self.keys = {name: now[name] for name in self.keys if name in now}
            names = {name for name in names if name[0] == "vertices"}
        self._compare(f"{told.partition(' ')[0]} changed", names, kept if told == doings.OPENED else names)

    def _compare(self, what: str, names: set[Name] | None = None, kept: set[Name] | None = None) -> None:
        """Record as faults what has changed since the last step, and remember the present state.

        Parameters
        ----------
        what : how the fault begins, such as "save changed".
        names : names of what must not have changed; everything if None.
        kept : names of what must not have vanished either, all if None. Saving drops data-blocks that nothing uses.
        """
        bpy.context.view_layer.update()
        self.heard()
        before, self.last = self.last, everything(self.thorough)
        if not self.thorough:
            before = {name: value for name, value in before.items() if name[0] != "keys"}
            names = names and {name for name in names if name[0] != "keys"}
        edited = {("bones", name) for kind, name in self.last if kind == "edited bones"}
        judged = before.keys() | self.last.keys() if names is None else names - edited
        judged = {name for name in judged if kept is None or name in kept or name in self.last}
        for name in sorted(name for name in judged if before.get(name) != self.last.get(name)):
            difference = _difference(before.get(name), self.last.get(name))
            self.found.append(f"{what} {name[0]}: {name[1]}: {difference}")

    def _compare_keys(self) -> None:
        """Record as faults source actions whose keys differ from those after the damage, or after it was undone."""
        now = everything()
        for name in sorted(name for name in self.keys if name in now and now[name] != self.keys[name]):
            self.found.append(f"in the end other keys: {name[1]}")

    def heard(self) -> None:
        """Record as a fault a traceback that was printed since the last look, except those of Blender's drivers."""
        text = DRIVERS.sub("", self.console.fresh())
        if TRACE in text:
            self.found.append(f"traceback: {text[text.index(TRACE) :][:6000]}")


def _difference(before: object, after: object) -> str:
    """Text around the first place in which two values differ."""
    old, new = str(before), str(after)
    at = next((i for i, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), min(len(old), len(new)))
    start = max(0, at - 60)
    return f"...{old[start : at + 60]!r} became ...{new[start : at + 60]!r}"
