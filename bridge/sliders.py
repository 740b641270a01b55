"""Moved sliders: noticed by what they say, shown at once by writing the pose of the current frame."""

from dataclasses import dataclass

import numpy as np
from bpy.types import Object, Scene

from ..core.errors import VerbsError
from ..core.figure.channels import climb
from ..core.runtime.planted import Planted
from ..core.runtime.planting import plant_even
from ..core.verb.live import LivePose
from .annotate import scene_fps
from .director import adverb_curves, path_of, slider_values, stepped_adverbs
from .live_writer import LiveWriter
from .pieces import AT_ONCE, Piece, ScorePiece
from .timeline import Played, is_animated
from .write_pose import PosePlan

SAME = 1e-6
DRIVEN_SAME = 1e-4
ENOUGH = 1.5
"""Cycles before a frame in which whatever has locked its feet lies."""


@dataclass(eq=False)
class Session:
    """What is known of one live director.

    Parameters
    ----------
    piece, plan, writer : what is played and how it is written.
    pose : evaluates a single verb, None for a score.
    origin : (4,) where the performance starts.
    played : what the generated action holds.
    signature : of the piece.
    heard : frame and what driven adverbs said there when `played` was computed.
    shown : frame and slider values of the pose that was written last.
    expected : frame, and what the sliders say there if nobody has moved them.
    """

    piece: Piece
    plan: PosePlan
    writer: LiveWriter
    pose: LivePose | None
    origin: np.ndarray
    played: Played
    signature: str
    heard: tuple[float, ...]
    shown: tuple[float, ...] = ()
    expected: tuple[float, tuple[float, ...]] = (-1e9, ())


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
    try:
        now = slider_values(director, session.piece.adverb_names)
    except VerbsError:
        return True
    frame = scene.frame_current_final
    told = (frame, *now)
    if told == session.shown:
        return False
    if session.expected[0] != frame:
        session.expected = (frame, _expected(director, session, now, frame))
    if _same(now, session.expected[1]) and session.shown[:1] != (frame,):
        return False
    session.shown = told
    if not taken_over(director):
        show(director, session, now, scene)
    return True


def _same(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return all(abs(x - y) <= SAME * (1.0 + abs(y)) for x, y in zip(a, b, strict=True))


def _expected(director: Object, session: Session, now: tuple[float, ...], frame: float) -> tuple[float, ...]:
    """What the sliders, which say `now`, would say at this frame if nobody had moved them, nor what drives them."""
    names = session.piece.adverb_names
    curves = adverb_curves(director)
    stepped = stepped_adverbs(director, names)
    made = session.played.adverbs[0]

    def expected(column: int, name: str) -> float:
        if name in stepped:
            heard = float(np.interp(frame, session.played.frames, session.played.adverbs[:, column]))
            return now[column] if abs(heard - now[column]) <= DRIVEN_SAME * (1.0 + abs(heard)) else heard
        path = path_of(name)
        return curves[path].evaluate(frame) if path in curves else float(made[column])

    return tuple(expected(column, name) for column, name in enumerate(names))


def driven_changed(director: Object, session: Session, scene: Scene) -> bool:
    """Whether a driven adverb says something else at this frame than when the performance was computed."""
    names, played = session.piece.adverb_names, session.played
    told = driven_values(director, names, scene)
    if told == session.heard:
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
    others the phase and place are kept that
    the performance has reached, and what stands there, and the keys of the sliders win again at the next frame. A
    score is played up to here without locking the feet, unless that takes too long; then nothing is shown before the
    hand rests.
    """
    armature = director.verbs_adverbs.directs
    if len(armature.pose.bones) != session.plan.bone_count:
        return
    if isinstance(session.piece, ScorePiece):
        _show_score(director, session, session.piece, adverbs, scene)
    elif session.played.planted is not None:
        row = _planted_row(director, session, session.played.planted, adverbs, scene)
        session.writer.write_row(armature, row)
    else:
        travel, height, pose = _free_pose(director, session, adverbs, scene)
        session.writer.write(armature, travel, height, pose)
    armature.update_tag(refresh={"OBJECT"})


def _changes(director: Object, session: Session) -> bool:
    """Whether the adverbs change while the performance goes on: they are keyed, or what drives them moves."""
    names = session.piece.adverb_names
    if not is_animated(director, names):
        return False
    curves, stepped, made = adverb_curves(director), stepped_adverbs(director, names), session.played.adverbs
    keyed = any(path_of(name) in curves and name not in stepped for name in names)
    return keyed or bool(np.ptp(made, axis=0).max(initial=0.0) > DRIVEN_SAME)


def _free_pose(
    director: Object, session: Session, adverbs: tuple[float, ...], scene: Scene
) -> tuple[tuple[float, float, float], float, np.ndarray]:
    """Travel, height and pose (width - 3,) without locks."""
    frame = scene.frame_current_final
    if _changes(director, session):
        played = session.played
        x, y, heading = (float(np.interp(frame, played.frames, played.values[:, i])) for i in range(3))
        phase = float(np.interp(frame, played.frames, played.phases))
        height = float(session.origin[2] + np.interp(frame, played.frames, played.heights))
        return (x, y, heading), height, session.pose.pose(phase, adverbs)
    seconds = max(frame - director.verbs_adverbs.start_frame, 0.0) / scene_fps(scene)
    x, y, height, heading = session.origin.tolist()
    phase, (x, y, heading, climbed) = session.pose.at(seconds, adverbs, (x, y, heading))
    return (x, y, heading), height + climbed, session.pose.pose(phase, adverbs)


def _planted_row(
    director: Object, session: Session, planted: Planted, adverbs: tuple[float, ...], scene: Scene
) -> np.ndarray:
    """The row (width,) with the points held: even adverbs count since ever, animated ones from now on."""
    fps = scene_fps(scene)
    frame = max(scene.frame_current_final - director.verbs_adverbs.start_frame, 0.0)
    if _changes(director, session):
        travel, height, pose = _free_pose(director, session, adverbs, scene)
        row = np.concatenate([travel, pose])
        climb(session.piece.verb.channels, row, height)
        return planted.locked_row(frame / fps, row)
    now, before = np.array([frame / fps]), np.arange(np.floor(frame) + 1.0) / fps
    verb = session.piece.verb
    here = plant_even(planted.footing, verb, np.array(adverbs), session.origin, now, ENOUGH, before)
    return here.locked_row(float(now[0]), here.values[here.rows[0]])


def _show_score(
    director: Object, session: Session, piece: ScorePiece, adverbs: tuple[float, ...], scene: Scene
) -> None:
    frame = scene.frame_current_final
    late = frame - director.verbs_adverbs.start_frame > AT_ONCE
    if late or is_animated(director, piece.adverb_names):
        return
    try:
        row = piece.row(director, session.origin, adverbs, frame, scene_fps(scene))
    except VerbsError:
        return
    session.writer.write_row(director.verbs_adverbs.directs, row)
