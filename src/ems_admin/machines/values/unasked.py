"""The codes of a question that an engine never answered. Whatever bears one of them proves nothing (`faults.md` D1)."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code

ENGINE_UNASKED: Final = frozenset(
    {
        Code.DOCKER_SOCKET_NOT_MOUNTED,
        Code.DOCKER_PERMISSION_DENIED,
        Code.DOCKER_DAEMON_UNREACHABLE,
        Code.SERVICE_MANAGER_UNREACHABLE,
    }
)
