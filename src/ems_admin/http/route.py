"""What a route is: one line of the table, what it is asked with, and what it may answer.

A handler is decode → one workflow call → reply. The decoding and the reply happen around it (`door.py`, `replies.py`);
what a route holds is the call in the middle.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Final, Generic, TypeAlias, TypeVar

import attrs
from attrs import frozen

from ems_admin.http.desk import Desk
from ems_admin.http.sessions import Session
from ems_admin.http.visitor import Visitor
from ems_admin.workflows.authority import AuthorityRow
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.house import House

B = TypeVar("B")
Q = TypeVar("Q")
V = TypeVar("V")

SMALL: Final = 4 * 1024
DRAFT: Final = 64 * 1024
"""Bytes that a body may have: most requests, and those that carry a draft."""


class Method(StrEnum):
    """How a route is asked."""

    GET = "GET"
    POST = "POST"


class Outside(StrEnum):
    """Why a route demands no authority over the Setup or its operation."""

    LOOKS = "It changes nothing."
    SIGNS_IN = "It is about who is signed in, not about the site."
    BEGINS = "It begins or resumes the Setup under the lifecycle lock: what others name does not exist before it."
    ARBITRATES = "It is bound to the fingerprint of the state that was shown, and decided under the lifecycle lock."
    STOPS = "It asks a running job to stop, which the job itself allows or not."


Authority: TypeAlias = AuthorityRow | Outside


@frozen(kw_only=True)
class Nothing:
    """The body or query of a route that takes none."""


@frozen(kw_only=True)
class Asked(Generic[B, Q]):
    """One request, decoded: who asks, for what, and the place it is asked at."""

    desk: Desk
    visitor: Visitor
    caller: Caller
    session: Session | None
    body: B
    query: Q
    names: Mapping[str, str]
    """The parts of the path that stand in braces."""
    intent_id: str | None
    """The header `X-Setup-Intent-ID`."""

    @property
    def house(self) -> House:
        """The site."""
        return self.desk.house


@frozen(kw_only=True)
class SignedIn:
    """The answer opens this session, or goes on with it."""

    session_id: str


@frozen(kw_only=True)
class SignedOut:
    """The answer ends the session of its request."""


@frozen
class Granted(Generic[V]):
    """Yes. `value` is shown in its shape, which its type tells; a status other than 200 is named."""

    value: V
    status: HTTPStatus = HTTPStatus.OK
    session: SignedIn | SignedOut | None = None


@frozen(kw_only=True)
class File:
    """Bytes, named for a download or shown as they are."""

    data: bytes
    content_type: str
    name: str | None = None


@frozen
class Stream:
    """Hints as they come, until either side has enough."""


Reply: TypeAlias = Granted[Any] | File | Stream
Call: TypeAlias = Callable[[Asked[Any, Any]], Awaitable[Reply]]


@frozen(kw_only=True)
class Route:
    """One line of the table."""

    method: Method
    path: str
    summary: str
    call: Call
    authority: Authority
    body: type[attrs.AttrsInstance] = Nothing
    query: type[attrs.AttrsInstance] = Nothing
    scope: Scope = Scope.READ
    public: bool = False
    """No session is asked for, and with it no CSRF token."""
    any_origin: bool = False
    """Also pages of other origins may ask: it tells nothing that they could use."""
    takes_intent: bool = False
    guesses: bool = False
    """A wrong answer counts against the address: passwords and codes are not to be guessed."""
    limit: int = SMALL
    statuses: tuple[HTTPStatus, ...] = (HTTPStatus.OK,)

    @property
    def mutates(self) -> bool:
        """Whether it can change anything at all."""
        return self.method is not Method.GET and self.authority is not Outside.LOOKS


def get(path: str, summary: str, call: Call, **more: Any) -> Route:
    """Declare a view."""
    return Route(method=Method.GET, path=path, summary=summary, call=call, authority=Outside.LOOKS, **more)


def post(path: str, summary: str, call: Call, authority: Authority, **more: Any) -> Route:
    """Declare an act, with what it demands."""
    return Route(method=Method.POST, path=path, summary=summary, call=call, authority=authority, **more)
