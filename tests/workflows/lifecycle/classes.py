"""Every class that a stored record can fall into, by name: what is there, whose it is, and whether it can be read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from attrs import evolve, frozen

from ems_admin import codec
from ems_admin.machines.records.replacement import Outcome
from ems_admin.machines.records.setup import (
    NO_ARTIFACTS,
    NO_CLEANUP,
    Cleanup,
    CleanupEntry,
    CleanupState,
    WorkflowStatus,
)
from ems_admin.machines.records.setup import ArtifactKind as Kind
from ems_admin.machines.records.setup import ArtifactStatus as Status
from ems_admin.machines.records.transition import Mode, Stage, Transition
from ems_admin.machines.upgrade.groundwork import sealed
from tests.memory.site import MemorySite
from tests.memory.world import World
from tests.stores.records import DISPATCH, NOON, OPERATION, SETUP, TRANSITION, UPGRADE
from tests.workflows.scene import B0, B1, B6, Scene

DISPATCHED = "state/replacement-dispatch.json"
RUN = "state/replacement-run.json"
OTHER = "f" * 32
BROKEN = b"{"

_PLAIN = evolve(SETUP, preview=None, artifacts=NO_ARTIFACTS)
_ABANDONED = evolve(_PLAIN, status=WorkflowStatus.ABANDONED)
_OWED = evolve(
    NO_CLEANUP,
    state=CleanupState.PENDING,
    attempted_at=NOON,
    failed_count=1,
    artifacts=(CleanupEntry(kind=Kind.WORKFLOW_DIRECTORY, status=Status.FAILED),),
)
_REVIEW = Cleanup(
    state=CleanupState.REVIEW_REQUIRED,
    attempted_at=NOON,
    failed_count=0,
    review_count=1,
    artifacts=(CleanupEntry(kind=Kind.WORKFLOW_DIRECTORY, status=Status.REVIEW_REQUIRED),),
)
_DONE = evolve(NO_CLEANUP, state=CleanupState.COMPLETE, attempted_at=NOON)

SETUPS: dict[str, bytes | None] = {
    "absent": None,
    "active": codec.encode(_PLAIN),
    "active of another": codec.encode(evolve(_PLAIN, operation_id=OTHER)),
    "active of none": codec.encode(evolve(_PLAIN, operation_id=None, transition_mode=None)),
    "completed": codec.encode(evolve(_PLAIN, status=WorkflowStatus.COMPLETED)),
    "abandoned": codec.encode(evolve(_ABANDONED, cleanup=_DONE)),
    "abandoned of another": codec.encode(evolve(_ABANDONED, cleanup=_DONE, operation_id=OTHER)),
    "cleanup pending": codec.encode(evolve(_ABANDONED, cleanup=_OWED)),
    "review required": codec.encode(evolve(_ABANDONED, cleanup=_REVIEW)),
    "unreadable": BROKEN,
}


def operation(mode: Mode, stage: Stage) -> Transition:
    """Give the operation of this mode at this stage; one that failed did so at the first step that may."""
    failed = (
        {"failed_stage": Stage.ADMIN_ALIGNED, "resume_stage": Stage.ADMIN_ALIGNED, "error_code": "expired"}
        if stage is Stage.FAILED_RECOVERABLE
        else {}
    )
    return evolve(
        TRANSITION,
        mode=mode,
        stage=stage,
        created_boot_id="boot-1",
        created_boottime=999.0,
        **failed,  # type: ignore[arg-type]
    )


TRANSITIONS: dict[str, bytes | None] = {
    "absent": None,
    **{
        f"{mode} at {stage}": codec.encode(operation(mode, stage))
        for mode, stage in product(
            (Mode.FRESH_INSTALL, Mode.GUIDED_UPGRADE),
            (
                Stage.ADMIN_UPDATE_PENDING,
                Stage.ADMIN_RECONNECT_PENDING,
                Stage.RESOURCES_VERIFIED,
                Stage.EMS_OPERATION_RUNNING,
                Stage.FAILED_RECOVERABLE,
            ),
        )
    },
    "align": codec.encode(operation(Mode.ALIGN_EXISTING_INSTALL, Stage.RESOURCES_VERIFIED)),
    "completed": codec.encode(operation(Mode.FRESH_INSTALL, Stage.COMPLETED)),
    "cancelled": codec.encode(operation(Mode.GUIDED_UPGRADE, Stage.CANCELLED)),
    "unsupported": codec.encode(operation(Mode.FRESH_INSTALL, Stage.ADMIN_ALIGNED)).replace(
        b'"fresh_install"', b'"somebody_elses"'
    ),
    "unreadable": BROKEN,
}

UPGRADES: dict[str, bytes | None] = {
    "absent": None,
    "of the operation": codec.encode(UPGRADE),
    "of another": codec.encode(sealed(UPGRADE, operation_id=OTHER)),
    "unusable": codec.encode(UPGRADE).replace(b'"format_version": 3', b'"format_version": 2'),
    "unreadable": BROKEN,
}

DISPATCHES: dict[str, bytes | None] = {
    "absent": None,
    "launched": codec.encode(
        evolve(DISPATCH, attempts=(evolve(DISPATCH.attempts[0], outcome=Outcome.LAUNCHED, code=None, exit=None),))
    ),
    "of another": codec.encode(evolve(DISPATCH, operation_id=OTHER)),
    "unreadable": BROKEN,
}

assert OPERATION == TRANSITION.operation_id == SETUP.operation_id == UPGRADE.operation_id == DISPATCH.operation_id


@frozen
class Stored:
    """One combination of classes."""

    setup: str
    transition: str
    upgrade: str = "absent"
    dispatch: str = "absent"

    @property
    def files(self) -> dict[str, bytes]:
        """Give the files of this combination."""
        laid = {
            B0: SETUPS[self.setup],
            B1: TRANSITIONS[self.transition],
            B6: UPGRADES[self.upgrade],
            DISPATCHED: DISPATCHES[self.dispatch],
        }
        return {name: data for name, data in laid.items() if data is not None}


def every() -> Iterator[Stored]:
    """Give every combination of the four records."""
    for names in product(SETUPS, TRANSITIONS, UPGRADES, DISPATCHES):
        yield Stored(*names)


def stand(stored: Stored, **files: bytes) -> Scene:
    """Stand before a site with these records, in a new process."""
    return Scene(site=MemorySite(world=World(files={**stored.files, **files})))
