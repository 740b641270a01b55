"""Parsing of bone names: left or right, and the part of the body, in the words and abbreviations of many rigs."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

_WORDS = (
    ("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"), ("左", "右"), ("links", "rechts"), ("Links", "Rechts"),
    ("gauche", "droite"), ("Gauche", "Droite"), ("izquierda", "derecha"), ("izquierdo", "derecho"),
    ("sinistra", "destra"), ("sinistro", "destro"), ("esquerda", "direita"), ("esquerdo", "direito"),
    ("лев", "прав"), ("Лев", "Прав"),
)  # fmt: skip
_LETTERS = (
    ("l", "r"), ("L", "R"), ("lf", "rt"), ("Lf", "Rt"), ("LF", "RT"), ("lft", "rgt"), ("Lft", "Rgt"), ("lt", "rt"),
    ("Lt", "Rt"), ("izq", "der"), ("Izq", "Der"), ("LH", "RH"),
)  # fmt: skip
_LIMBS = ("heel", "toe", "ankle", "foot", "hand", "wrist")
_INNER = re.compile(r"(DEF|GEO|MCH|ORG|COR|VIS)[-_. :]")
"""Prefixes of bones that animators do not key: those that Blender's *Whole Character* leaves out."""
_APART = r"._\- :|"


def _words_in(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTS: Mapping[str, str] = {
    "thigh": "thigh femur upleg upperleg thighbone oberschenkel cuisse muslo coscia coxa бедро 太もも 太腿 大腿 もも",
    "shin": "shin calf knee tibia shank lowleg loleg lowerleg unterschenkel knie mollet genou rodilla pantorrilla "
    "ginocchio joelho колено голень ひざ 膝 すね 脛 小腿",
    "leg": "leg bein jambe pierna gamba perna нога 足 腿",
    "hip": "hip hipjoint",
    "ankle": "ankle knoechel cheville tobillo caviglia tornozelo лодыжка щиколотка 足首 脚踝",
    "foot": "foot fuss fuß pied piede стопа 脚",
    "toe": "toe toes ball zeh zehe zehen orteil orteils носок つま先 爪先 足先 脚尖 足趾",
    "heel": "heel ferse talon かかと 踵",
    "hand": "hand mano mão кисть 手",
    "wrist": "wrist 手首 手腕",
    "quarter": "front fore hind rear",
    "trunk": "spine chest torso abdomen waist neck thorax ribcage lowerback upperback 上半身 首",
    "head": "head kopf tête cabeza testa cabeça голова 頭 头",
    "eye": "eye auge œil oeil ojo occhio olho глаз 目 眼",
}
_NO_PART = _words_in(
    "end nub tip site eff effector ik target pole vector twist roll share sharebone helper mch tweak snap spin rock "
    "pivot socket jiggle corrective muscle rollbone lid lids brow "
    "brows lash lashes cursor track dummy wgt widget hinge follow 捩 親 先端 キャンセル"
)  # fmt: skip
"""Words in names of bones that lie at a part of the body, but are not that part."""
_BESIDE = _words_in("fk ctrl control controller con anim org ref c d p ex bank sec adj grp group offset")
"""Words that make a bone less likely to be the part itself: controls and copies."""
_GLUE = _words_in(
    "l r up upper low lower base bone joint big great small index mid middle ring pinky def jnt bend "
    + " ".join(word.lower() for words in (*_WORDS, *_LETTERS) for word in words)
)
_DIGITS = _words_in("thumb index mid middle ring pinky little finger palm carpal metacarpal prop weapon")
_ENDS = _words_in("end nub tip site eff effector 先端")
_PART_OF = {word: part for part, words in _PARTS.items() for word in words.split()}
_VOCABULARY = frozenset((*_PART_OF, *_NO_PART, *_BESIDE, *_GLUE, *_DIGITS))
_LONGER = {("up", "leg"): "upleg", ("upper", "leg"): "upleg", ("low", "leg"): "lowleg", ("lower", "leg"): "lowleg",
           ("lo", "leg"): "lowleg"}  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """Information parsed from the name of a bone.

    Parameters
    ----------
    parts : parts of the body that it names: thigh, shin, leg, hip, ankle, foot, toe, heel, hand, wrist, trunk, head,
        eye; quarter for one of four legs.
    helps : whether the bone is an auxiliary of that part: an end, a target, a twist.
    ends : whether the bone marks the end of a chain.
    strange : number of words that make it less likely to be the part itself.
    number : first number after such a part in the name, which tells toes apart; 0 without one.
    """

    parts: frozenset[str]
    helps: bool
    ends: bool
    strange: int
    number: int


@cache
def read_name(name: str) -> Reading:
    """Parse the name of a bone, without any prefix before a colon or a bar."""
    words = _words(name)
    known = [(place, _PART_OF[word]) for place, word in enumerate(words) if word in _PART_OF]
    numbers = [int(word) for word in words[known[-1][0] :] if word.isdecimal()] if known else []
    strange = sum(word not in _VOCABULARY and not word.isdecimal() for word in words)
    big = bool({"big", "great"} & set(words))
    digit = bool(_DIGITS & set(words))
    return Reading(
        parts=frozenset(part for _, part in known if not (digit and part in {"hand", "wrist"})),
        helps=any(word in _NO_PART for word in words),
        ends=bool(_ENDS & set(words)),
        strange=strange + sum(word in _BESIDE for word in words),
        number=0 if big else next(iter(numbers), 0) + 10 * digit,
    )


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case, with compounds split into known words."""
    plain = unicodedata.normalize("NFKC", re.split(r"[:|]", name)[-1])
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+", plain)
    words = [word for token in found for word in _taken_apart(token.lower())]
    joined: list[str] = []
    for word in words:
        pair = _LONGER.get((joined[-1], word)) if joined else None
        joined[-1:] = [pair] if pair else [*joined[-1:], word]
    return joined


@cache
def _taken_apart(token: str) -> tuple[str, ...]:
    """Split a token into as few words of the vocabulary as possible; leave it whole if it does not consist of them."""
    if token in _VOCABULARY or token.isdecimal():
        return (token,)
    ways: list[tuple[str, ...]] = []
    for cut in range(1, len(token)):
        head, rest = token[:cut], token[cut:]
        if head not in _VOCABULARY or any(len(end) == 1 and end.isascii() and end not in "lr" for end in (head, rest)):
            continue
        tail = _taken_apart(rest)
        if all(word in _VOCABULARY for word in tail):
            ways.append((head, *tail))
    return min(ways, key=lambda way: (len(way), -len(way[0])), default=(token,))


def partner_names(name: str) -> tuple[str, ...]:
    """List the names that the right partner of a left bone may have, the likeliest first; empty for other bones.

    A word for left counts anywhere (``LeftFoot``, ``foot_left``, ``左足``), a letter only at an end or delimited
    (``foot.L``, ``L_foot``, ``thigh.L.001``, ``LHipJoint``, ``lfoot``, ``FootL``).
    """
    return _on_other_side(name, left_first=True)


def side_of(name: str) -> str:
    """Return ``'L'`` or ``'R'`` for a name that marks a side, whether or not a partner exists; empty for any other."""
    return next((side for side in "LR" if _on_other_side(name, left_first=side == "L")), "")


@cache
def _on_other_side(name: str, left_first: bool) -> tuple[str, ...]:
    """List names with the marks of one side replaced by those of the other."""
    order = 1 if left_first else -1
    found: list[str] = []
    for left, right in (pair[::order] for pair in _LETTERS):
        for apart in (rf"(?<=[{_APART}]){left}(?=$|[{_APART}0-9])", rf"(?:^|(?<=[:|])){left}(?=[{_APART}])"):
            found += _swapped(apart, right, name)
    for left, right in (pair[::order] for pair in _WORDS):
        found += _swapped(left, right, name)
    (great, other), (small, opposite) = "LR"[::order], "lr"[::order]
    found += _swapped(rf"(?:^|(?<=[:|])){great}(?=[A-Z])", other, name)
    found += _swapped(rf"(?:^|(?<=[:|])){small}(?=[a-zA-Z])", opposite, name)
    found += _swapped(rf"(?<=[a-z0-9]){great}(?=$|[{_APART}])", other, name)
    return tuple(dict.fromkeys(found))


def _swapped(pattern: str, right: str, name: str) -> list[str]:
    every = re.sub(pattern, right, name)
    last = [name[: m.start()] + right + name[m.end() :] for m in re.finditer(pattern, name)]
    return [other for other in (every, *reversed(last)) if other != name]


def is_inner(name: str) -> bool:
    """Return whether a name's prefix marks an internal bone of a control rig, which animators do not see."""
    return _INNER.match(name) is not None


def _limb_of(bone: str, end: str) -> str:
    """Describe the body part of a contact point in words, if the name of its bone does not show it.

    Parameters
    ----------
    bone : name of the bone, which may be a control or internal to a control rig.
    end : point of the bone, as in `BonePoint`.

    Returns
    -------
    A description such as ``'left heel'``; empty if the bone's name suffices.
    """
    side = {"L": "left ", "R": "right "}.get(side_of(bone), "")
    if end == "BALL":
        return f"ball of {side}foot"
    if end == "HEEL":
        return f"{side}heel"
    part = next((part for part in _LIMBS if part in read_name(bone).parts), "") if is_inner(bone) else ""
    return f"{side}{part}" if part else ""


def told_point(bone: str, end: str) -> str:
    """Return a label of a contact point with the body part first: ``left heel (foot_ik.L)``, else ``Foot (head)``."""
    limb = _limb_of(bone, end)
    return f"{limb} ({bone})" if limb else f"{bone} ({end.lower()})"


def find_pairs(names: Sequence[str]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Find pairs of left and right bones by name, with a sentence for each bone that has two possible partners."""
    known = set(names)
    lower: dict[str, list[str]] = {}
    for name in names:
        lower.setdefault(name.lower(), []).append(name)
    claims: dict[str, list[str]] = {}
    for name in names:
        options = partner_names(name)
        exact = [other for other in options if other in known]
        alike = [other for option in options for other in lower.get(option.lower(), []) if other != name]
        for right in (exact or alike)[:1]:
            claims.setdefault(right, []).append(name)
    pairs: list[tuple[str, str]] = []
    remarks: list[str] = []
    taken: set[str] = set()
    for right, lefts in claims.items():
        if len(lefts) > 1:
            listed = " and ".join(f"'{left}'" for left in lefts)
            remarks.append(
                f"Bones {listed} both look like the left counterpart of '{right}'. Rename one, or choose the pair."
            )
        elif right not in taken and lefts[0] not in taken:
            pairs.append((lefts[0], right))
            taken.update((lefts[0], right))
    order = {name: place for place, name in enumerate(names)}
    return tuple(sorted(pairs, key=lambda pair: order[pair[0]])), tuple(remarks)
