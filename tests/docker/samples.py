"""Values that the pure parts are told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attrs import evolve

from ems_admin.docker.containers import Container, read
from ems_admin.docker.definition import Definition
from ems_admin.docker.place import DockerPlace
from ems_admin.docker.planning import Ports, define
from ems_admin.docker.stack_images import ServiceImage, images_of
from ems_admin.docker.surroundings import Surroundings
from ems_admin.machines.records.build import Channel, ImagePin, Manifest, Service, Stack
from ems_admin.machines.records.transition import CompatibilityMode
from ems_admin.workflows.ports.engine import Deployment, EngineFailure
from tests.docker.ground import EMS

DIGEST, OTHER = f"sha256:{'a' * 64}", f"sha256:{'b' * 64}"
PLACE = DockerPlace(install_root=Path("/srv/ems"), admin_data=Path("/srv/ems/admin"))
AROUND = Surroundings(network="house", user="10001:10001")
FREE = Ports(taken=frozenset(), had={})

MANIFEST = Manifest(
    format_version=1,
    system_tag="v1.0.0",
    channel=Channel.STABLE,
    revision="0" * 40,
    build_id="1.0.0-b1",
    built_at=datetime(2026, 1, 1, tzinfo=UTC),
    admin=ImagePin(image="r.example:5000/admin:v1.0.0", digest=OTHER),
    ems=ImagePin(image="r.example:5000/ems:v1.0.0", digest=DIGEST),
    compatibility_mode=CompatibilityMode.MODERN_PAIRED,
    requires="0" * 64,
    stack="stack.json",
    config_template="t.json",
    config_schema="s.json",
    programs={},
    files={},
)


def images(*services: Service, manifest: Manifest = MANIFEST) -> tuple[ServiceImage, ...]:
    found = images_of(Deployment(manifest=manifest, stack=Stack(format_version=1, services=services or (EMS,))))
    assert not isinstance(found, EngineFailure)
    return found


def defined(published: int = 8099, **changes: Any) -> Definition:
    service = evolve(EMS, **changes)
    return define(MANIFEST, images(service)[0], PLACE, AROUND, published=published)


def container(said: dict[str, Any] | None = None, **more: Any) -> Container:
    """Read a container of ours as a daemon shows it."""
    wanted = defined()
    whole = {
        "Id": "c" * 64,
        "Name": "/ems",
        "Image": "sha256:" + "1" * 64,
        "State": {"Status": "running", "StartedAt": "2026-01-01T00:00:00.123456789Z"},
        "Config": {"Image": wanted.reference, "Labels": wanted.labels},
        "NetworkSettings": {
            "Ports": {"8099/tcp": [{"HostIp": "0.0.0.0", "HostPort": "8099"}, {"HostIp": "::", "HostPort": "8099"}]},
            "Networks": {"house": {"IPAddress": "172.18.0.3", "Gateway": "172.18.0.1"}},
        },
    }
    return evolve(read(whole | (said or {})), **more)
