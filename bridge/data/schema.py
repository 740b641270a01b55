"""What all stored data have in common: the schema version, enum choices with their names, and identifiers."""

from typing import Any
from uuid import uuid4

from bpy.types import PropertyGroup

SCHEMA = 3
"""Schema version of data on actions, armatures and directors. It goes up when the meaning of stored data changes."""
BUILT: dict[str, Any] = {
    "control_points": 64,
    "kernel": "KRIGING",
    "degree": 0,
    "radius_factor": 2.0,
    "timing": "MEAN_SHARE",
    "hold_contacts": True,
    "smoothing": 0.0,
}
"""Default options for building a verb."""
ROOT_IS_OBJECT = "<object>"
OWN: Any = {"LIBRARY_OVERRIDABLE"}
"""Option of a property that is an armature's own in each file that overrides it; Blender saves it there."""
ADDED: Any = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}
"""Option of a list to which such a file can add."""
KINDS = (
    ("TRAVELLING", "Travelling", "The root moves the character along, and its travel is part of the motion"),
    ("IN_PLACE", "In Place", "The character walks on the spot; its travel is computed from the planted contacts"),
    ("STATIONARY", "Stationary", "The character stays where it is, as in a gesture"),
)
KERNELS = (
    (
        "CUBIC_B_SPLINE",
        "Cubic B-Spline",
        "Local: an example has influence up to twice the distance to its nearest neighbour",
    ),
    ("LINEAR", "Linear", "Every example has influence everywhere, less with distance"),
    ("THIN_PLATE", "Thin Plate", "Bends as little as possible between the examples"),
    ("GAUSSIAN", "Gaussian", "Smooth bells around the examples, which reach far beyond their neighbours"),
    ("KRIGING", "Kriging", "Nearly straight from example to example, flattening out beyond them"),
)
ENCODINGS = (
    (
        "CUBIC_B_SPLINE",
        "Cubic B-Spline",
        "Smooth in speed and acceleration; passes near its control points",
    ),
    (
        "CATMULL_ROM",
        "Catmull-Rom",
        "Passes through its control points with smooth speed; follows quick changes more closely",
    ),
    ("LINEAR", "Linear", "Straight from control point to control point, with a corner at each"),
)
TIMINGS = (
    (
        "MEAN_SHARE",
        "Mean Share",
        "Every segment gets its average share of the examples' time, and more if it is very short in one of them",
    ),
    ("EQUAL", "Equal", "Every segment gets an equal share of generic time"),
)
RESULTS = (
    ("INFO", "Info", "For information"),
    ("WARNING", "Warning", "The verb plays, but you should check this"),
    ("ERROR", "Error", "The verb cannot be built"),
)
MENDS = (
    ("NONE", "Nothing", "There is no automatic fix"),
    ("EXCHANGE", "Swap Values", "Swap the adverb values of these two examples"),
    ("KEYTIME", "Move Keytime", "Move the keytime of the example to where the other examples have it"),
    ("CYCLE", "Next Cycle", "Use the cycle that begins with the same event as the other examples"),
    ("MIRROR", "Mirror", "Add a mirrored copy of the example as a new action, and untick the original"),
    ("UNTICK", "Untick Example", "Build the verb without this example, which stays in its list"),
    ("RANGE", "Widen Range", "Widen the range of the adverb to the value of this example"),
    ("KERNEL", "Choose Kernel", "Use the kernel and degree with which the examples predict each other best"),
)
TRANSITION_KINDS = (
    ("BLENDED", "Blended", "One verb fades out while the other fades in"),
    ("INERTIALISED", "Inertialised", "Leave the old verb at once, and let the difference in pose and speed fade away"),
)
STEERINGS = (
    ("NONE", "By Hand", "The character turns only by its sliders"),
    ("TARGET", "Towards", "The character turns towards an object"),
    ("CURVE", "Along", "The character follows a curve on the floor from its start"),
)
AT_OBJECT, NO_LOOK = "OBJECT", "NONE"
LOOKS = (
    (NO_LOOK, "No look", "Keep looking at the same thing"),
    (AT_OBJECT, "At Object", "Look at an object"),
    ("LEFT", "Left", "Look to the character's left"),
    ("RIGHT", "Right", "Look to the character's right"),
    ("UP", "Up", "Look up"),
    ("DOWN", "Down", "Look down"),
    ("AWAY", "Away", "Look aside and down, away from the last thing looked at"),
    ("AHEAD", "Ahead", "Stop looking: eyes and head return to the motion below"),
)
EARLIEST = -1e9
"""Time in seconds at which words became known that were known from the start."""
BAKES = (
    ("NONE", "No Bake", "It was not baked"),
    ("VERB", "Verb", "One verb was baked"),
    ("PERFORMANCE", "Performance", "What a director performs was baked"),
    ("STRIP", "NLA Strip", "One of the NLA strips of a baked performance"),
)
ENDS = (
    ("HEAD", "Head", "The point is the head of the bone"),
    ("TAIL", "Tail", "The point is the tail of the bone"),
)
SOLES = (
    ("BALL", "Ball of Foot", "The point is the ball of the foot that this control bone moves"),
    ("HEEL", "Heel", "The point is the heel of the foot that this control bone moves"),
)
PLACES = ("X", "Y", "Z")
MEASURES = (
    ("NONE", "Nothing", "You set the value of each example yourself"),
    ("X", "Place, X", "Position of a bone at a keytime along X"),
    ("Y", "Place, Y", "Position of a bone at a keytime along Y"),
    ("Z", "Place, Z", "Height of a bone at a keytime"),
    ("SPEED", "Speed", "Distance travelled over the floor per second"),
    ("TURN_RATE", "Turn Rate", "Degrees turned per second, positive to the left"),
    ("SLOPE", "Slope", "Slope of the path in degrees"),
)
SEARCHES = (
    (
        "LEAST_SQUARES",
        "Least Squares",
        "Search the adverb values, and the example weights where adverbs alone do not reach",
    ),
    ("LINE", "Lines", "Search the adverb values only, each time along a line that reduces the error"),
)
TOUCHES = (
    ("NONE", "Off", "Do not correct the remaining error"),
    ("BETWEEN", "Between Examples", "Rotate bones only for targets between the examples"),
    ("EVERYWHERE", "Everywhere", "Also rotate bones for targets beyond the examples, where the verb only extrapolates"),
)
SPACES = (
    ("START", "From the Start", "Relative to the character's start, along the axes of its director"),
    ("ROOT", "From the Root", "Relative to the character's root at that moment, without its travel and turn"),
)


