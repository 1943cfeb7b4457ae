"""The plays, in the parts of the matrix."""

from tests.matrix.rows import config, endings, exclusion, navigation, sessions

__all__ = ("config", "endings", "exclusion", "navigation", "sessions")
