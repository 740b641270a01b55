"""Finding keytimes, contacts and feet in actions automatically; finding and fixing likely mistakes in examples."""

import bpy
from bpy.props import CollectionProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Action, Context, Operator

from .. import bridge
from ..bridge.data.current import current_action, current_armature, current_example, current_verb, is_linked
from ..bridge.data.schema import MENDS
from ..core.errors import ActionError, quoted
from . import reasons
from .examples import VERBS_ADVERBS_ActionChoice
from .jobs import Lasting
from .operator_base import Intent, Picker, told_of

MOST_TOLD = 3
NEXT = "NEXT"
FOUND_BY = {
    "names": " by the names of their bones",
    "rest": " by their position in the rest pose: check them",
    "motion": " by their position in the action: check them",
    "": "",
}
LIKELY = "; the most likely bones were chosen for foot {}: check them under Feet"
EMPTY = "; select the toe of each foot in Pose Mode and press From Selected Bones under Feet"

_cycles: list[tuple[str, str, str]] = []


class VERBS_ADVERBS_OT_keytimes_find(Lasting, Picker, Operator):
    """Find contacts and keytimes of steps in actions, and mark the cleanest cycle of each action as an example"""

    bl_idname = "verbs_adverbs.keytimes_find"
    bl_label = "Find Keytimes"

    choices: CollectionProperty(type=VERBS_ADVERBS_ActionChoice, options={"SKIP_SAVE"})
    verb: StringProperty(
        name="Add to Verb", description="Verb to add the examples to; created if it does not exist; empty for none"
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.armature(context) or reasons.performance(context)
        if reason:
            return reason
        return "" if _actions(context) else f"No action moves a bone of '{current_armature(context).name}'"

    def offer(self, context: Context) -> str:
        armature, current, actions = current_armature(context), current_action(context), _actions(context)
        unmarked = [action for action in actions if not action.verbs_adverbs.examples]
        unmarked = unmarked or [action for action in actions if action == current]
        verb = bridge.authoring.clips.finding.verb_like(armature, unmarked) or current_verb(context)
        self.verb = verb.name if verb is not None else "walk"
        for action in actions:
            choice = self.choices.add()
            choice.name, choice.chosen = action.name, action in unmarked
        return ""

    def draw(self, context: Context) -> None:
        super().draw(context)
        self.layout.prop(self, "verb")

    def do(self, context: Context) -> str:
        armature, known = current_armature(context), {action.name: action for action in _actions(context)}
        shown = current_action(context)
        names = [choice.name for choice in self.picked()] if self.choices else [shown.name] if shown else []
        unknown = [name for name in names if name not in known]
        if not names or unknown:
            said = (
                f"There is no action '{unknown[0]}' that moves '{armature.name}'" if unknown else "No action was chosen"
            )
            raise ActionError(f"{said}. Tick at least one action.")
        actions, verbs = [known[name] for name in names], armature.verbs_adverbs.verbs
        verb = verbs.get(self.verb.strip())
        if self.verb.strip() and verb is None:
            bridge.blender.naming.checked_name(self.verb, "verb", verbs.keys())
        found = bridge.authoring.clips.finding.find_examples(
            armature, actions, bridge.data.annotate.scene_fps(context.scene), verb
        )
        said = f"Found {len(found.examples)} example{'' if len(found.examples) == 1 else 's'}"
        if self.verb.strip():
            verb = verb or bridge.authoring.definitions.add_verb(armature, self.verb)
            for action, item in found.examples:
                bridge.authoring.definitions.add_reference(verb, action, item)
            said += f" for verb '{verb.name}'"
        left = [action.name for action in actions if action not in {one for one, _ in found.examples}]
        if left:
            said += f", left out {quoted(left, MOST_TOLD)}"
        tell_warnings(self, found.warnings)
        count = len(found.warnings)
        return (
            f"{said}; {count} warning{'' if count == 1 else 's'}, listed under Example for each action"
            if count
            else said
        )


class VERBS_ADVERBS_OT_cycle_choose(Lasting, Operator):
    """Use another cycle of the action for the chosen example: the next one, or the one chosen below"""

    bl_idname = "verbs_adverbs.cycle_choose"
    bl_label = "Next Cycle"

    def _items(self, _context: Context | None) -> list[tuple[str, str, str]]:
        return [(NEXT, "Next", "The next cycle with the same keytimes"), *_cycles]

    cycle: EnumProperty(name="Cycle", items=_items, description="Cycle of the action to use", options={"SKIP_SAVE"})

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.example(context) or reasons.armature(context)
        if reason or bridge.authoring.clips.finding.cycles_alike(current_example(context)) not in (0, 1):
            return reason
        other = f"'{current_action(context).name}' has no other cycle"
        return f"{other} with the keytimes of this example. If its keys have changed, run Find Keytimes again"

    def do(self, context: Context) -> str:
        action, example, armature = current_action(context), current_example(context), current_armature(context)
        fps = bridge.data.annotate.fps_of(example, context.scene)
        names = tuple(name for name, _ in bridge.data.markers.effective_keytimes(example))
        cycles = bridge.authoring.clips.finding.cycles_of(armature, action, fps, names)
        chosen = bridge.authoring.clips.finding.next_cycle(cycles, example) if self.cycle == NEXT else int(self.cycle)
        bridge.authoring.clips.finding.cut(armature, action, example, cycles[chosen], fps)
        _cycles[:] = [(str(row), cycle.label, cycle.label) for row, cycle in enumerate(cycles)]
        self.cycle = str(chosen)
        return f"Cycle {chosen + 1} of {len(cycles)}: {cycles[chosen].label}"


class VERBS_ADVERBS_OT_feet_find(Intent, Operator):
    """Find the foot bones by name, or else by their position at rest or in the action. Check and correct the result"""

    bl_idname = "verbs_adverbs.feet_find"
    bl_label = "Find Feet"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context)

    def do(self, context: Context) -> str:
        armature, action = current_armature(context), current_action(context)
        shown = [action] if action is not None and bridge.data.example_list.moves(action, armature) else []
        standing = bridge.authoring.clips.observing.standing_in(
            armature, shown, bridge.data.annotate.scene_fps(context.scene)
        )
        found, likely = bridge.rig.roles.note_feet(armature, standing)
        tell_warnings(self, found.remarks)
        count = len(found.feet)
        said = f"Found {count or 'no'} {'foot' if count == 1 else 'feet'}{FOUND_BY[found.source]}"
        sides = " and foot ".join(f"'{foot.side}'" for foot in likely)
        return said + (LIKELY.format(sides) if likely else EMPTY if count < 2 else "")


