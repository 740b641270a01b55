"""Moved sliders: noticed by what they say, shown at once by writing the pose of the current frame."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from bpy.types import Object, Scene

from ...core.errors import VerbsError
from ...core.feet.planted import Footing
from ...core.feet.planting import plant_even
from ...core.figure.channels import climb
from ...core.verb.live import LivePose
from ...core.verb.verb import Verb
from ..action.write_pose import make_plan
from ..data.adverb_values import adverb_curves, path_of, slider_values, stepped_adverbs
from ..data.annotate import scene_fps
from ..data.director import origin_of
from .floor_mesh import footing_of
from .live_writer import LiveWriter
from .pieces import AT_ONCE, Piece, ScorePiece, VerbPiece, piece_of
from .timeline import Played, check_repeats, frame_span, is_animated

SAME = 1e-6
DRIVEN_SAME = 1e-4
ENOUGH = 1.5
"""Cycles before a frame in which whatever has locked its feet lies."""
POSES = 8
"""Verbs whose evaluation pose by pose stays prepared."""


@dataclass(frozen=True, eq=False)
class Hand:
    """What moves an armature at once when a slider is moved.

    Parameters
    ----------
    piece, writer : what is played and how it is written.
    pose : evaluates a single verb, None for a score.
    footing : what holds its points, None if nothing does.
    origin : (4,) where the performance starts.
    """

    piece: Piece
    writer: LiveWriter
    pose: LivePose | None
    footing: Footing | None
    origin: np.ndarray


@dataclass(eq=False)
class Session:
    """What is known of one live director whose generated action is up to date.

    Parameters
    ----------
    digest : of what the generated action is made from.
    names : adverbs that count.
    made : (D,) what their sliders said when it was made.
    heard : frame and what driven adverbs said there then.
    played : what the generated action holds; None until it is needed, as it may come from a file or from undo.
    hand : None until a slider is moved.
    shown : frame and slider values of the pose that was written last.
    expected : frame, and what the sliders say there if nobody has moved them.
    quiet : frame and what the sliders held when they were last found not to have been moved.
    """

    digest: str
    names: tuple[str, ...]
    made: tuple[float, ...]
    heard: tuple[float, ...]
    played: Played | None = None
    hand: Hand | None = None
    shown: tuple[float, ...] = ()
    expected: tuple[float, tuple[float, ...]] = (-1e9, ())
    quiet: tuple[object, ...] = ()


sessions: dict[int, Session] = {}


def taken_over(director: Object) -> bool:
    """Whether somebody assigned another action to the live armature."""
    data, generated = director.verbs_adverbs.directs.animation_data, director.verbs_adverbs.generated
    return generated is not None and data is not None and data.action not in {generated, None}


def notice(director: Object, scene: Scene) -> bool:
    """Show the pose of moved sliders at once; returns whether they were moved.

    A slider was moved when it says something else than what the generated action was made from, or than its own keys,
    or has come back to that.
    """
    session = sessions.get(director.session_uid)
    if session is None:
        return True
    frame = scene.frame_current_final
    held = (frame, *map(director.get, session.names))
    if held == session.quiet:
        return False
    try:
        now = slider_values(director, session.names)
    except VerbsError:
        return True
    told = (frame, *now)
    if session.expected[0] != frame:
        session.expected = (frame, _expected(director, session, now, frame))
    if told == session.shown or (_same(now, session.expected[1]) and session.shown[:1] != (frame,)):
        session.quiet = held
        return False
    session.quiet = ()
    session.shown = told
    if taken_over(director):
        return True
    try:
        show(director, session, now, scene)
    except VerbsError:
        sessions.pop(director.session_uid)
    return True


def _same(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return all(abs(x - y) <= SAME * (1.0 + abs(y)) for x, y in zip(a, b, strict=True))


def _expected(director: Object, session: Session, now: tuple[float, ...], frame: float) -> tuple[float, ...]:
    """What the sliders, which say `now`, would say at this frame if nobody had moved them, nor what drives them."""
    names, played = session.names, session.played
    curves = adverb_curves(director)
    stepped = stepped_adverbs(director, names)

    def expected(column: int, name: str) -> float:
        if name in stepped and played is not None:
            heard = float(np.interp(frame, played.frames, played.adverbs[:, column]))
            return now[column] if abs(heard - now[column]) <= DRIVEN_SAME * (1.0 + abs(heard)) else heard
        path = path_of(name)
        return curves[path].evaluate(frame) if path in curves else session.made[column]

    return tuple(expected(column, name) for column, name in enumerate(names))


def driven_changed(director: Object, session: Session, scene: Scene) -> bool:
    """Whether a driven adverb says something else at this frame than when the performance was computed."""
    names, played = session.names, session.played
    told = driven_values(director, names, scene)
    if told == session.heard or played is None:
        return False
    frame, *now = told
    columns = [names.index(name) for name in stepped_adverbs(director, names)]
    made = [float(np.interp(frame, played.frames, played.adverbs[:, column])) for column in columns]
    return any(abs(x - y) > DRIVEN_SAME * (1.0 + abs(y)) for x, y in zip(now, made, strict=True))


def driven_values(director: Object, names: tuple[str, ...], scene: Scene) -> tuple[float, ...]:
    """Frame, and what the driven ones among some adverbs say at it."""
    return scene.frame_current_final, *slider_values(director, stepped_adverbs(director, names))


def show(director: Object, session: Session, adverbs: tuple[float, ...], scene: Scene) -> None:
    """Write the pose that the current frame has at `adverbs`.

    With even adverbs, driven ones that stay the same among them, that is what the generated action will hold. With
    others the phase and place are kept that the performance has reached, and what stands there, and the keys of the
    sliders win again at the next frame. A score is played up to here without locking the feet, unless that takes too
    long; then nothing is shown before the hand rests, nor when adverbs came or went meanwhile.

    Raises
    ------
    VerbsError
        Why what is played cannot be built any more.
    """
    armature, start = director.verbs_adverbs.directs, director.verbs_adverbs.start_frame
    hand = session.hand = session.hand or hand_of(director, piece_of(armature, director))
    other_adverbs = hand.piece.adverb_names != session.names
    if other_adverbs or len(armature.pose.bones) != hand.writer.plan.bone_count:
        return
    if isinstance(hand.piece, ScorePiece):
        _show_score(director, session, hand, adverbs, scene)
    else:
        check_repeats(hand.piece.verb, np.array([scene.frame_current_final]), start, scene)
        if hand.footing is not None:
            hand.writer.write_row(armature, _planted_row(director, session, hand, hand.footing, adverbs, scene))
        else:
            travel, height, pose = _free_pose(director, session, hand, adverbs, scene)
            hand.writer.write(armature, travel, height, pose)
    armature.update_tag(refresh={"OBJECT"})


def hand_of(director: Object, piece: Piece) -> Hand:
    """What moves a director's armature at once."""
    armature = director.verbs_adverbs.directs
    single = isinstance(piece, VerbPiece)
    return Hand(
        piece,
        LiveWriter(make_plan(armature, piece.channels)),
        pose_of(piece.verb) if single else None,
        footing_of(director, piece.verb) if single else None,
        np.array(origin_of(director, armature)),
    )


