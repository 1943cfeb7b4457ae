"""Which build this Admin is, by the labels of the image that its container runs from.

Source: `site.md` 6 (Agreement), 8 (own identity, digests); `faults.md` F19, F23.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from aiodocker.exceptions import DockerError
from attrs import define, evolve, field

from ems_admin.docker.containers import Container
from ems_admin.docker.daemon import Daemon, UnaskedError
from ems_admin.docker.images import Image, find, repository_of
from ems_admin.docker.labels import BUILD_ID, IMAGE_CREATED, IMAGE_REVISION, IMAGE_VERSION
from ems_admin.docker.own_container import own_container
from ems_admin.machines.records.build import OwnIdentity

_SAID: Final = (IMAGE_VERSION, BUILD_ID, IMAGE_REVISION, IMAGE_CREATED)


@define(kw_only=True, eq=False)
class DockerIdentity:
    """Learned from the daemon once it answers. Mutable: until then there is no digest. Implements `Identity`."""

    daemon: Daemon
    own: str | None
    """The own container's id; without one nothing can be learned."""
    written: OwnIdentity | None
    """What the program itself says: `build.json`."""
    _learned: OwnIdentity | None = field(default=None, init=False)

    @property
    def known(self) -> OwnIdentity | None:
        """Give what was learned; until then what is written, which cannot know its digest."""
        if self._learned is not None:
            return self._learned
        return evolve(self.written, digest=None) if self.written else None

    async def learn(self) -> None:
        """Ask for the image of the own container."""
        if self._learned is not None or self.written is None:
            return
        try:
            async with self.daemon.asked() as docker:
                container = await own_container(docker, self.own)
                image = await find(docker, container.image_id) if container else None
        except (UnaskedError, DockerError):
            return
        if container is not None and image is not None:
            self._learned = identity_of(container, image, self.written)


def identity_of(container: Container, image: Image, written: OwnIdentity) -> OwnIdentity:
    """Read an identity from an image; labels that are missing or make no sense leave what is written.

    The digest is the one of its registry, where it has one: in the repository that it was started from, if that is
    known. Otherwise it is the image's id, which equals no registry's digest.
    """
    tag, build_id, revision, created = (image.labels.get(label) for label in _SAID)
    return evolve(
        written,
        system_tag=tag or written.system_tag,
        build_id=build_id or written.build_id,
        revision=revision or written.revision,
        built_at=_time(created) or written.built_at,
        digest=digest_of(container.image, image),
        image_id=image.id,
    )


def digest_of(reference: str, image: Image) -> str:
    """Give the digest by which an image is known that a container was started from under `reference`."""
    first = image.digests[0].partition("@")[2] if image.digests else image.id
    return image.digest_in(repository_of(reference)) or first


def _time(text: str | None) -> datetime | None:
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return found if found is not None and found.tzinfo is not None else None
