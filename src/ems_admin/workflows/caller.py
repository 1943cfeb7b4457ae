"""Who asks: a browser session, an API token, or the house itself.

Source: `http.md` 5.2.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from ems_admin.machines.records.transition import AcceptedBy


class Scope(StrEnum):
    """What a caller may do; each includes the one before."""

    READ = "read"
    MAINTAIN = "maintain"
    UPGRADE = "upgrade"
    OWNER = "owner"
    """The first person, in a browser: also people, tokens, switching and recovery."""


@frozen(kw_only=True)
class Caller:
    """One asker, by fingerprints only: neither a session id nor a token ever gets this far."""

    session: str | None
    token: str | None
    scope: Scope

    @property
    def name(self) -> str:
        """What intents are bound to: the session, or the token."""
        return self.session or self.token or "house"

    def accepted_by(self) -> AcceptedBy:
        """Say who accepted an operation, for its record."""
        return AcceptedBy(session=self.session, token=self.token)


THE_HOUSE = Caller(session=None, token=None, scope=Scope.OWNER)
"""Start-up and workers, which nobody asks."""
