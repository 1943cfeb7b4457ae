"""The image of the new Admin as it lies here: resolved locally, and never by a tag.

Source: `site.md` 8 (digests); `replacement.md` 7.2, 7.4 (U3); `faults.md` F21, F23.
"""

from __future__ import annotations

from aiodocker import Docker

from ems_admin.docker.images import Image, exactly, find
from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import DigestKind, Transition
from ems_admin.workflows.ports.engine import EngineFailure

ADMIN = "admin"
ABSENT = EngineFailure(code=Code.IMAGE_UNAVAILABLE, detail=ADMIN)
ANOTHER = EngineFailure(code=Code.IMAGE_DIGEST_MISMATCH, detail=ADMIN)
OF_ANOTHER_BUILD = EngineFailure(code=Code.SYSTEM_BUILD_MISMATCH, detail=ADMIN)


def reference_of(transition: Transition) -> str | None:
    """Name exactly the image that an operation leads to; `None` for a build that has none."""
    if transition.admin_image is None or transition.digest_kind is DigestKind.PROGRAM_TREE:
        return None
    return exactly(transition.admin_image, transition.admin_digest, transition.digest_kind)


async def resolve(docker: Docker, transition: Transition) -> Image | EngineFailure:
    """Find the target here, and hold its labels against the operation. Raises `UnaskedError` or `DockerError`.

    `image_unavailable` when it is not here, `image_digest_mismatch` when its name leads to another one,
    `system_build_mismatch` when it says that it is of another build.
    """
    reference = reference_of(transition)
    if reference is None:
        return ABSENT
    image = await find(docker, reference)
    if image is None:
        by_name = await find(docker, transition.admin_image) if transition.admin_image else None
        return ABSENT if by_name is None else ANOTHER
    if not _is_meant(image, transition):
        return ANOTHER
    return image if image.is_of(transition) else OF_ANOTHER_BUILD


def _is_meant(image: Image, transition: Transition) -> bool:
    """Compare like with like, whatever the daemon has found under the name that it was asked for."""
    if transition.digest_kind is DigestKind.IMAGE_ID:
        return image.id == transition.admin_digest
    # The repository of the default registry is written in more than one way; the digest in one.
    return any(one.endswith(f"@{transition.admin_digest}") for one in image.digests)
