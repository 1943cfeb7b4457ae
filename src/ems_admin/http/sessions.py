"""Who is signed in: kept by the server alone, on the clock that no time synchronisation moves.

Workflows and the journal see the fingerprint of a session, never its id. Source: `http.md` 5.1; `faults.md` D6.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from typing import Final

from attrs import define, evolve, frozen

from ems_admin.http.visitor import Visitor
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.ports.running import Clock, Ids

COOKIE: Final = "ems_admin_session"
IDLE: Final = timedelta(seconds=1800)
ABSOLUTE: Final = timedelta(seconds=43200)
CAPACITY: Final = 256
"""Sessions at once; the one that was used longest ago makes room."""


@frozen(kw_only=True)
class Session:
    """One signed-in browser."""

    id: str
    csrf_token: str
    address: str
    agent: str
    opened: timedelta
    seen: timedelta
    """Since the host booted."""

    @property
    def fingerprint(self) -> str:
        """What everybody else may know of it."""
        return hashlib.sha256(self.id.encode()).hexdigest()[:16]

    @property
    def caller(self) -> Caller:
        """The asker that workflows see."""
        return Caller(session=self.fingerprint, token=None, scope=Scope.OWNER)

    def left(self, now: timedelta) -> timedelta:
        """Say how long it still lasts when nobody uses it."""
        return min(self.seen + IDLE, self.opened + ABSOLUTE) - now

    def fits(self, csrf_token: str | None) -> bool:
        """Compare the token of a request without telling by the time it takes."""
        return csrf_token is not None and hmac.compare_digest(csrf_token.encode(), self.csrf_token.encode())


@define(kw_only=True, eq=False)
class Sessions:
    """All sessions. Mutable: it is the memory that a restart is meant to lose."""

    clock: Clock
    ids: Ids
    kept: dict[str, Session]

    def open(self, visitor: Visitor) -> Session:
        """Sign a visitor in."""
        now = self.now()
        session = Session(
            id=self.ids.secret(),
            csrf_token=self.ids.secret(),
            address=visitor.address,
            agent=visitor.agent,
            opened=now,
            seen=now,
        )
        living = [one for one in self.kept.values() if one.left(now) > timedelta()]
        newest = sorted(living, key=lambda one: one.seen)[-(CAPACITY - 1) :]
        self.kept = {one.id: one for one in (*newest, session)}
        return session

    def find(self, session_id: str | None) -> Session | None:
        """Find a living session by what the cookie says; one that has run out is forgotten."""
        session = self.kept.get(session_id or "")
        if session is None:
            return None
        if session.left(self.now()) <= timedelta():
            self.end(session)
            return None
        return session

    def use(self, session: Session) -> Session:
        """Note that it was used just now."""
        used = evolve(session, seen=self.now())
        self.kept[used.id] = used
        return used

    def end(self, session: Session) -> None:
        """Sign out."""
        self.kept.pop(session.id, None)

    def now(self) -> timedelta:
        """Tell the time that sessions go by."""
        return timedelta(seconds=self.clock.boottime())
