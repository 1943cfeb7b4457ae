"""The two windows that every screen is looked at in: a phone in a cellar, and a desk."""

from typing import Final, Literal

PHONE: Final = 390
DESK: Final = 1280
HEIGHTS: Final = {PHONE: 844, DESK: 800}

Scheme = Literal["light", "dark"]
SCHEMES: Final[tuple[Scheme, ...]] = ("light", "dark")
