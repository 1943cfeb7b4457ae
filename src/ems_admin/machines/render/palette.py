"""The colours of the drawings. Each reads on white and on near-black; the console overrides them by class.

Line and words lie half-way between both grounds (contrast above 4 against either), fills are cards with dark words.
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

FONT: Final = "Helvetica,Arial,sans-serif"
LINE: Final = "#71809a"
WORDS: Final = "#6b7a93"
REFUSED: Final = "#b7662a"
"""A refusal that moves: dashed, with the code that is answered."""


@frozen
class Card:
    """How a state looks."""

    fill: str
    border: str
    name: str
    """The colour of the state's name."""
    note: str
    """The colour of the triggers that it takes without leaving."""


PLAIN: Final = Card(fill="#eef2f8", border="#8496b0", name="#1c2738", note="#55647c")
BEGINNING: Final = Card(fill="#e2ecfd", border="#4a7fd6", name="#173264", note="#45618f")
END: Final = Card(fill="#e1f3ea", border="#3f9a72", name="#124a33", note="#3f7059")
QUESTION: Final = Card(fill="#f7f4ee", border="#b3a68c", name="#4a4231", note="#7a6f58")
