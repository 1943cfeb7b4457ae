"""Which image each service of a stack runs from, by the word that the stack uses for it.

Source: `site.md` 6 (Stack, Agreement), 8 (digests).
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from ems_admin.docker.images import exactly
from ems_admin.machines.codes import Code
from ems_admin.machines.records.build import Manifest, Service
from ems_admin.machines.records.installed import DeployedImage
from ems_admin.machines.records.transition import DigestKind
from ems_admin.machines.values.digests import kind_of_images
from ems_admin.machines.values.image_reference import parse_image
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
        if pin.image is None or pin.digest is None:
            return None
        reference = exactly(pin.image, pin.digest, kind_of_images(manifest.channel))
        return ServiceImage(service=service, reference=reference, image=pin.image, digest=pin.digest, own_build=True)
    named = parse_image(service.image) if service.image else None
    if named is None or named.digest is None:
        return None
    reference = exactly(named.name, named.digest, DigestKind.REGISTRY)
    return ServiceImage(service=service, reference=reference, image=named.name, digest=named.digest, own_build=False)
