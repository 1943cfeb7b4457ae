"""The plays, in the parts of the matrix."""

from tests.matrix.rows import config, endings, exclusion, navigation

__all__ = ("config", "endings", "exclusion", "navigation")
