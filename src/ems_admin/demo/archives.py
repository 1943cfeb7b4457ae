"""One System Build of the demo as an archive: programs for the native engine, pinned images for Docker, or both.

Source: `site.md` 6.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve, frozen

from ems_admin.builds.contents import Gathering, walk
from ems_admin.builds.identity import BUILD
from ems_admin.builds.packing import PackedFile, Recipe, UnhashedProgram, is_packed, pack_files, packed_file
from ems_admin.builds.verification import EXAMPLE
from ems_admin.codec import encode
from ems_admin.machines.records.build import (
    CatalogueEntry,
    Channel,
    HealthCheck,
    ImagePin,
    Mount,
    MountSource,
    OwnIdentity,
    Service,
    Stack,
)
from ems_admin.machines.records.transition import CompatibilityMode

EMS_SOURCES = Path(__file__).resolve().parent / "ems"
ADMIN_TREE, EMS_TREE = "programs/admin", "programs/ems"
SCHEMA, TEMPLATE, STACK = "config.schema.json", "config.template.json", "stack.json"

EMS_SERVICE = Service(
    name="ems",
    image=None,
    program=None,
    after=(),
    command=(),
    environment={},
    mounts=(
        Mount(source=MountSource.CONFIG, to="/config", read_only=True),
        Mount(source=MountSource.DATA, to="/data", read_only=False),
    ),
    port=8099,
    publish=0,
    health=HealthCheck(path="/health", interval_seconds=2, timeout_seconds=3, start_period_seconds=10),
    dashboard_path="/",
)

IN_A_CONTAINER = 45
"""Seconds that it may take to answer there."""

PROGRAMS = {
    "admin": UnhashedProgram(directory=ADMIN_TREE, command=("{python}", "-m", "ems_admin", "serve")),
    "ems": UnhashedProgram(
        directory=EMS_TREE,
        command=("{python}", "-m", "ems", "--config", "{config}", "--data", "{data}", "--port", "{port}"),
    ),
}


UNPINNED = ImagePin(image=None, digest=None)


@frozen(kw_only=True)
class Images:
    """The images of a build, by digest."""

    admin: ImagePin
    ems: ImagePin


@frozen(kw_only=True)
class DemoBuild:
    """One build: who it is, what is written about it, and what it runs from; at least one of `admin` and `images`."""

    identity: OwnIdentity
    notes: str
    admin: tuple[PackedFile, ...] = ()
    """The program tree of the Admin; without it the build has no programs, not even that of its EMS."""
    images: Images | None = None
    defect: str | None = None
    """What the program of its EMS leaves broken."""
    service: Service | None = None
    """How its EMS is run; `None` for as ever."""


def pack_build(build: DemoBuild, into: Path) -> CatalogueEntry:
    """Pack a build into the folder `into`, and give what a catalogue says of it."""
    identity = build.identity
    recipe = Recipe(
        format_version=1,
        system_tag=identity.system_tag,
        channel=Channel.STABLE,
        revision=identity.revision,
        build_id=identity.build_id,
        built_at=identity.built_at,
        admin=build.images.admin if build.images else UNPINNED,
        ems=build.images.ems if build.images else UNPINNED,
        compatibility_mode=CompatibilityMode.MODERN_PAIRED,
        requires=identity.requires,
        stack=STACK,
        config_template=TEMPLATE,
        config_schema=SCHEMA,
        programs=PROGRAMS if build.admin else {},
    )
    files = (
        PackedFile(path=STACK, data=encode(stack(build))),
        *(PackedFile(path=name, data=(EMS_SOURCES / name).read_bytes()) for name in (SCHEMA, TEMPLATE, EXAMPLE)),
        *(evolve(file, path=f"{ADMIN_TREE}/{file.path}") for file in build.admin),
        *(ems_tree(build) if build.admin else ()),
    )
    manifest, archive = pack_files(recipe, files, into / f"system-build-{identity.system_tag}.tar.gz")
    return CatalogueEntry(
        tag=manifest.system_tag,
        channel=manifest.channel,
        revision=manifest.revision,
        build_id=manifest.build_id,
        built_at=manifest.built_at,
        released_at=manifest.built_at,
        notes=build.notes,
        archive=archive,
    )


def stack(build: DemoBuild) -> Stack:
    """Give the stack of a build: its EMS alone, run from whatever the build brings."""
    service = build.service or usual_service(in_a_container=build.images is not None)
    ems = evolve(service, image="ems" if build.images else None, program="ems" if build.admin else None)
    return Stack(format_version=1, services=(ems,))


def usual_service(*, in_a_container: bool) -> Service:
    """Say how an EMS is run. An engine that starts a container on a small machine is slower than a process."""
    health = EMS_SERVICE.health
    patient = evolve(health, start_period_seconds=IN_A_CONTAINER)
    return evolve(EMS_SERVICE, health=patient if in_a_container else health)


def ems_tree(build: DemoBuild) -> Iterator[PackedFile]:
    """Give the program of the EMS: its sources, and which build it is."""
    gathering = Gathering()
    for path, place in walk(EMS_SOURCES, enter=is_packed):
        if path not in {TEMPLATE, EXAMPLE, BUILD}:
            yield packed_file(place, f"{EMS_TREE}/ems/{path}", gathering)
    said = {
        "system_tag": build.identity.system_tag,
        "build_id": build.identity.build_id,
        "revision": build.identity.revision,
        "defect": build.defect,
    }
    yield PackedFile(path=f"{EMS_TREE}/ems/{BUILD}", data=(json.dumps(said, indent=2) + "\n").encode())
