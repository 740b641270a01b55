"""The common look of all pictures: colours, Matplotlib's settings, and sizes in pixels."""

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

PAPER = np.array([0.93, 0.93, 0.91], dtype=np.float32)
"""Background of the pictures in linear RGB, as the rasteriser takes colours."""
INK, PALE_INK, RULE = "#30343c", "#7c7e84", "#cecece"


def encoded(linear: ArrayLike) -> NDArray[np.uint8]:
    """Convert linear RGB (..., 3) in [0, 1], as the rasteriser has it, to 8-bit sRGB for the screen."""
    light = np.clip(linear, 0.0, 1.0)
    bright = np.where(light < 0.0031308, 12.92 * light, 1.055 * light ** (1.0 / 2.4) - 0.055)
    return np.rint(255.0 * bright).astype(np.uint8)


def hex_of(linear: ArrayLike) -> str:
    """Return a linear colour of the rasteriser as a hexadecimal one of Matplotlib."""
    return to_hex(encoded(linear) / 255.0)


def empty_picture(width: float, height: float) -> Figure:
    """Make an empty picture whose size is given in pixels, and in which sizes of text and lines are pixels too."""
    return Figure((width / 72.0, height / 72.0), dpi=72.0)


mpl.rcParams.update(
    {
        "axes.autolimit_mode": "round_numbers",
        "axes.edgecolor": RULE,
        "axes.facecolor": "none",
        "axes.labelcolor": INK,
        "axes.linewidth": 2.0,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.titlelocation": "left",
        "axes.xmargin": 0.0,
        "axes.ymargin": 0.0,
        "figure.facecolor": hex_of(PAPER),
        "font.size": 15.0,
        "grid.color": RULE,
        "legend.borderaxespad": 0.0,
        "legend.borderpad": 0.0,
        "legend.columnspacing": 1.4,
        "legend.frameon": False,
        "legend.handletextpad": 0.6,
        "lines.solid_capstyle": "round",
        "text.color": INK,
        "xtick.color": RULE,
        "xtick.labelcolor": INK,
        "xtick.major.size": 7.0,
        "xtick.major.width": 2.0,
        "ytick.color": RULE,
        "ytick.labelcolor": INK,
        "ytick.major.size": 7.0,
        "ytick.major.width": 2.0,
    }
)
