"""A chosen System Build: what was verified of it, and whether this very Admin belongs to it.

Source: `site.md` 6 (Agreement), 8 (digests).
"""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.alignment.matching import AlignmentState, alignment_of
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.build import Channel, Manifest, OwnIdentity
from ems_admin.machines.records.installed import EngineKind
from ems_admin.machines.records.transition import DigestKind
from ems_admin.machines.values.digests import kind_of_images
from ems_admin.machines.values.fingerprints import selection_fingerprint
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.records import RefusalError


@frozen(kw_only=True)
class Selection:
    """A build with the digests that this engine goes by."""

    manifest: Manifest
    admin_digest: str
    ems_digest: str
    digest_kind: DigestKind
    admin_image: str | None
    ems_image: str | None
    alignment: AlignmentState
    """How the running Admin stands to the one of the build."""

    @property
    def aligned(self) -> bool:
        """Say whether the running Admin is the one of the build."""
        return self.alignment is AlignmentState.ALIGNED

    @property
    def fingerprint(self) -> str:
        """Bind a verification to these very digests."""
        return selection_fingerprint(
            system_tag=self.manifest.system_tag,
            build_id=self.manifest.build_id,
            revision=self.manifest.revision,
            admin=self.admin_digest,
            ems=self.ems_digest,
        )

    @property
    def acknowledged_tag(self) -> str | None:
        """For a development build the selection is the acknowledgement."""
        return self.manifest.system_tag if self.manifest.channel is Channel.DEVELOPMENT else None


def select(manifest: Manifest, kind: EngineKind, own: OwnIdentity | None) -> Selection:
    """Say what a build is for this engine. Raises `RefusalError` with `system_build_unavailable` for a missing half."""
    if kind is EngineKind.NATIVE:
        digests = {service: program.sha256 for service, program in manifest.programs.items()}
        admin_digest, ems_digest = digests.get("admin"), digests.get("ems")
        digest_kind, admin_image, ems_image = DigestKind.PROGRAM_TREE, None, None
    else:
        admin_digest, ems_digest = manifest.admin.digest, manifest.ems.digest
        digest_kind, admin_image, ems_image = kind_of_images(manifest.channel), manifest.admin.image, manifest.ems.image
    if admin_digest is None or ems_digest is None:
        half = "admin" if admin_digest is None else "ems"
        raise RefusalError(Refusal(Code.SYSTEM_BUILD_UNAVAILABLE, detail=half))
    return Selection(
        manifest=manifest,
        admin_digest=admin_digest,
        ems_digest=ems_digest,
        digest_kind=digest_kind,
        admin_image=admin_image,
        ems_image=ems_image,
        alignment=alignment_of(
            own, kind=digest_kind, digest=admin_digest, build_id=manifest.build_id, revision=manifest.revision
        ),
    )


async def resolve(house: House, tag: str) -> Selection:
    """Read and verify the manifest of a build. Raises `RefusalError` with the source's or the build's code."""
    manifest = await house.builds.resolve(tag)
    if isinstance(manifest, BuildFailure):
        raise RefusalError(Refusal(manifest.code, detail=manifest.detail))
    return select(manifest, house.engine.kind, house.own)
