"""Clips of captured or keyed motion: imported from files, looked at from outside, and searched for steps."""

from ... import importing

__getattr__ = importing(__name__)
