"""What nobody needs any more once an operation is over: the containers put aside, and images of builds that are gone.

Nothing is forced. An image goes only when we have pulled it ourselves, its build is not kept, no container refers to
it, running or not, and nobody has given it a name of his own. A doubt about one of them keeps it.

Source: `faults.md` F24; `site.md` 8 (docker).
"""

from __future__ import annotations

from typing import Final

import structlog
from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import frozen

from ems_admin.docker.acting import STOPPED, Acting
from ems_admin.docker.containers import Container, Doing, look
from ems_admin.docker.images import find
from ems_admin.docker.labels import BUILD_ID, SERVICE
from ems_admin.docker.marks import Mark, MarkedImage, mark, marked
from ems_admin.docker.sights import Service, Sights, in_force, rows
from ems_admin.docker.stack_images import ADMIN

_log: Final = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Pruning:
    """Clears away. Raises `UnaskedError` or `DockerError` when it cannot look: then nothing more is removed."""

    sights: Sights
    acting: Acting

    async def prune(self, builds: frozenset[str]) -> None:
        """Remove what was put aside, mark what runs as known to be good, and remove images of other builds."""
        ours = await self.sights.ours()
        services = in_force(ours)
        for container in ours:
            if _is_over(container, services):
                await self.acting.remove(container)
        async with self.sights.daemon.asked() as docker:
            good = await self._mark_good(docker, services)
            in_use = frozenset(row.image_id for row in await rows(docker))
            for image in await marked(docker, self.sights.place.site):
                await _untag(docker, superfluous(image, builds=builds, good=good, in_use=image.id in in_use))

    async def _mark_good(self, docker: Docker, services: tuple[Service, ...]) -> frozenset[Mark]:
        """Mark the images that run, the Admin's among them, and give these marks."""
        site, good = self.sights.place.site, set[Mark]()
        admin = await look(docker, self.sights.own) if self.sights.own else None
        running = [(one.name, one.container, one.known.build_id) for one in services if one.container.runs]
        if admin is not None:
            image = await find(docker, admin.image_id)
            running.append((ADMIN, admin, image.labels.get(BUILD_ID) if image else None))
        for role, container, build_id in running:
            if build_id and container.image_id:
                as_ = Mark(site=site, role=role, build_id=build_id, known_good=True)
                await mark(docker, container.image_id, as_)
                good.add(as_)
        return frozenset(good)


def superfluous(image: MarkedImage, *, builds: frozenset[str], good: frozenset[Mark], in_use: bool) -> tuple[str, ...]:
    """Name the references of an image that have lost their reason, in the order of their removal.

    With the last reference the image itself goes, so all of them are named only for one that we have pulled and that
    nobody needs or has named otherwise.
    """
    roles = {one.role for one in good}
    # What was known to be good stays so until another image of its service takes its place.
    stale = [
        one
        for one in image.marks
        if one.known_good and one.role in roles and one not in good and one.build_id not in builds
    ]
    held = [one for one in image.marks if one not in stale and (one.known_good or one.build_id in builds)]
    pulled = [one for one in image.marks if not one.known_good]
    if in_use or held or not pulled:
        others = len(image.marks) > len(stale) or image.tags or image.digests
        return tuple(one.reference for one in stale) if others else ()
    digests = () if image.tags else image.digests
    return (*digests, *(one.reference for one in (*stale, *pulled)))


async def _untag(docker: Docker, references: tuple[str, ...]) -> None:
    for reference in references:
        try:
            await docker.images.delete(reference, force=False)
        except DockerError as error:
            _log.info("image kept", reference=reference, status=error.status)
            return


def _is_over(container: Container, services: tuple[Service, ...]) -> bool:
    """Say whether a container was put aside and is needed no more: its successor runs, or its service is no more."""
    if container.doing not in STOPPED or container.name == container.labels.get(SERVICE):
        return False
    successors = [one for one in services if one.name == container.labels.get(SERVICE)]
    return all(one.container.doing is Doing.RUNNING for one in successors)
