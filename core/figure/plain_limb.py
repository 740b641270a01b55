"""What `limbs` says of arrays, for one limb in plain numbers, written out for speed."""

from math import sqrt

from .components import TINY, Quaternion, Vector
from .limbs import (
    ANYWHERE,
    BY_FOOT,
    DAMPING,
    DEEPEST,
    LEAST_MARGIN,
    MARGIN,
    SOFT,
    STEEPEST,
    STRAIGHT,
)


def foot_turn(arms: tuple[Vector, Vector, Vector], sole: Vector, missing: Vector, length: float) -> Quaternion:
    """How a foot turns: as `limbs.foot_towards` has it for one point.

    Parameters
    ----------
    arms : from hip, knee and foot to the middle of the foot's points.
    sole : along the foot.
    missing : what the middle is away from its target.
    length : of the limb.
    """
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = arms
    u, v, _ = missing
    damping = DAMPING * length * sqrt(u * u + v * v)
    xx, yy, zz = ax * ax + bx * bx + cx * cx, ay * ay + by * by + cy * cy, az * az + bz * bz + cz * cz
    a, b, c = yy + zz + damping, xx + zz + damping, xx + yy + damping
    d, e, f = -(ax * ay + bx * by + cx * cy), -(ax * az + bx * bz + cx * cz), -(ay * az + by * bz + cy * cz)
    p, q, r = b * c - f * f, e * f - d * c, d * f - b * e
    scale = BY_FOOT / (a * p + d * q + e * r)
    px, py = scale * (p * u + q * v), scale * (q * u + (a * c - e * e) * v)
    pz = scale * (r * u + (d * e - a * f) * v)
    x, y, z = ax + bx + cx, ay + by + cy, az + bz + cz
    tx, ty, tz = y * pz - z * py, z * px - x * pz, x * py - y * px
    sx, sy, sz = sole
    rolls = (tx * sx + ty * sy + tz * sz) / (sx * sx + sy * sy + sz * sz)
    x, y, z = 0.5 * (tx - rolls * sx), 0.5 * (ty - rolls * sy), 0.5 * (tz - rolls * sz)
    size = 1.0 / sqrt(1.0 + x * x + y * y + z * z)
    return size, x * size, y * size, z * size


def sinking(thigh: Vector, shin: Vector, way: Vector, length: float) -> float:
    """As `limbs.sinking`, of a limb whose bones together have this `length` by nature."""
    (a, b, c), (d, e, f), (u, v, w) = thigh, shin, way
    x, y, z = a + d, b + e, c + f
    straight = sqrt(a * a + b * b + c * c) + sqrt(d * d + e * e + f * f)
    allowed = max(sqrt(x * x + y * y + z * z), SOFT * straight)
    x, y, z = x + u, y + v, z + w
    wanted = sqrt(x * x + y * y + z * z)
    over = wanted - allowed
    if over <= 0.0:
        return 0.0
    margin = max(min(MARGIN * length, straight - allowed), LEAST_MARGIN * length)
    down = max(-z / (wanted + MARGIN * length), STEEPEST)
    return min(over * over / (over + margin) / down, DEEPEST * length)


def bend(thigh: Vector, shin: Vector, toe: Vector, way: Vector, length: float) -> tuple[Quaternion, Quaternion]:
    """As `limbs.bend`: turns in space of the upper bone, and of the knee after it.

    Parameters
    ----------
    thigh, shin : the bones.
    toe : from the foot's joint to its last point; nothing where there is no foot.
    way : of the foot's joint.
    length : of the limb.
    """
    (a, b, c), (d, e, f), (u, v, w) = thigh, shin, way
    lx, ly, lz = a + d, b + e, c + f
    nx, ny, nz = b * f - c * e, c * d - a * f, a * e - b * d
    s = STRAIGHT * length
    tx, ty, tz = toe[0] + ANYWHERE[0] * s, toe[1] + ANYWHERE[1] * s, toe[2] + ANYWHERE[2] * s
    x, y, z = (
        nx + STRAIGHT * (ty * lz - tz * ly),
        ny + STRAIGHT * (tz * lx - tx * lz),
        nz + STRAIGHT * (tx * ly - ty * lx),
    )
    size = sqrt(x * x + y * y + z * z) + TINY
    x, y, z = x / size, y / size, z / size
    even = a * d + b * e + c * f - (x * a + y * b + z * c) * (x * d + y * e + z * f)
    odd = -(x * nx + y * ny + z * nz)
    reach = even * even + odd * odd
    longest = sqrt(reach)
    change = lx * u + ly * v + lz * w + 0.5 * (u * u + v * v + w * w)
    change = min(max(change, -longest - even), longest - even)
    bent = sqrt(max(odd * odd - change * (2.0 * even + change), 0.0))
    half = sqrt(max(0.5 + 0.5 * (even * (even + change) - odd * bent) / reach, 1e-12))
    share = 0.5 * (odd * (even + change) + even * bent) / reach / half
    x, y, z = x * share, y * share, z * share
    p, q, r = 2.0 * (y * f - z * e), 2.0 * (z * d - x * f), 2.0 * (x * e - y * d)
    a, b, c = a + d + half * p + y * r - z * q, b + e + half * q + z * p - x * r, c + f + half * r + x * q - y * p
    lx, ly, lz = lx + u, ly + v, lz + w
    i, j, k = b * lz - c * ly, c * lx - a * lz, a * ly - b * lx
    h = sqrt((a * a + b * b + c * c) * (lx * lx + ly * ly + lz * lz)) + a * lx + b * ly + c * lz
    size = sqrt(h * h + i * i + j * j + k * k) + TINY
    return (h / size, i / size, j / size, k / size), (half, x, y, z)
