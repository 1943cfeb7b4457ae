"""The secrets that the credential store holds, or why nobody can say."""

from __future__ import annotations

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.reading import Absent, Unreadable
from ems_admin.workflows.config.compose import secrets_of
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.files import FileReading
from ems_admin.workflows.ports.records import RefusalError


async def stored_secrets(house: House) -> dict[str, dict[str, str]]:
    """Read them by reference; none where there is no store. Raises `credential_staging_failed`."""
    return secrets_in(await house.config.credentials())


def secrets_in(stored: FileReading) -> dict[str, dict[str, str]]:
    """Read the secrets that a file of this form holds by reference. Raises `credential_staging_failed`."""
    if isinstance(stored, Absent):
        return {}
    if isinstance(stored, Unreadable):
        raise RefusalError(Refusal(Code.CREDENTIAL_STAGING_FAILED, detail=stored.fault))
    try:
        return secrets_of(stored.data)
    except ValueError as error:
        raise RefusalError(Refusal(Code.CREDENTIAL_STAGING_FAILED, detail="not_json")) from error
