"""Bringing every image of a stack here, before anything is stopped.

Source: `site.md` 6 (Agreement), 8; `faults.md` F18, F21, F23, F24.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from aiodocker import Docker
from attrs import frozen

from ems_admin.docker.containers import labelled
from ems_admin.docker.daemon import Daemon
from ems_admin.docker.images import Image, find
from ems_admin.docker.labels import SERVICE, SITE
from ems_admin.docker.marks import Mark, mark
from ems_admin.docker.pulling import WHOLE, Terms, clock_fault, pull
from ems_admin.docker.stack_images import ServiceImage
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest
from ems_admin.workflows.ports.engine import Done, EngineFailure, Progress, Report
from ems_admin.workflows.ports.running import Clock


@frozen(kw_only=True)
class Fetching:
    """Fetches. Everything may raise `UnaskedError` or `DockerError`."""

    daemon: Daemon
    site: str
    clock: Clock
    terms: Terms
    built_at: Callable[[], datetime | None]
    """When the running Admin was built: no clock of a working host is behind it."""

    async def fetch(self, manifest: Manifest, images: tuple[ServiceImage, ...], report: Report) -> Done | EngineFailure:
        """Bring all images here, each once, and hold them against the manifest."""
        wanted = list({one.reference: one for one in images}.values())
        for number, one in enumerate(wanted):

            def share(progress: Progress, before: int = number) -> None:
                percent = (100 * before + (progress.percent or 0)) // len(wanted)
                report(Progress(step=progress.step, percent=percent, detail=progress.detail))

            share(Progress(step=self.terms.step, percent=0, detail=one.service.name))
            async with self.daemon.asked(WHOLE) as docker:
                image = await self._have(docker, manifest, one, share)
            if isinstance(image, EngineFailure):
                return image
            if one.own_build and not image.is_of(manifest):
                return EngineFailure(code=Code.SYSTEM_BUILD_MISMATCH, detail=one.service.name)
        report(Progress(step=self.terms.step, percent=100))
        return Done()

    async def _have(
        self, docker: Docker, manifest: Manifest, one: ServiceImage, report: Report
    ) -> Image | EngineFailure:
        """Find an image here, else pull it and mark it as pulled by us."""
        here = await find(docker, one.reference) or await self._held(docker, one.reference)
        if here is not None:
            return here
        if not one.comes_from_registry:
            return EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=one.service.name)
        if fault := clock_fault(self.clock.now(), self.built_at()):
            return fault
        came = await pull(docker, one.reference, report=report, terms=self.terms)
        if isinstance(came, Image):
            await mark(docker, came.id, Mark(site=self.site, role=one.service.name, build_id=manifest.build_id))
        return came

    async def _held(self, docker: Docker, reference: str) -> Image | None:
        """Find an image by a container of the site that was created from it.

        A thorough clean-up takes the names and digests from such an image, and has to leave the image.
        """
        for container in await labelled(docker, f"{SITE}={self.site}", SERVICE):
            if container.image == reference and container.image_id:
                return await find(docker, container.image_id)
        return None
