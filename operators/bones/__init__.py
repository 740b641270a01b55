"""Operators that match bones by different names: after bones were renamed, and for verbs of other armatures."""