class VERBS_ADVERBS_OT_foot_take(Intent, Operator):
    """Use the bones selected in Pose Mode for this foot: only the toe, or the toe, foot and thigh"""

    bl_idname = "verbs_adverbs.foot_take"
    bl_label = "Foot from Selected Bones"

    side: StringProperty(name="Side", description="Name of the foot, L or R")

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.armature(context)
        return reason or ("" if context.mode == "POSE" else "Select bones of the foot in Pose Mode first")

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bones = [bone.name for bone in armature.pose.bones if bridge.blender.versions.bone_selected(bone)]
        ball = bridge.rig.roles.take_foot(armature, self.side, bones)
        return f"The ball of foot '{self.side}' is now the head of '{ball}'"


class VERBS_ADVERBS_OT_feet_forget(Intent, Operator):
    """Forget the chosen foot bones, so that they are found again each time"""

    bl_idname = "verbs_adverbs.feet_forget"
    bl_label = "Forget Feet"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.armature(context)

    def do(self, context: Context) -> str:
        current_armature(context).verbs_adverbs.feet.clear()
        return ""


def tell_warnings(operator: Intent, warnings: tuple[str, ...]) -> None:
    """Report what is missing or doubtful in the result: the first few remarks, and how many more there are."""
    for text in warnings[:MOST_TOLD]:
        operator.tell("WARNING", text)
    if len(warnings) > MOST_TOLD:
        operator.tell("WARNING", f"{len(warnings) - MOST_TOLD} more are listed under Example for each action")


def _actions(context: Context) -> list[Action]:
    """Local actions that move a bone of the current armature, the current one first."""
    armature, current = current_armature(context), current_action(context)
    if armature is None:
        return []
    director = armature.verbs_adverbs.director
    generated = director.verbs_adverbs.generated if director is not None else None
    local = [action for action in bpy.data.actions if not is_linked(action) and action != generated]
    fitting = [action for action in local if bridge.data.example_list.moves(action, armature)]
    return sorted(fitting, key=lambda action: action != current)


class VERBS_ADVERBS_OT_examples_check(Lasting, Operator):
    """Look for mistakes in the examples: swapped adverbs, misplaced keytimes, cycles that start on the wrong foot"""

    bl_idname = "verbs_adverbs.examples_check"
    bl_label = "Check Examples"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_built(context)

    def do(self, context: Context) -> str:
        lines = bridge.authoring.diagnosis.checking.check_examples(current_armature(context), current_verb(context))
        return lines[0].text


class VERBS_ADVERBS_OT_verb_mend(Lasting, Operator):
    """Fix what this line of the report is about"""

    bl_idname = "verbs_adverbs.verb_mend"
    bl_label = "Fix"

    mend: EnumProperty(name="Fix", items=MENDS, default="NONE", description="What to do")
    row: IntProperty(name="Example", description="Row of the example in the verb's list", default=-1)
    other: IntProperty(name="Other Example", description="Row of the second example in the verb's list", default=-1)
    number: IntProperty(name="Number", description="Row of a keytime, or degree of a kernel", default=-1)
    frame: FloatProperty(name="Frame", description="New frame of the keytime")
    word: StringProperty(name="Word", description="Name of an adverb, or identifier of a kernel")

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_verb_mend") -> str:
        """Tooltip of the button."""
        return told_of(MENDS, properties.mend)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        wanted = bridge.authoring.diagnosis.told.Mend(self.mend, self.other, self.number, self.frame, self.word)
        armature, verb = current_armature(context), current_verb(context)
        return bridge.authoring.diagnosis.checking.mend(armature, verb, self.row, wanted)


CLASSES = (
    VERBS_ADVERBS_OT_keytimes_find,
    VERBS_ADVERBS_OT_cycle_choose,
    VERBS_ADVERBS_OT_feet_find,
    VERBS_ADVERBS_OT_foot_take,
    VERBS_ADVERBS_OT_feet_forget,
    VERBS_ADVERBS_OT_examples_check,
    VERBS_ADVERBS_OT_verb_mend,
)