@lru_cache(maxsize=POSES)
def pose_of(verb: Verb) -> LivePose:
    """What evaluates a verb pose by pose, one for all characters that share it."""
    return LivePose(verb)


def _played(director: Object, session: Session, hand: Hand, scene: Scene) -> Played:
    """What the generated action holds, computed again where it came from a file."""
    if session.played is None:
        frames = frame_span(director, scene, hand.piece.channels.width)
        session.played = hand.piece.gather(director, hand.origin, frames, scene).compute()
    return session.played


def _changes(director: Object, session: Session) -> bool:
    """Whether the adverbs change while the performance goes on: they are keyed, or what drives them moves."""
    names = session.names
    if not is_animated(director, names):
        return False
    curves, stepped, played = adverb_curves(director), stepped_adverbs(director, names), session.played
    keyed = any(path_of(name) in curves and name not in stepped for name in names)
    return keyed or (played is not None and bool(np.ptp(played.adverbs, axis=0).max(initial=0.0) > DRIVEN_SAME))


def _free_pose(
    director: Object, session: Session, hand: Hand, adverbs: tuple[float, ...], scene: Scene
) -> tuple[tuple[float, float, float], float, np.ndarray]:
    """Travel, height and pose (width - 3,) without locks."""
    frame = scene.frame_current_final
    if _changes(director, session):
        played = _played(director, session, hand, scene)
        x, y, heading = (float(np.interp(frame, played.frames, played.values[:, i])) for i in range(3))
        phase = float(np.interp(frame, played.frames, played.phases))
        height = float(hand.origin[2] + np.interp(frame, played.frames, played.heights))
        return (x, y, heading), height, hand.pose.pose(phase, adverbs)
    seconds = max(frame - director.verbs_adverbs.start_frame, 0.0) / scene_fps(scene)
    x, y, height, heading = hand.origin.tolist()
    phase, (x, y, heading, climbed) = hand.pose.at(seconds, adverbs, (x, y, heading))
    return (x, y, heading), height + climbed, hand.pose.pose(phase, adverbs)


def _planted_row(
    director: Object, session: Session, hand: Hand, footing: Footing, adverbs: tuple[float, ...], scene: Scene
) -> np.ndarray:
    """The row (width,) with the points held: even adverbs count since ever, animated ones from now on."""
    fps = scene_fps(scene)
    frame = max(scene.frame_current_final - director.verbs_adverbs.start_frame, 0.0)
    if _changes(director, session):
        travel, height, pose = _free_pose(director, session, hand, adverbs, scene)
        row = np.concatenate([travel, pose])
        climb(hand.piece.channels, row, height)
        return _played(director, session, hand, scene).planted.locked_row(frame / fps, row)
    now, before = np.array([frame / fps]), np.arange(np.floor(frame) + 1.0) / fps
    here = plant_even(footing, hand.piece.verb, np.array(adverbs), hand.origin, now, ENOUGH, before)
    return here.locked_row(float(now[0]), here.values[here.rows[0]])


def _show_score(director: Object, session: Session, hand: Hand, adverbs: tuple[float, ...], scene: Scene) -> None:
    frame = scene.frame_current_final
    late = frame - director.verbs_adverbs.start_frame > AT_ONCE
    if late or is_animated(director, session.names):
        return
    try:
        row = hand.piece.row(director, hand.origin, adverbs, frame, scene_fps(scene))
    except VerbsError:
        return
    hand.writer.write_row(director.verbs_adverbs.directs, row)
