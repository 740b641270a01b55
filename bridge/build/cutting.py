"""Other cycles of an action than the one that was found cleanest."""

from dataclasses import dataclass

from bpy.types import Action, Object, PropertyGroup

from ...core.errors import ExampleError
from ..data.layout import Layout, write_layout
from ..data.markers import effective_keytimes
from .finding import Clip, layout_of, look_into, note_found


@dataclass(frozen=True, eq=False)
class Choice:
    """A cycle of an action, and how to name it."""

    clip: Clip
    row: int
    layout: Layout

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its keytimes."""
        return tuple(name for name, _ in self.layout.keytimes)

    @property
    def label(self) -> str:
        """Its first event, its frames, and how well it closes."""
        (first, start), (_, end) = self.layout.keytimes[0], self.layout.keytimes[-1]
        leg = 100.0 * self.clip.cycles[self.row].closing
        return f"{start:.1f} to {end:.1f} from {first}, ends differ by {leg:.1f} % of a leg"


def cycles_of(armature: Object, action: Action, fps: float) -> list[Choice]:
    """Every usable cycle of an action in the order of time, whichever foot begins it.

    Raises
    ------
    VerbsError
        If the action cannot be read, no foot is known, or it holds no whole cycle.
    """
    (clip,) = look_into(armature, [action], fps)
    if not clip.cycles:
        raise ExampleError(" ".join(clip.detection.remarks) or f"'{action.name}' holds no whole cycle.")
    rows = sorted(range(len(clip.cycles)), key=lambda row: clip.cycles[row].start)
    return [Choice(clip, row, layout) for row in rows if (layout := layout_of(clip, clip.cycles[row])) is not None]


def next_cycle(choices: list[Choice], example: PropertyGroup) -> int:
    """Row of the cycle after an example's, with the same keytimes if there is one; after the last comes the first.

    Raises
    ------
    ExampleError
        If the example is the only one.
    """
    keytimes = effective_keytimes(example.id_data, example)
    names, start = tuple(name for name, _ in keytimes), keytimes[0][1] if keytimes else 0.0
    alike = [row for row, choice in enumerate(choices) if choice.names == names] or list(range(len(choices)))
    found = next((row for row in alike if choices[row].layout.keytimes[0][1] > start + 1.0), alike[0])
    if alike == [found] and choices[found].names == names and abs(choices[found].layout.keytimes[0][1] - start) <= 1.0:
        raise ExampleError(f"'{example.id_data.name}' has no other cycle of the same structure.")
    return found


def cut(action: Action, example: PropertyGroup, choice: Choice, fps: float) -> None:
    """Let an example be a cycle; contact points that it lacked are added, its values stay."""
    known = {(contact.bone, contact.end) for contact in example.contacts}
    kept = tuple(c for c in choice.layout.contacts if c[2] or c[:2] in known)
    layout = Layout(choice.layout.kind, choice.layout.cyclic, choice.layout.keytimes, kept)
    write_layout(action, example, example.name, layout, fps)
    note_found(choice.clip, choice.clip.cycles[choice.row], choice.clip.detection.remarks)
