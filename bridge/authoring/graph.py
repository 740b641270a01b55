"""The armature's verb graph: compiled from its verbs and transitions, and cached until one of them changes.

Armatures with the same verbs and the same transitions between them share one graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bpy.types import Object, PropertyGroup

from ...core.errors import GraphError, VerbsError
from ..blender.naming import told_frame
from ..blender.store import digest_of, forget_answers, last_of, made, note_last, while_unchanged
from ..data.commands import SAME_FRAME, CommandKey, command_count, has_score, verb_of_number
from ..data.content import plain
from ..data.current import MaybeNone
from ..data.director import director_of, told_by
from ..data.frames.counting import counting_of
from ..data.transition_items import verb_of
from .transitions import check_verbs, core_transition
from .verbs import built_for, kept_verb, verb_signature

if TYPE_CHECKING:
    from ...core.graph.verb_graph import VerbGraph
    from ...core.verb.verb import Verb

State = Literal["NONE", "UNCHECKED", "READY", "BROKEN"]


@dataclass(frozen=True)
class Compiled:
    """A compiled verb graph with the digest of its sources, or why it could not be compiled.

    Parameters
    ----------
    signature : digest of the verbs and transitions.
    graph : the graph; None if it could not be compiled.
    complaints : sentences about what is wrong.
    """

    signature: str
    graph: VerbGraph | MaybeNone
    complaints: tuple[str, ...]


@dataclass(frozen=True)
class GraphStatus:
    """The state of the graph, for a panel.

    Parameters
    ----------
    state : ``'NONE'`` without transitions, ``'UNCHECKED'`` if something has changed since it was compiled.
    headline : text for the state.
    complaints : sentences about what is wrong with it.
    outside : names of verbs that no transition touches.
    """

    state: State
    headline: str
    complaints: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()


def graph_for(armature: Object) -> Compiled:
    """Return the armature's verb graph, compiled now if it never was or if something has changed.

    Raises
    ------
    GraphError
        If the graph has faults or a verb cannot be built; it contains a sentence for each fault.
    """
    kept = _compiled(armature)
    if kept is None or kept.signature != graph_signature(armature):
        kept = note_last(("graph", armature.session_uid), _compile(armature))
        forget_answers()
    if kept.graph is None:
        raise GraphError(*kept.complaints)
    return kept


def graph_status(armature: Object) -> GraphStatus:
    """Return the state of the graph without building anything."""
    rig, inside = armature.verbs_adverbs, members(armature)
    outside = tuple(item.name for item in rig.verbs if item not in inside)
    if not rig.transitions:
        return GraphStatus(
            "NONE",
            "No transitions yet: Perform suggests some, but a score stays in its first verb",
            (),
            outside,
        )
    kept = _compiled(armature)
    if kept is None or kept.signature != graph_signature(armature):
        return GraphStatus("UNCHECKED", "Changed since the last check", (), outside)
    if kept.graph is None:
        return GraphStatus("BROKEN", "Cannot be performed", kept.complaints, outside)
    ways, verbs = len(kept.graph.transitions), len(kept.graph.verbs)
    plural = "s" if ways != 1 else ""
    return GraphStatus("READY", f"{ways} transition{plural} between {verbs} verbs, ready to perform", (), outside)


def shown_graph_status(armature: Object) -> GraphStatus:
    """Return the state of the graph for panels, cached until something changes."""
    return while_unchanged(("graph status", armature.session_uid), lambda: graph_status(armature))


def _compiled(armature: Object) -> Compiled | None:
    """Return the last compiled graph of an armature."""
    return last_of(("graph", armature.session_uid))


def graph_signature(armature: Object, root: str = "") -> str:
    """Return the digest of the sources of the armature's graph; `root` is passed on to `verb_signature`."""
    verbs = [
        (item.uid, item.name, item.number, item.goes_on, verb_signature(armature, item, root))
        for item in members(armature)
    ]
    start = start_of(armature)
    ways = [plain(item) for item in armature.verbs_adverbs.transitions]
    return digest_of(verbs, ways, start.uid if start is not None else "")


def members(armature: Object) -> list[PropertyGroup]:
    """Return the verbs of the graph: those with an enabled transition, and the one that the performance begins with."""
    rig = armature.verbs_adverbs
    touched = _touched(armature)
    start = start_of(armature)
    return [item for item in rig.verbs if item.uid in touched or item == start]


def shown_members(armature: Object) -> list[PropertyGroup]:
    """Return the verbs of the graph for panels, cached until something changes."""
    question = "members", armature.session_uid
    found = while_unchanged(question, lambda: [item.uid for item in members(armature)])
    known = {item.uid: item for item in armature.verbs_adverbs.verbs}
    return [known[uid] for uid in found if uid in known]


