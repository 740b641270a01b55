"""What all stored data have in common: the schema's number, the choices with their names, and identifiers."""

from typing import Any
from uuid import uuid4

from bpy.types import PropertyGroup

SCHEMA = 3
"""Number of what is stored on actions, armatures and directors. It goes up when what is stored means something else."""
BUILT: dict[str, Any] = {
    "control_points": 64,
    "kernel": "KRIGING",
    "degree": 0,
    "radius_factor": 2.0,
    "timing": "MEAN_SHARE",
    "hold_contacts": True,
    "smoothing": 0.0,
}
"""How a verb is built where nothing else is stored."""
ROOT_IS_OBJECT = "<object>"
OWN: Any = {"LIBRARY_OVERRIDABLE"}
"""Option of a property that an armature has of its own in each file that overrides it; Blender saves it there."""
ADDED: Any = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
"""Option of a list to which such a file can add."""
KINDS = (
    ("TRAVELLING", "Travelling", "The root carries the character along, and what it travels is part of the motion"),
    ("IN_PLACE", "In Place", "The character treads on the spot; its travel is recovered from the planted contacts"),
    ("STATIONARY", "Stationary", "The character stays where it is, such as in a gesture"),
)
KERNELS = (
    ("CUBIC_B_SPLINE", "Cubic B-Spline", "Local: an example counts up to twice the distance to its nearest neighbour"),
    ("LINEAR", "Linear", "Every example counts everywhere, less with distance"),
    ("THIN_PLATE", "Thin Plate", "Bends as little as it can between the examples"),
    ("GAUSSIAN", "Gaussian", "Smooth bells around the examples, which count far beyond their neighbours"),
    ("KRIGING", "Kriging", "Goes nearly straight from example to example, and on beyond them less steeply"),
)
ENCODINGS = (
    (
        "CUBIC_B_SPLINE",
        "Cubic B-Spline",
        "Smooth in pace and in change of pace; goes near its control points",
    ),
    ("CATMULL_ROM", "Catmull-Rom", "Through its control points, smooth in pace; follows quick changes more tightly"),
    ("LINEAR", "Linear", "Straight from control point to control point, with a corner at each"),
)
TIMINGS = (
    (
        "MEAN_SHARE",
        "Mean Share",
        "Every segment has the share of generic time that it has in the examples on average, more if one is squeezed",
    ),
    ("EQUAL", "Equal", "Every segment has an equal share of generic time"),
)
RESULTS = (
    ("INFO", "Info", "A figure to know"),
    ("WARNING", "Warning", "The verb plays, but this should be looked at"),
    ("ERROR", "Error", "The verb cannot be built"),
)
MENDS = (
    ("NONE", "Nothing", "Nothing mends it by itself"),
    ("EXCHANGE", "Exchange Values", "Give these two examples each other's adverb values"),
    ("KEYTIME", "Move Keytime", "Move the keytime of the example to where the other examples have it"),
    ("CYCLE", "Next Cycle", "Let the example be the cycle that begins at the other examples' first event"),
    ("MIRROR", "Mirror", "Add a mirrored copy of the example as a new action, and untick the example"),
    ("UNTICK", "Untick Example", "Build the verb without this example, which stays in its list"),
    ("RANGE", "Widen Range", "Widen the range of the adverb to the value of this example"),
    ("KERNEL", "Choose Kernel", "Let the verb have the kernel and degree with which its examples explain each other"),
)
TRANSITION_KINDS = (
    ("BLENDED", "Blended", "One verb fades out while the other fades in"),
    ("INERTIALISED", "Inertialised", "The old verb is left at once, and what was left of its pose and pace dies away"),
)
STEERINGS = (
    ("NONE", "By Hand", "The sliders alone say where the character turns"),
    ("TARGET", "Towards", "The character turns towards an object"),
    ("CURVE", "Along", "The character follows a curve along the floor from its beginning"),
)
BAKES = (
    ("NONE", "No Bake", "It was not baked"),
    ("VERB", "Verb", "One verb was baked"),
    ("PERFORMANCE", "Performance", "What a director performs was baked"),
    ("STRIP", "NLA Strip", "One of the NLA strips that a performance was baked to"),
)
ENDS = (
    ("HEAD", "Head", "The point is the head of the bone"),
    ("TAIL", "Tail", "The point is the tail of the bone"),
)
SOLES = (
    ("BALL", "Ball of Foot", "The point is the ball of the foot that this bone carries, as a control does"),
    ("HEEL", "Heel", "The point is the heel of the foot that this bone carries, as a control does"),
)
PLACES = ("X", "Y", "Z")
MEASURES = (
    ("NONE", "Nothing", "You say yourself where each example lies"),
    ("X", "Place, X", "Where a bone is at a keytime, along X"),
    ("Y", "Place, Y", "Where a bone is at a keytime, along Y"),
    ("Z", "Place, Z", "How high a bone is at a keytime"),
    ("SPEED", "Speed", "Way over the floor in a second"),
    ("TURN_RATE", "Turn Rate", "Degrees turned in a second, positive to the left"),
    ("SLOPE", "Slope", "Degrees by which the way rises"),
)
SEARCHES = (
    ("LEAST_SQUARES", "Least Squares", "Search the adverbs, and the weights of the examples where no adverbs do it"),
    ("LINE", "Lines", "Search the adverbs alone, each time on a line against the error"),
)
TOUCHES = (
    ("NONE", "Off", "Leave the error"),
    ("BETWEEN", "Between Examples", "Turn bones where examples lie all around, and nowhere else"),
    ("EVERYWHERE", "Everywhere", "Turn bones beyond the examples as well, where the verb only guesses"),
)
SPACES = (
    ("START", "From the Start", "Seen from where the character starts: the axes of its director"),
    ("ROOT", "From the Root", "Seen from where the character is at that moment, travel and turn taken away"),
)


def note(data: PropertyGroup) -> None:
    """Store the number of what is stored on an action, armature or director that is changed now."""
    data.schema = max(data.schema, SCHEMA)


def remove_row(group: PropertyGroup, rows: str, chosen: str, index: int) -> None:
    """Remove a row of a list, so that the row that is chosen is one of those that are left.

    Parameters
    ----------
    rows, chosen : names of the properties that are the list, and the number of its chosen row.
    """
    items = getattr(group, rows)
    items.remove(index)
    setattr(group, chosen, max(0, min(getattr(group, chosen), len(items) - 1)))


def move_row(group: PropertyGroup, rows: str, chosen: str, index: int, step: int) -> bool:
    """Move a row of a list up (-1) or down (+1) and choose it; returns False, with nothing changed, at the list's end.

    `rows` and `chosen` are as for `remove_row`.
    """
    items, to = getattr(group, rows), index + step
    if not 0 <= to < len(items):
        return False
    items.move(index, to)
    setattr(group, chosen, to)
    return True


def is_unreleased(data: PropertyGroup) -> bool:
    """Whether what an armature stores was saved before the first release, when the same settings built other verbs."""
    return len(data.verbs) > 0 and data.schema < SCHEMA


def new_uid() -> str:
    """Return a new identifier that no other file has either."""
    return uuid4().hex[:12]
