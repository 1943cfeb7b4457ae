"""The first password, and signing in.

Sessions live with the transport; what is decided here is who may have one. Source: `http.md` 5.2.
"""

from __future__ import annotations

import hmac
from typing import Final

from attrs import define, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.house import House
from ems_admin.workflows.outcomes import require
from ems_admin.workflows.ports.access import PasswordFile
from ems_admin.workflows.ports.records import JournalLine, RefusalError

DAMAGED: Final = {PasswordFile.UNREADABLE, PasswordFile.MALFORMED, PasswordFile.UNSUPPORTED_FORMAT}


@define(kw_only=True, eq=False)
class SetupCode:
    """The one-time code of this start, there only while no password exists. Mutable: it is used up."""

    code: str | None

    def fits(self, given: str) -> bool:
        """Compare without telling by the time it takes."""
        return self.code is not None and hmac.compare_digest(given.strip().encode(), self.code.encode())


@frozen(kw_only=True)
class FirstPassword:
    """What the first visitor enters, and whether the visitor sits at the machine itself."""

    password: str
    confirm_password: str
    code: str | None
    at_the_machine: bool
    """The peer and the host named are loopback, and no proxy stands between."""


async def first_password(house: House, setup_code: SetupCode, request: FirstPassword) -> None:
    """Create the password, once. Raises `RefusalError`; the file is then untouched.

    A stranger on the network must not be first: whoever is not at the machine needs the code that the start printed.
    """
    state = await house.passwords.state()
    if state is PasswordFile.CONFIGURED:
        raise RefusalError(Refusal(Code.AUTH_ALREADY_CONFIGURED))
    if state in DAMAGED:
        raise RefusalError(Refusal(Code.AUTH_FILE_INVALID, detail=state))
    if not request.at_the_machine:
        if request.code is None:
            raise RefusalError(Refusal(Code.SETUP_CODE_REQUIRED))
        if not setup_code.fits(request.code):
            raise RefusalError(Refusal(Code.SETUP_CODE_INVALID))
    if not request.password:
        raise RefusalError(Refusal(Code.PASSWORD_REQUIRED))
    if request.password != request.confirm_password:
        raise RefusalError(Refusal(Code.PASSWORD_MISMATCH))
    outcome = await house.passwords.create(request.password)
    if outcome is None:
        raise RefusalError(Refusal(Code.AUTH_ALREADY_CONFIGURED))
    require(outcome)
    setup_code.code = None
    await _tell(house, "set_first_password", None)


async def check_password(house: House, password: str) -> None:
    """Let somebody in who knows the password. Raises `RefusalError`."""
    state = await house.passwords.state()
    if state is PasswordFile.ABSENT:
        raise RefusalError(Refusal(Code.AUTH_NOT_CONFIGURED))
    if state in DAMAGED:
        raise RefusalError(Refusal(Code.AUTH_FILE_INVALID, detail=state))
    if not await house.passwords.verify(password):
        await _tell(house, "sign_in", Code.INVALID_PASSWORD)
        raise RefusalError(Refusal(Code.INVALID_PASSWORD))
    await _tell(house, "sign_in", None)


async def _tell(house: House, trigger: str, code: Code | None) -> None:
    await house.journal.append(JournalLine(machine="access", key="", trigger=trigger, code=code))
