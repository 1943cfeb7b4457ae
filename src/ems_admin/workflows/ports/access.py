"""The password of the first person.

Source: `http.md` 5.2.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from ems_admin.workflows.ports.records import Commit


class PasswordFile(StrEnum):
    """What the password file says. A file that is there and unusable never reopens the first set-up."""

    ABSENT = "absent"
    CONFIGURED = "configured"
    UNREADABLE = "unreadable"
    MALFORMED = "malformed"
    UNSUPPORTED_FORMAT = "unsupported_format"


class Passwords(Protocol):
    """`config/admin-auth.json`, argon2id."""

    async def state(self) -> PasswordFile:
        """Look at the file."""
        ...

    async def create(self, password: str) -> Commit | None:
        """Create it exclusively; `None` when there is one already."""
        ...

    async def verify(self, password: str) -> bool:
        """Compare; takes the same time for a wrong one."""
        ...
