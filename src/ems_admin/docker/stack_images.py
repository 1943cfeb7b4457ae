"""Which image each service of a stack runs from, by the word that the stack uses for it.

Source: `site.md` 6 (Stack, Agreement), 8 (digests).
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.docker.images import pinned, repository_of
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Channel, ImagePin, Manifest, Service
from ems_admin.machines.records.installed import DeployedImage
from ems_admin.workflows.ports.engine import Deployment, EngineFailure

ADMIN: Final = "admin"
EMS: Final = "ems"


@frozen(kw_only=True)
class ServiceImage:
    """A service and exactly what it runs from."""

    service: Service
    reference: str
    """`repository@digest`, or the image id of a build that never left this machine."""
    image: str
    digest: str
    own_build: bool
    """Whether it is labelled as an image of the build; a digest reference names a foreign one."""

    @property
    def comes_from_registry(self) -> bool:
        """Say whether it can be pulled."""
        return "@" in self.reference

    @property
    def deployed(self) -> DeployedImage:
        """Give it as it is noted in a record."""
        return DeployedImage(service=self.service.name, image=self.image, digest=self.digest)


def images_of(deployment: Deployment) -> tuple[ServiceImage, ...] | EngineFailure:
    """Find what every service runs from; `system_build_unavailable` when one cannot run as a container."""
    found: list[ServiceImage] = []
    for service in deployment.stack.services:
        image = _image_of(service, deployment.manifest)
        if image is None:
            return EngineFailure(code=Code.SYSTEM_BUILD_UNAVAILABLE, detail=service.name)
        found.append(image)
    return tuple(found)


def _image_of(service: Service, manifest: Manifest) -> ServiceImage | None:
    if service.image in {ADMIN, EMS}:
        pin = manifest.admin if service.image == ADMIN else manifest.ems
        reference = reference_of(pin, manifest)
        if reference is None or pin.image is None or pin.digest is None:
            return None
        return ServiceImage(service=service, reference=reference, image=pin.image, digest=pin.digest, own_build=True)
    name, at, digest = (service.image or "").partition("@")
    if not at:
        return None
    reference = f"{repository_of(name)}@{digest}"
    return ServiceImage(service=service, reference=reference, image=name, digest=digest, own_build=False)


def reference_of(pin: ImagePin, manifest: Manifest) -> str | None:
    """Name one image of a build as the daemon is asked for it; `None` for a build without one.

    A `local` build was made on this machine: no registry knows it, and its digest is the image id.
    """
    return pin.digest if manifest.channel is Channel.LOCAL else pinned(pin)
