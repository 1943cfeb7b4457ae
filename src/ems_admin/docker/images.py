"""Images as they lie here: by id, by the digest of their registry, and by what their labels say.

An older image of the same tag never stands in for the one that is meant: a tag is asked for nothing but its name.
Source: `site.md` 6 (Agreement), 8 (digests); `faults.md` F21, F23, F24.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from aiodocker import Docker
from aiodocker.exceptions import DockerError
from attrs import field, frozen

from ems_admin.docker.daemon import NOT_FOUND
from ems_admin.docker.labels import BUILD_ID, IMAGE_REVISION, IMAGE_VERSION
from ems_admin.machines.records.build import Manifest
from ems_admin.machines.records.transition import DigestKind, Transition
from ems_admin.machines.values.image_reference import parse_image


@frozen(kw_only=True)
class Image:
    """One image that is here."""

    id: str
    """`sha256:…` of its configuration."""
    digests: tuple[str, ...]
    """`repository@sha256:…` of every registry it came from."""
    labels: Mapping[str, str]
    config: Mapping[str, Any] = field(eq=False, repr=False)
    """What it gives to its containers: command, environment, user, labels and others."""

    def digest_in(self, repository: str) -> str | None:
        """Give its digest in one repository."""
        return next((one.partition("@")[2] for one in self.digests if one.partition("@")[0] == repository), None)

    def is_of(self, build: Manifest | Transition) -> bool:
        """Say whether it is labelled as an image of this build."""
        said = (self.labels.get(IMAGE_VERSION), self.labels.get(IMAGE_REVISION), self.labels.get(BUILD_ID))
        return said == (build.system_tag, build.revision, build.build_id)


def repository_of(reference: str) -> str:
    """Give the repository of an image: without tag and without digest; what is no reference stays as it is."""
    parsed = parse_image(reference)
    return parsed.name if parsed else reference


def exactly(image: str, digest: str, kind: DigestKind) -> str:
    """Name exactly one image: `repository@sha256:…`, or the id of one that came from no registry."""
    return digest if kind is DigestKind.IMAGE_ID else f"{repository_of(image)}@{digest}"


async def find(docker: Docker, reference: str) -> Image | None:
    """Look for an image here, by id or `repository@digest`; `None` when the daemon answers that there is none.

    Raises `UnaskedError`, or `DockerError` for any other answer.
    """
    try:
        said = await docker.images.inspect(reference)
    except DockerError as error:
        if error.status == NOT_FOUND:
            return None
        raise
    return read(said)


def read(said: Mapping[str, Any]) -> Image:
    """Read what the daemon said; what is missing says nothing."""
    config, digests = said.get("Config") or {}, said.get("RepoDigests") or []
    labels: Final = config.get("Labels") or {}
    return Image(
        id=str(said.get("Id", "")),
        digests=tuple(str(one) for one in digests),
        labels={str(key): str(value) for key, value in labels.items()},
        config=config,
    )
