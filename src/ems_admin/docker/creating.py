"""What the daemon is told to create a service's container. Pure. Source: `site.md` 8 (docker)."""

from __future__ import annotations

from typing import Any

from ems_admin.docker.definition import GRACE, RESTART_POLICY, SECURITY, Definition

OF_THE_ENGINE = frozenset({"bridge", "host", "none"})
"""Networks without names of their own for the containers in them."""


def body(wanted: Definition) -> dict[str, Any]:
    """Say it in the words of `POST /containers/create`."""
    inner = f"{wanted.port}/tcp"
    told: dict[str, Any] = {
        "Image": wanted.reference,
        "User": wanted.user,
        "Env": [f"{name}={value}" for name, value in wanted.environment],
        "Labels": wanted.labels,
        "ExposedPorts": {inner: {}},
        "StopTimeout": int(GRACE.total_seconds()),
        "HostConfig": {
            "NetworkMode": wanted.network,
            "PortBindings": {inner: [{"HostIp": "", "HostPort": str(wanted.published)}]},
            "RestartPolicy": {"Name": RESTART_POLICY},
            "SecurityOpt": list(SECURITY),
            # Not as `Binds`: the daemon would make a source that is missing, as root, and the EMS would start empty.
            "Mounts": [
                {"Type": "bind", "Source": bind.source, "Target": bind.target, "ReadOnly": bind.read_only}
                for bind in wanted.binds
            ],
        },
    }
    if wanted.command:
        told["Cmd"] = list(wanted.command)
    if wanted.network not in OF_THE_ENGINE:
        told["NetworkingConfig"] = {"EndpointsConfig": {wanted.network: {"Aliases": [wanted.service]}}}
    return told
