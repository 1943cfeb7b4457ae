"""Why an image did not come: the words of the daemon and its registry, each with the code it is told by.

The daemon gives no codes of its own: behind one and the same status, and inside a stream that began well, there are
only words. These were heard from the daemon 20.10 and newer, with the registry of the distribution project.

Source: `site.md` 8 (engine codes); `faults.md` F22, F23.
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
FAULTS: Final = (
    _fault(Code.IMAGE_PULL_RATE_LIMITED, "toomanyrequests", "too many requests", "rate limit", r"\b429\b"),
    _fault(
        Code.IMAGE_PULL_DENIED,
        "unauthorized",
        "authentication required",
        "no basic auth credentials",
        "access denied",
        "access to the resource is denied",
        r"\bdenied: ",
        "incorrect username or password",
        r"\b40[13]\b",
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
        r"(?:status code|HTTP status|response status)\D*5\d\d",
    ),
)


def pull_failure(message: str) -> EngineFailure:
    """Name why a pull failed; words that nobody knows are `image_pull_failed`."""
    for fault in FAULTS:
        if fault.words.search(message):
            return EngineFailure(code=fault.code, detail=fault.detail, message=shown(message))
    return EngineFailure(code=Code.IMAGE_PULL_FAILED, message=shown(message))
