"""The shape of what a person is told when something is refused: a sentence, and the ways on."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen


class Method(StrEnum):
    """How an action is asked for."""

    GET = "GET"
    POST = "POST"


@frozen
class Action:
    """One way on: a word for programs, a label for a button, and the route that does it."""

    action: str
    label: str
    method: Method
    path: str


@frozen
class Sentence:
    """What happened and what to do about it, in plain English, and the ways on in the order of preference."""

    message: str
    next_actions: tuple[Action, ...]


def say(message: str, *next_actions: Action) -> Sentence:
    """Read as: tell the person this, and offer these."""
    return Sentence(message, next_actions)


GET: Final = Method.GET
POST: Final = Method.POST
