"""Whether a request comes from a page of this Admin: host and port of `Origin`, compared with those of `Host`.

Default ports are filled in by the scheme of the page, so that a proxy which ends TLS locks nobody out.
Source: `http.md` 5.1; `faults.md` F48.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.records import RefusalError

PORTS: Final = {"http": 80, "https": 443}


@frozen
class Address:
    """A host and a port, spelled one way: lower case, no brackets, no dot at the end."""

    host: str
    port: int


def require_own(origin: str | None, host: str, trusted: Iterable[str]) -> None:
    """Let a request pass that names no origin, its own, or a trusted one. Raises `RefusalError` naming both values."""
    if origin is None:
        return
    page, scheme = address_of(origin), origin.partition("://")[0]
    if page is not None and page in (address_of(f"{scheme}://{host}"), *map(address_of, trusted)):
        return
    raise RefusalError(Refusal(Code.ORIGIN_REJECTED, detail=f"{origin} is not {host}"[:300]))


def address_of(origin: str) -> Address | None:
    """Read an origin; `None` for anything that names no host, such as the word null."""
    try:
        parts = urlsplit(origin.strip())
        port = parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname or port is None or parts.path not in ("", "/"):
        return None
    return Address(parts.hostname.rstrip("."), port)


def host_of(header: str) -> str:
    """Give the host that a `Host` header names, without port and brackets."""
    address = address_of(f"http://{header}")
    return address.host if address else ""
