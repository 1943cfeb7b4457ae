"""An Admin is the build that its image is labelled with, under the digest of the registry it came from.

Source: `site.md` 8.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from attrs import evolve

from ems_admin.docker.containers import read as container_of
from ems_admin.docker.daemon import Daemon
from ems_admin.docker.identity import DockerIdentity, identity_of
from ems_admin.docker.images import Image
from ems_admin.docker.images import read as image_of
from ems_admin.machines.records.build import OwnIdentity

ID, FIRST, SECOND = ("sha256:" + digit * 64 for digit in "123")
WRITTEN = OwnIdentity(
    system_tag="v0.1.0",
    build_id="0.1.0-a",
    revision="a" * 40,
    built_at=datetime(2026, 1, 1, tzinfo=UTC),
    digest="f" * 64,
    requires="b" * 64,
)
LABELS = {
    "org.opencontainers.image.version": "v1.2.0",
    "org.opencontainers.image.revision": "c" * 40,
    "org.opencontainers.image.created": "2026-11-29T10:00:00Z",
    "io.ems-admin.build-id": "1.2.0-c",
}


def image(*digests: str, labels: dict[str, str] | None = None) -> Image:
    said = {"Id": ID, "RepoDigests": list(digests), "Config": {"Labels": LABELS if labels is None else labels}}
    return image_of(said)


def identity(found: Image, started_from: str = "registry.example/ems-admin:v1") -> OwnIdentity:
    return identity_of(container_of({"Config": {"Image": started_from}}), found, WRITTEN)


def test_the_labels_say_who_it_is() -> None:
    assert identity(image(f"registry.example/ems-admin@{FIRST}")) == OwnIdentity(
        system_tag="v1.2.0",
        build_id="1.2.0-c",
        revision="c" * 40,
        built_at=datetime(2026, 11, 29, 10, tzinfo=UTC),
        digest=FIRST,
        requires="b" * 64,
        image_id=ID,
    )


def test_labels_that_are_missing_or_make_no_sense_leave_what_the_program_says() -> None:
    labels = {"org.opencontainers.image.created": "yesterday"}
    assert identity(image(labels=labels)) == evolve(WRITTEN, digest=ID, image_id=ID)


def test_an_image_of_two_registries_goes_by_the_one_it_was_started_from() -> None:
    both = image(f"registry.example/ems-admin@{FIRST}", f"mirror.example:5000/ems-admin@{SECOND}")
    assert identity(both, "mirror.example:5000/ems-admin:v1").digest == SECOND
    assert identity(both, f"mirror.example:5000/ems-admin@{SECOND}").digest == SECOND
    assert identity(both, ID).digest == FIRST


def test_an_image_of_no_registry_goes_by_its_id() -> None:
    assert identity(image()).digest == ID


async def test_while_the_daemon_is_silent_the_program_says_who_it_is_and_no_digest(tmp_path: Path) -> None:
    found = DockerIdentity(daemon=Daemon(f"unix://{tmp_path}/none.sock"), own="some", written=WRITTEN)
    await found.learn()
    assert found.known == evolve(WRITTEN, digest=None)
