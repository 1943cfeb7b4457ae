"""By which digests a build goes on an engine (`site.md` 8, digests)."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.machines.records.build import Channel, ImagePin, Manifest
from ems_admin.machines.records.installed import EngineKind
from ems_admin.machines.records.transition import DigestKind
from ems_admin.workflows.selection import select
from tests.memory.house import OWN, manifest

ADMIN = ImagePin(image="registry.example/admin:v1.0.0", digest="sha256:" + "1" * 64)
EMS = ImagePin(image="registry.example/ems:v1.0.0", digest="sha256:" + "2" * 64)


def in_images(channel: Channel) -> Manifest:
    return evolve(manifest(), admin=ADMIN, ems=EMS, channel=channel)


@pytest.mark.parametrize(
    ("channel", "kind"),
    [
        (Channel.STABLE, DigestKind.REGISTRY),
        (Channel.RC, DigestKind.REGISTRY),
        (Channel.DEVELOPMENT, DigestKind.REGISTRY),
        (Channel.LOCAL, DigestKind.IMAGE_ID),
    ],
)
def test_what_was_built_here_goes_by_image_ids_and_all_else_by_its_registry(channel: Channel, kind: DigestKind) -> None:
    selection = select(in_images(channel), EngineKind.DOCKER, OWN)
    assert (selection.digest_kind, selection.admin_digest, selection.admin_image) == (kind, ADMIN.digest, ADMIN.image)


@pytest.mark.parametrize("channel", Channel)
def test_natively_every_build_goes_by_its_program_trees(channel: Channel) -> None:
    selection = select(in_images(channel), EngineKind.NATIVE, OWN)
    assert (selection.digest_kind, selection.admin_digest) == (DigestKind.PROGRAM_TREE, OWN.digest)
