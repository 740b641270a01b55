"""PNG files by the standard library alone."""

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def write_png(path: str | Path, picture: NDArray[np.float32]) -> None:
    """Write linear RGB (H, W, 3) in [0, 1] as an 8-bit sRGB picture."""
    linear = np.clip(picture, 0.0, 1.0)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1.0 / 2.4) - 0.055)
    pixels = np.rint(255.0 * encoded).astype(np.uint8)
    height, width = pixels.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), dtype=np.uint8), pixels.reshape(height, -1)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")]
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