def unheard(director: Object, key: CommandKey) -> str:
    """Return a sentence that says why a command has no effect; empty if it has one."""
    own, counting = director.verbs_adverbs, counting_of(director)
    verb = verb_of_number(own.directs, key.number)
    if verb is None:
        return f"No verb has the number {key.number}. Remove the command, or replace it."
    if key.frame < counting.begin - SAME_FRAME:
        begins = told_frame(counting.start)
        return (
            f"The command is before the start of the performance at frame {begins}. Move the command or the start "
            "frame."
        )
    if verb not in members(own.directs):
        return f"No transition leads to '{verb.name}'. Add one to the verb graph."
    return ""


def start_of(armature: Object) -> PropertyGroup | None:
    """Return the verb that a performance begins with: the one chosen for it, else the director's, else the first."""
    rig, director = armature.verbs_adverbs, told_by(armature)
    own = director.verbs_adverbs if director is not None else None
    chosen = verb_of(armature, own.performance.start_verb) if own is not None else None
    if chosen is not None:
        return chosen
    touched = _touched(armature)
    directed = rig.verbs.get(own.verb) if own is not None and own.verb else None
    if directed is not None and (directed.uid in touched or not touched):
        return directed
    return next((item for item in rig.verbs if item.uid in touched or not touched), None)


def begins_before(armature: Object, verb: PropertyGroup, frame: float) -> PropertyGroup | MaybeNone:
    """Return the verb that a score should begin with if its first command requests `verb`; None for the usual one.

    Only a later command for the verb with which it begins anyway, with no other verb chosen, needs one before it:
    the first standing verb with an outgoing transition. A verb that was never built is not known to stand.

    Parameters
    ----------
    verb, frame : what the command requests, and its frame in the scene.
    """
    director = director_of(armature)
    if director is not None:
        chosen = verb_of(armature, director.verbs_adverbs.performance.start_verb) is not None
        if chosen or command_count(director) or frame <= counting_of(director).start:
            return None
    if start_of(armature) != verb:
        return None
    leading = {item.source for item in armature.verbs_adverbs.transitions if item.enabled and item.target == verb.uid}
    built = ((item, kept_verb(armature, item)) for item in armature.verbs_adverbs.verbs if item.uid in leading)
    return next((item for item, known in built if known is not None and known.stands), None)


def stop_of(armature: Object) -> tuple[str | None, bool]:
    """Return the name of the verb that the armature stops with, and whether the user chose it.

    If the user chose none, it is the one that stands still. Which one that is, only a compiled graph shows: the
    name is empty without one, and None if no verb stands.
    """
    director = director_of(armature)
    chosen = verb_of(armature, director.verbs_adverbs.performance.stop_verb) if director is not None else None
    if chosen is not None:
        return chosen.name, True
    start = start_of(armature)
    graph = _graph_with(armature, start)
    if graph is None:
        return "", False
    from ...core.steer.gait import standing_verb

    return standing_verb(graph, start.name), False


def _graph_with(armature: Object, start: PropertyGroup | MaybeNone) -> VerbGraph | None:
    """Return the compiled graph of an armature if it has the verb that a performance begins with."""
    kept = _compiled(armature)
    graph = kept.graph if kept is not None else None
    return graph if graph is not None and start is not None and start.name in graph.leaving else None


def waits_in(armature: Object) -> PropertyGroup | None:
    """Return the verb in which a performed armature waits for its first command; its graph was compiled before.

    Without a score and a chosen first verb it is the standing one, if the verb that it would otherwise be
    can be reached from there: no figure should wait in the middle of a step.
    """
    from ...core.steer.gait import leads, standing_verb

    director, usual = director_of(armature), start_of(armature)
    graph = _graph_with(armature, usual)
    if graph is None:
        return usual
    if director is not None:
        chosen = verb_of(armature, director.verbs_adverbs.performance.start_verb)
        if chosen is not None or has_score(director):
            return usual
    name = standing_verb(graph, usual.name)
    return armature.verbs_adverbs.verbs[name] if name and leads(graph, name, usual.name) else usual


def _touched(armature: Object) -> set[str]:
    used = [item for item in armature.verbs_adverbs.transitions if item.enabled]
    return {uid for item in used for uid in (item.source, item.target)}


def _compile(armature: Object) -> Compiled:
    graph, complaints = None, ()
    try:
        used = [item for item in armature.verbs_adverbs.transitions if item.enabled]
        check_verbs(armature, used)
        verbs = {item.uid: built_for(armature, item).verb for item in members(armature)}
        key = "graph", graph_signature(armature), *verbs.values()
        graph = made(key, lambda: _joined(armature, verbs, used))
    except GraphError as error:
        complaints = error.complaints
    except VerbsError as error:
        complaints = (str(error),)
    return Compiled(graph_signature(armature), graph, complaints)


def _joined(armature: Object, verbs: dict[str, Verb], used: list[PropertyGroup]) -> VerbGraph:
    """Return the graph of an armature's built verbs, by their identifiers, and the enabled transitions."""
    from ...core.graph.verb_graph import compile_graph

    ways = [core_transition(item, verbs[item.source], verbs[item.target]) for item in used]
    loops = {item.name: item.goes_on for item in members(armature) if verbs[item.uid].cyclic}
    start = start_of(armature)
    return compile_graph(list(verbs.values()), ways, loops, (start.name,) if start is not None else ())
