"""The one exception of this room: a build that cannot be used, with the code that says why."""

from __future__ import annotations

import errno

from ems_admin.machines.codes import Code

NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT})
NOT_PERMITTED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class BuildRefusedError(Exception):
    """A build was refused. `detail` names a file inside the build or narrows the code, never a place on this host."""

    def __init__(self, code: Code, detail: str | None = None) -> None:
        """Carry `code` and `detail`."""
        super().__init__(f"{code}: {detail}" if detail else str(code))
        self.code = code
        self.detail = detail


def invalid(detail: str) -> BuildRefusedError:
    """Say that the contents of a build break a rule."""
    return BuildRefusedError(Code.SYSTEM_BUILD_RESOURCES_INVALID, detail)


def mismatch(detail: str) -> BuildRefusedError:
    """Say that a build is not the one it claims to be."""
    return BuildRefusedError(Code.SYSTEM_BUILD_MISMATCH, detail)


def storage_refusal(error: OSError) -> BuildRefusedError:
    """Name a failure of our own storage (`faults.md` D5): nothing was imported, a retry is safe."""
    if error.errno in NOT_PERMITTED:
        return BuildRefusedError(Code.ADMIN_DATA_NOT_WRITABLE, "releases")
    return BuildRefusedError(Code.STATE_WRITE_FAILED, "no_space" if error.errno in NO_SPACE else "io_error")
