"""Operators on bones that are called otherwise: names that were renamed, and verbs of other armatures."""
