"""Pulling one image: by its digest, with progress, an end for every silence, and a code for every failure.

What the stream says is progress alone. Whether the image came is decided by looking whether it is here: a stream that
breaks off ends like one that is done, and an error may be followed by an image that somebody else has pulled.

Source: `site.md` 8; `faults.md` F18, F21, F22, F23, F44.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.credentials import NO_CREDENTIALS, Credentials
from ems_admin.docker.daemon import UnaskedError
from ems_admin.docker.faults import pull_failure
from ems_admin.docker.images import Image, find, repository_of
from ems_admin.docker.layers import Layers
from ems_admin.machines.codes import Code
from ems_admin.machines.values.image_reference import split_host
from ems_admin.workflows.ports.engine import EngineFailure, Progress, Report

PATIENCE: Final = timedelta(seconds=600)
"""Without any progress (`faults.md` F44); unpacking one large layer onto a slow card is silent for minutes."""
WHOLE: Final = timedelta(hours=12)
"""For the connection that a pull is asked over: what limits it is progress, not time."""


@frozen(kw_only=True)
class Terms:
    """On which terms images are pulled."""

    credentials: Credentials = NO_CREDENTIALS
    patience: timedelta = PATIENCE
    step: str = "fetch"
    """What the progress is reported as."""


DEFAULT: Final = Terms()


async def pull(docker: Docker, reference: str, *, report: Report, terms: Terms = DEFAULT) -> Image | EngineFailure:
    """Pull `repository@digest`, reporting percent and layers, and give the image that is here then.

    One that is here already is not asked for anywhere. `docker` has to be connected for `WHOLE`. Fails with
    `image_pull_rate_limited`, `image_pull_network_error`, `image_pull_denied`, `image_pull_stalled`,
    `image_pull_failed`, `image_unavailable` or `image_digest_mismatch`. Raises `UnaskedError`, or `DockerError` for
    a daemon that cannot say what is here.
    """
    if (here := await find(docker, reference)) is not None:
        return here
    try:
        failure = await _listen(docker, reference, report=report, terms=terms)
    except UnaskedError as error:
        failure = error.failure
    came = await find(docker, reference)
    if came is None:
        return failure or EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=repository_of(reference))
    digest = reference.partition("@")[2]
    # Not by its repository: the daemon writes the one of the default registry in another way than it was asked for.
    if not any(one.endswith(f"@{digest}") for one in came.digests):
        return EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail=repository_of(reference))
    return came


def clock_fault(now: datetime, built_at: datetime | None) -> EngineFailure | None:
    """Name a clock that cannot be right, with both times: no registry is asked by it, for none would be believed.

    `built_at` is when the running Admin was built, which no clock of a working host is behind (`faults.md` F18).
    """
    if built_at is None or now >= built_at:
        return None
    return EngineFailure(code=Code.CLOCK_NOT_PLAUSIBLE, detail=f"{now.isoformat()} {built_at.isoformat()}")


async def _listen(docker: Docker, reference: str, *, report: Report, terms: Terms) -> EngineFailure | None:
    """Follow a pull to its end, and name what it said went wrong."""
    layers, loop, patience = Layers(), asyncio.get_running_loop(), terms.patience.total_seconds()
    login = await asyncio.to_thread(terms.credentials.login, reference)
    try:
        async with asyncio.timeout(patience) as waiting:
            async for line in docker.images.pull(_with_host(reference), auth=login, stream=True):
                if layers.take(line):
                    waiting.reschedule(loop.time() + patience)
                    report(Progress(step=terms.step, percent=layers.percent, detail=layers.detail))
    except TimeoutError:
        return EngineFailure(code=Code.IMAGE_PULL_STALLED, detail=repository_of(reference), message=layers.detail)
    except DockerError as error:
        return pull_failure(str(error.message))
    return None


def _with_host(reference: str) -> str:
    """Name the registry that an image without one comes from: the client tells a login to none without a name."""
    host, path = split_host(reference)
    return reference if host else f"docker.io/{path if '/' in path else f'library/{path}'}"
