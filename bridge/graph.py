"""The armature's verb graph: compiled from its verbs and transitions, kept while none of them changes."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ..core.errors import GraphError, VerbsError
from .content import plain
from .transitions import check_verbs, core_transition, verb_of
from .verbs import Progress, built_for, signature

if TYPE_CHECKING:
    from ..core.verb.verb_graph import VerbGraph
    from .rig import Rig


@dataclass(frozen=True)
class Compiled:
    """A verb graph with what it was made from, or why it could not be.

    Parameters
    ----------
    signature : digest of the verbs and transitions.
    graph : None when it could not be compiled.
    rig : the armature as it was read.
    complaints : each a sentence.
    """

    signature: str
    graph: VerbGraph | None
    rig: Rig | None
    complaints: tuple[str, ...]


_compiled: dict[int, Compiled] = {}


def graph_for(armature: Object, thorough: bool = False, progress: Progress | None = None) -> Compiled:
    """The armature's verb graph, up to date; verbs without examples are left out.

    Parameters
    ----------
    thorough : look at every key of the examples instead of trusting what Blender says of changes.
    progress : called with the fraction that is done, and what is being done.

    Raises
    ------
    VerbsError
        With every complaint about the graph, or why a verb cannot be built.
    """
    kept, current = _compiled.get(armature.session_uid), graph_signature(armature, thorough)
    if kept is None or kept.signature != current:
        kept = _compile(armature, thorough, progress)
        _compiled[armature.session_uid] = kept
    if kept.graph is None:
        raise GraphError(*kept.complaints)
    return kept


def complaints_of(armature: Object) -> tuple[str, ...]:
    """What was wrong with the graph when it was last compiled, empty if it has changed since; nothing is built."""
    kept = _compiled.get(armature.session_uid)
    return kept.complaints if kept is not None and kept.signature == graph_signature(armature) else ()


def forget_graphs() -> None:
    """Drop all compiled graphs."""
    _compiled.clear()


def graph_signature(armature: Object, thorough: bool = False) -> str:
    """Digest of all that the armature's graph is made from."""
    digest = blake2b(digest_size=16)
    for item in _playable(armature):
        digest.update(repr((item.uid, item.name, item.goes_on, signature(armature, item, thorough))).encode())
    for item in armature.verbs_adverbs.transitions:
        digest.update(plain(item).encode())
    return digest.hexdigest()


def _playable(armature: Object) -> list[PropertyGroup]:
    return [item for item in armature.verbs_adverbs.verbs if any(ref.enabled for ref in item.examples)]


def _compile(armature: Object, thorough: bool, progress: Progress | None) -> Compiled:
    from ..core.verb.verb_graph import compile_graph

    built = {}
    try:
        for item in _playable(armature):
            built[item.uid] = built_for(armature, item, thorough, progress)
        used = [item for item in armature.verbs_adverbs.transitions if item.enabled]
        check_verbs(armature, used)
        _check_played(armature, used, set(built))
        ways = [core_transition(item, built[item.source].verb, built[item.target].verb) for item in used]
        loops = {
            built[item.uid].verb.name: item.goes_on for item in _playable(armature) if built[item.uid].verb.cyclic
        }
        graph = compile_graph([one.verb for one in built.values()], ways, loops, _start(armature))
    except GraphError as error:
        return Compiled(graph_signature(armature), None, None, error.complaints)
    except VerbsError as error:
        return Compiled(graph_signature(armature), None, None, (str(error),))
    return Compiled(graph_signature(armature), graph, next(iter(built.values())).rig, ())


def _check_played(armature: Object, used: list[PropertyGroup], built: set[str]) -> None:
    empty = {uid for item in used for uid in (item.source, item.target) if uid not in built}
    if empty:
        raise GraphError(
            *(
                f"Verb '{verb_of(armature, uid).name}' has no examples, but transitions. Give it examples, or switch its"
                " transitions off."
                for uid in sorted(empty)
            )
        )


def _start(armature: Object) -> tuple[str, ...]:
    director = armature.verbs_adverbs.director
    begins = verb_of(armature, director.verbs_adverbs.performance.start_verb) if director is not None else None
    return (begins.name,) if begins is not None else ()
