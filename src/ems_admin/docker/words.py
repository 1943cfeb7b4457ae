"""The words of the daemon, as a person may see them: without secrets and without places on the host.

Source: `faults.md` D4; `replacement.md` 7.1 (secrets masked).
"""

from __future__ import annotations

import re
from typing import Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError

from ems_admin.engines.masking import mask

LONGEST: Final = 500
LONGEST_LINE: Final = 2000
_PATH: Final = re.compile(r"(?<![\w:/.@-])/[\w.@-]+(?:/[\w.@:-]+)+/?")
"""An absolute path of two parts or more; not what stands behind a host in an address."""


def shown(text: str) -> str:
    """Give words of the daemon or of a program for a record or a view."""
    return _PATH.sub("…", mask(text.strip()))[:LONGEST]


def said(error: DockerError) -> str:
    """Give what the daemon answered, for a record or a view."""
    return shown(str(error.message))


async def printed(docker: Docker, container_id: str, lines: int) -> tuple[str, ...]:
    """Give the last lines that a container printed, masked; nothing when nobody can say."""
    if lines <= 0:
        return ()
    try:
        said = await docker.containers.container(container_id).log(stdout=True, stderr=True, tail=lines)
    except (DockerError, ValueError, KeyError, TypeError):
        return ()
    whole = "".join(said).splitlines()
    return tuple(mask(line[:LONGEST_LINE]) for line in whole[-lines:])
