"""The marks on images: what this product has pulled itself, and what is known to be good.

A mark is a tag under a name that no registry answers to. It costs nothing, it keeps an image from being cleared away as
one that nobody has named, and it goes with the image.

Source: `faults.md` F24; `site.md` 8 (docker).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from aiodocker import Docker
from attrs import field, frozen

from ems_admin.docker.labels import IMAGES, KNOWN_GOOD


@frozen(kw_only=True)
class Mark:
    """One mark of a site."""

    site: str
    role: str
    """A service, or `admin`."""
    build_id: str
    known_good: bool = False

    @property
    def repository(self) -> str:
        """Give the part before the tag."""
        return f"{IMAGES}/{self.site}/{KNOWN_GOOD if self.known_good else ''}{self.role}"

    @property
    def reference(self) -> str:
        """Give the whole name."""
        return f"{self.repository}:{self.build_id}"


def read_mark(reference: str, site: str) -> Mark | None:
    """Read a mark of this site; `None` for any other tag."""
    repository, colon, build_id = reference.rpartition(":")
    prefix = f"{IMAGES}/{site}/"
    role = repository.removeprefix(prefix)
    if not colon or not repository.startswith(prefix) or not role or "/" in role:
        return None
    good = role.startswith(KNOWN_GOOD)
    return Mark(site=site, role=role.removeprefix(KNOWN_GOOD), build_id=build_id, known_good=good)


@frozen(kw_only=True)
class MarkedImage:
    """An image with marks of this site."""

    id: str
    marks: tuple[Mark, ...]
    tags: tuple[str, ...]
    """Given by somebody else."""
    digests: tuple[str, ...] = field(repr=False)


async def mark(docker: Docker, image_id: str, as_: Mark) -> None:
    """Mark an image, again if need be. Raises `DockerError`, `UnaskedError`."""
    await docker.images.tag(image_id, as_.repository, tag=as_.build_id)


async def marked(docker: Docker, site: str) -> tuple[MarkedImage, ...]:
    """List the images with a mark of this site. Raises `DockerError`, `UnaskedError`."""
    rows = await docker.images.list(filters={"reference": [f"{IMAGES}/{site}/*"]})
    # The list is filtered in what it shows of each as well: a tag of somebody else is missing in it.
    return tuple([read_marked(await docker.images.inspect(row["Id"]), site) for row in rows])


def read_marked(said: Mapping[str, Any], site: str) -> MarkedImage:
    """Read one image as the daemon shows it."""
    tags = _texts(said.get("RepoTags"))
    marks = [(tag, read_mark(tag, site)) for tag in tags]
    return MarkedImage(
        id=str(said.get("Id", "")),
        marks=tuple(mark for _, mark in marks if mark is not None),
        tags=tuple(tag for tag, mark in marks if mark is None),
        digests=tuple(_texts(said.get("RepoDigests"))),
    )


def _texts(found: Iterable[object] | None) -> list[str]:
    return [str(one) for one in found or () if "<none>" not in str(one)]
