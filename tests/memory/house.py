"""A house in memory: the real workflows over the real machines, and every port under the hand of a test."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ems_admin import codec, demo
from ems_admin.machines.records.build import (
    ArchiveRef,
    CatalogueEntry,
    Channel,
    ImagePin,
    Manifest,
    OwnIdentity,
    Program,
)
from ems_admin.machines.records.transition import CompatibilityMode
from ems_admin.workflows.authorities import authorities
from ems_admin.workflows.caller import Caller, Scope
from ems_admin.workflows.config.draft import Draft
from ems_admin.workflows.house import House, Startup, Warnings
from ems_admin.workflows.intents import Intents
from ems_admin.workflows.jobs import Jobs
from ems_admin.workflows.ports.builds import Resources
from ems_admin.workflows.ports.identity import KnownIdentity
from ems_admin.workflows.work import Arbiter
from tests.memory.files import MemoryRuntime
from tests.memory.outside import MemoryBuilds, MemoryEngine, empty_stack
from tests.memory.replacing import hands
from tests.memory.site import MemorySite

TAG = "v1.0.0"
BUILT_AT = datetime(2025, 6, 1, tzinfo=UTC)
OWN = OwnIdentity(
    system_tag=TAG, build_id="1.0.0", revision="a" * 40, built_at=BUILT_AT, digest="b" * 64, requires="c" * 64
)
EMS_DIGEST = "d" * 64
CALLER = Caller(session="browser-1", token=None, scope=Scope.OWNER)
EMS = Path(demo.__file__).parent / "ems"


def house(site: MemorySite) -> House:
    """Compose a house over a site in memory, its start-up check passed."""
    replacement = hands(site.world)
    work = Arbiter(clock=site.clock, ids=site.ids, events=site.events)
    warnings = Warnings(shown={})
    return House(
        instance_id="instance",
        started_at=site.clock.now(),
        identity=KnownIdentity(OWN),
        records=authorities(site, journal=site.journal, events=site.events, warn=warnings.show),
        config=site.config,
        history=site.history,
        runtime=MemoryRuntime(site.world),
        setup_files=site.setup_files,
        recovery=site.recovery,
        backups=site.backups,
        installation=site.installation,
        passwords=site.passwords,
        builds=builds(site),
        engine=MemoryEngine(world=site.world),
        launcher=replacement,
        mover=replacement,
        clock=site.clock,
        ids=site.ids,
        locks=site.locks,
        tasks=site.tasks,
        events=site.events,
        journal=site.journal,
        work=work,
        intents=Intents(clock=site.clock, ids=site.ids, journal=site.journal, kept={}),
        jobs=Jobs(clock=site.clock, tasks=site.tasks, events=site.events, work=work),
        warnings=warnings,
        startup=Startup(passed=True),
    )


def builds(site: MemorySite) -> MemoryBuilds:
    """Offer the build of the Admin itself, with template, schema and example of the demo EMS."""
    return MemoryBuilds(
        world=site.world,
        entry=CatalogueEntry(
            tag=TAG,
            channel=Channel.STABLE,
            revision=OWN.revision,
            build_id=OWN.build_id,
            built_at=BUILT_AT,
            released_at=BUILT_AT,
            notes="",
            archive=ArchiveRef(path="a.tar.gz", sha256="e" * 64, bytes=1),
        ),
        build=Resources(
            manifest=manifest(),
            stack=empty_stack(),
            template=_json("config.template.json"),
            schema=_json("config.schema.json"),
            example=_json("draft-example.json"),
        ),
        identity=OWN,
    )


def manifest() -> Manifest:
    """Give the manifest of the one build."""
    digests = {"admin": OWN.digest or "", "ems": EMS_DIGEST}
    return Manifest(
        format_version=1,
        system_tag=TAG,
        channel=Channel.STABLE,
        revision=OWN.revision,
        build_id=OWN.build_id,
        built_at=BUILT_AT,
        admin=ImagePin(image=None, digest=None),
        ems=ImagePin(image=None, digest=None),
        compatibility_mode=CompatibilityMode.MODERN_PAIRED,
        requires=OWN.requires,
        stack="stack.json",
        config_template="config.template.json",
        config_schema="config.schema.json",
        programs={
            name: Program(directory=f"programs/{name}", command=("{python}",), sha256=digest)
            for name, digest in digests.items()
        },
        files={"stack.json": "f" * 64},
    )


def example_draft() -> Draft:
    """Give the draft that the demo offers to begin with."""
    return codec.structure(_json("draft-example.json"), Draft)


def _json(name: str) -> Any:
    return json.loads((EMS / name).read_text(encoding="utf-8"))
