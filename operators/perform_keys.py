"""What keys mean while characters are performed: numbers ask for verbs, arrows move adverbs."""

from bpy.types import Area, Context, Event, Region

from ..bridge.data.current import current_armature
from ..bridge.session import in_hand

ENDS = ("ESC", "RET", "NUMPAD_ENTER")
NUMBERS = {
    name: index
    for index, names in enumerate(
        (("ONE", "NUMPAD_1"), ("TWO", "NUMPAD_2"), ("THREE", "NUMPAD_3"), ("FOUR", "NUMPAD_4"), ("FIVE", "NUMPAD_5"),
         ("SIX", "NUMPAD_6"), ("SEVEN", "NUMPAD_7"), ("EIGHT", "NUMPAD_8"), ("NINE", "NUMPAD_9"))
    )
    for name in names
}  # fmt: skip
SIDES = {"LEFT_ARROW": True, "RIGHT_ARROW": False}
"""Whether an arrow turns the character to its left."""
LEVELS = {"DOWN_ARROW": -1, "UP_ARROW": 1}
"""In which direction an arrow moves the adverb after the steering one."""


def is_ours(context: Context, event: Event) -> bool:
    """Whether a key is pressed over a 3D view, without modifiers."""
    modified = event.ctrl or event.alt or event.shift or event.oskey
    return not modified and region_under(context, event) is not None


def region_under(context: Context, event: Event) -> tuple[Area, Region] | None:
    """The 3D view under the mouse and which of its regions; those that lie over the view come first."""
    for area in context.window.screen.areas if context.window is not None else ():
        if area.type == "VIEW_3D" and _holds(area, event):
            over = [one for one in area.regions if one.type != "WINDOW" and _holds(one, event)]
            window = [one for one in area.regions if one.type == "WINDOW" and _holds(one, event)]
            return (area, (over + window)[0]) if over or window else None
    return None


def press(context: Context, event: Event) -> bool:
    """Do what a key asks for; returns whether it asks for anything."""
    if event.value != "PRESS" or event.type not in NUMBERS | SIDES | LEVELS or in_hand.session is None:
        return False
    character = in_hand.session.character_of(current_armature(context))
    if event.type in SIDES:
        character.turn(SIDES[event.type])
        return True
    if event.type in LEVELS:
        character.nudge_next(LEVELS[event.type])
        return True
    verbs, index = character.verbs(), NUMBERS[event.type]
    if index < len(verbs) and not event.is_repeat:
        character.command(verbs[index][0])
    return True


def _holds(place: Area | Region, event: Event) -> bool:
    return 0 <= event.mouse_x - place.x < place.width and 0 <= event.mouse_y - place.y < place.height
