"""Codes that nothing can say yet, by the part of the program that is still to come and will say them."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code

LATER: Final[dict[str, frozenset[Code]]] = {
    "the Docker engine": frozenset(
        {
            Code.DOCKER_SOCKET_NOT_MOUNTED,
            Code.DOCKER_PERMISSION_DENIED,
            Code.DOCKER_DAEMON_UNREACHABLE,
            Code.INSTALL_ROOT_NOT_HOST_PATH,
            Code.IMAGE_PULL_RATE_LIMITED,
            Code.IMAGE_PULL_NETWORK_ERROR,
            Code.IMAGE_PULL_FAILED,
            Code.IMAGE_PULL_STALLED,
            Code.IMAGE_PULL_DENIED,
            Code.CONTAINER_PORT_CONFLICT,
            Code.KNOWN_GOOD_IMAGE_MISSING,
            Code.REPLACEMENT_CONFIG_DRIFT,
        }
    ),
    "containers": frozenset({Code.OWN_CONTAINER_PROTECTED}),
    "the Guided Upgrade beyond its validation": frozenset(
        {
            Code.NO_GUIDED_UPGRADE_TRANSITION,
            Code.GUIDED_UPGRADE_CONTEXT_UNAVAILABLE,
            Code.SYSTEM_BUILD_VERIFICATION_REQUIRED,
            Code.SYSTEM_BUILD_VERIFICATION_STALE,
            Code.UPGRADE_PLAN_STALE,
        }
    ),
    "the MQTT migration": frozenset({Code.MIGRATION_REVIEW_STALE}),
    "backups and restore": frozenset(
        {Code.BACKUP_PASSWORD_REQUIRED, Code.BACKUP_PASSWORD_INVALID, Code.BACKUP_DAMAGED}
    ),
    "the second factor": frozenset({Code.SECOND_FACTOR_REQUIRED, Code.SECOND_FACTOR_INVALID}),
    "operations of a fleet": frozenset({Code.OPERATION_PAYLOAD_MISMATCH, Code.OPERATION_SEALED}),
}
"""One that is produced all the same fails the run too: it no longer belongs here."""