def note(data: PropertyGroup) -> None:
    """Store the schema version on an action, armature or director that is being changed."""
    data.schema = max(data.schema, SCHEMA)


def remove_row(group: PropertyGroup, rows: str, chosen: str, index: int) -> None:
    """Remove a row of a list, and keep the index of the active row valid.

    Parameters
    ----------
    rows, chosen : names of the properties that hold the list and the index of its active row.
    """
    items = getattr(group, rows)
    items.remove(index)
    setattr(group, chosen, max(0, min(getattr(group, chosen), len(items) - 1)))


def move_row(group: PropertyGroup, rows: str, chosen: str, index: int, step: int) -> bool:
    """Move a row of a list up (-1) or down (+1) and make it active; return False, without a change, at the list's end.

    `rows` and `chosen` are as for `remove_row`.
    """
    items, to = getattr(group, rows), index + step
    if not 0 <= to < len(items):
        return False
    items.move(index, to)
    setattr(group, chosen, to)
    return True


def is_unreleased(data: PropertyGroup) -> bool:
    """Return whether an armature's data is from before the first release, when the same settings built other verbs."""
    return len(data.verbs) > 0 and data.schema < SCHEMA


def new_uid() -> str:
    """Return a new identifier that is unique across files too."""
    return uuid4().hex[:12]
