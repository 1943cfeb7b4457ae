"""How a registry is asked for its images: what `docker login` has written down, if anybody has.

Programs that keep credentials elsewhere (`credsStore`) are not run. The file is read before every pull, so that a
login takes effect without a restart. Source: `faults.md` F23; `site.md` 8.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.values.image_reference import split_host

HUB: Final = "docker.io"
HUB_ADDRESSES: Final = ("https://index.docker.io/v1/", "index.docker.io", HUB)
LARGEST: Final = 1024 * 1024


@frozen
class Credentials:
    """The logins of one file; a file that is not there, or cannot be read, holds none."""

    file: Path | None

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Credentials:
        """Find the file as every Docker client does: `$DOCKER_CONFIG`, else `.docker` in the home folder."""
        folder, home = environment.get("DOCKER_CONFIG"), environment.get("HOME")
        if folder:
            return cls(Path(folder) / "config.json")
        return cls(Path(home) / ".docker" / "config.json" if home else None)

    def login(self, reference: str) -> Mapping[str, str] | None:
        """Give what the registry of an image is told; `None` when nobody has logged in. Blocking."""
        host = split_host(reference.partition("@")[0])[0] or HUB
        addresses = HUB_ADDRESSES if host == HUB else (host, f"https://{host}", f"https://{host}/v1/", f"http://{host}")
        found = self._logins()
        return next((login for one in addresses if (login := _login(found.get(one), host)) is not None), None)

    def _logins(self) -> Mapping[str, Any]:
        if self.file is None:
            return {}
        try:
            with self.file.open("rb") as file:
                said = json.loads(file.read(LARGEST))
        except (OSError, ValueError):
            return {}
        logins = said.get("auths") if isinstance(said, dict) else None
        return logins if isinstance(logins, dict) else {}


NO_CREDENTIALS: Final = Credentials(None)


def _login(entry: object, host: str) -> Mapping[str, str] | None:
    if not isinstance(entry, dict):
        return None
    token = entry.get("identitytoken")
    if isinstance(token, str) and token:
        return {"identitytoken": token, "serveraddress": host}
    username, password = entry.get("username"), entry.get("password")
    if isinstance(entry.get("auth"), str) and entry["auth"]:
        username, _, password = _decoded(entry["auth"]).partition(":")
    if not isinstance(username, str) or not username or not isinstance(password, str):
        return None
    return {"username": username, "password": password.rstrip("\0"), "serveraddress": host}


def _decoded(auth: str) -> str:
    try:
        return base64.b64decode(auth, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""
