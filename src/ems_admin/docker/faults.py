"""What the daemon says when something fails, each with the code it is told by.

The daemon gives no codes of its own: behind one and the same status, and inside a stream that began well, there are
only words. These were heard from the daemon 20.10 and newer, with the registry of the distribution project.

Source: `site.md` 8 (engine codes); `faults.md` F22, F23, F31.
"""

from __future__ import annotations

import re
from typing import Final

from attrs import frozen

from ems_admin.docker.words import shown
from ems_admin.machines.codes import Code
from ems_admin.workflows.ports.engine import EngineFailure


@frozen
class Fault:
    """Words that tell one code."""

    words: re.Pattern[str]
    code: Code
    detail: str | None = None


def _fault(code: Code, *words: str, detail: str | None = None) -> Fault:
    return Fault(re.compile("|".join(words), re.IGNORECASE), code, detail)


# The first one that is heard counts: a registry that limits also says that it denies, and a refused login of a private
# registry is told as "access denied" in the same breath as "does not exist".
PULL_FAULTS: Final = (
    _fault(
        Code.IMAGE_PULL_RATE_LIMITED,
        "toomanyrequests",
        "too many requests",
        "rate limit",
        r"(?:status|response)\D{0,40}429\b",
    ),
    _fault(
        Code.IMAGE_PULL_DENIED,
        "unauthorized",
        "authentication required",
        "no basic auth credentials",
        "access denied",
        "access to the resource is denied",
        r"\bdenied: ",
        "incorrect username or password",
        r"(?:status|response)\D{0,40}40[13]\b",
    ),
    _fault(Code.IMAGE_PULL_FAILED, "no space left on device", "disk quota exceeded", detail="no_space"),
    _fault(Code.IMAGE_UNAVAILABLE, "manifest unknown", "manifest for .* not found", "name unknown", "no such image"),
    _fault(
        Code.IMAGE_PULL_NETWORK_ERROR,
        r"dial (?:tcp|udp)",
        "connection (?:refused|reset|timed out)",
        "network is unreachable",
        "no route to host",
        "no such host",
        r"i/o timeout",
        "unexpected EOF",
        r": EOF\b",
        "TLS handshake",
        "x509: ",
        "context deadline exceeded",
        "Client.Timeout exceeded",
        "server gave HTTP response to HTTPS client",
        r"(?:status|response)\D{0,40}5\d\d\b",
    ),
)

START_FAULTS: Final = (
    _fault(
        Code.CONTAINER_PORT_CONFLICT, "port is already allocated", "address already in use", "ports are not available"
    ),
    _fault(
        Code.WORKSPACE_PERMISSION_DENIED,
        "bind source path does not exist",
        "mount source path",
        "error mounting",
        r"mounts? denied",
        "not a shared mount",
        r"mkdir .*(?:permission denied|read-only file system)",
    ),
    _fault(Code.IMAGE_UNAVAILABLE, "no such image"),
    _fault(Code.EMS_START_FAILED, "no space left on device", detail="no_space"),
)


def pull_failure(message: str) -> EngineFailure:
    """Name why a pull failed; words that nobody knows are `image_pull_failed`."""
    return _heard(message, PULL_FAULTS) or EngineFailure(code=Code.IMAGE_PULL_FAILED, message=shown(message))


def start_failure(message: str, service: str) -> EngineFailure:
    """Name why a container was not created or started; words that nobody knows are `ems_start_failed`."""
    unknown = EngineFailure(code=Code.EMS_START_FAILED, detail=service, message=shown(message))
    return _heard(message, START_FAULTS, detail=service) or unknown


def _heard(message: str, faults: tuple[Fault, ...], *, detail: str | None = None) -> EngineFailure | None:
    fault = next((fault for fault in faults if fault.words.search(message)), None)
    if fault is None:
        return None
    return EngineFailure(code=fault.code, detail=fault.detail or detail, message=shown(message))
