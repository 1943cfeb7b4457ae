"""Every machine of the site Admin. A new one is a file of its own, one entry here, and `make diagrams`.

Source: `site.md` 2.
"""

# long because: one entry a machine, and the table of contents is read in one piece

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from attrs import frozen

from ems_admin.machines.admin_update import ADMIN_UPDATE, UPDATE
from ems_admin.machines.admin_update_need import NEED, UPDATE_GATE
from ems_admin.machines.admin_update_progress import ADMIN_UPDATE_PROGRESS
from ems_admin.machines.alignment.beside import BESIDE
from ems_admin.machines.alignment.bringing import BRINGS, PROOF
from ems_admin.machines.alignment.ending import ENDED_BY, RETURN, WAY_OUT
from ems_admin.machines.backup_retention import BACKUP_FATE
from ems_admin.machines.cleanup import CLEANUP
from ems_admin.machines.composition.gates import UPGRADE_GATE, WRITE_GATE
from ems_admin.machines.container_conflict import CONFLICT_CLEARING
from ems_admin.machines.container_control import CONTAINER_CONTROL
from ems_admin.machines.deployment import DEPLOYMENT
from ems_admin.machines.guided_setup import GUIDED_SETUP, WORKFLOW
from ems_admin.machines.guided_upgrade import GUIDED_UPGRADE
from ems_admin.machines.kernel import Machine, Regions, Table
from ems_admin.machines.lifecycle.claims import SETUP_CLAIM, TRANSITION_CLAIM
from ems_admin.machines.lifecycle.door import DOOR
from ems_admin.machines.lifecycle.recovery import (
    CANCEL_OPERATION,
    CLEAN_UP_SETUP,
    CLEAR_CONTEXT,
    DISCARD_UPDATER,
    REACH,
    SETTLE_COMMIT,
)
from ems_admin.machines.lifecycle.release import (
    PERMIT,
    RELEASE_CONTEXT,
    RELEASE_OTHER,
    RELEASE_REPLACEMENT,
    RELEASE_SETUP,
    RELEASE_TRANSITION,
)
from ems_admin.machines.lifecycle.switch import CONFIRMATION, OBSTACLE, SWITCH
from ems_admin.machines.preview import PREVIEW
from ems_admin.machines.replacement.calling import DISPATCH_CALL
from ems_admin.machines.replacement.launching import LAUNCH
from ems_admin.machines.replacement.reconciling import RECONCILE, TIDYING
from ems_admin.machines.replacement.walking import WALK_ON, WISH
from ems_admin.machines.replacement_dispatch import ATTEMPT, REPLACEMENT_DISPATCH
from ems_admin.machines.replacement_run import REPLACEMENT_RUN, WALK
from ems_admin.machines.setup_intent import INTENT, SETUP_INTENT
from ems_admin.machines.system_alignment import SYSTEM_ALIGNMENT, TRANSITION
from ems_admin.machines.upgrade.course import UPGRADE_COURSE
from ems_admin.machines.upgrade.groundwork import GROUNDWORK, UPGRADE_CONTEXT
from ems_admin.machines.work import RUNNING_WORK, WORK
from ems_admin.machines.workflow_lifecycle import BLOCKING, OWNER, RECOVERABLE, STATE


@frozen(kw_only=True)
class Declared:
    """One machine over a slot of a record, and the record's other machines, which decide with it."""

    name: str
    title: str
    summary: str
    record: str
    """Where its state is stored, as a person would say it."""
    module: str
    """The file in `machines/` that declares it."""
    machine: Machine[Any, Any]
    regions: Regions[Any]

    @property
    def states(self) -> type[StrEnum]:
        """The states it can be in."""
        return self.machine.states

    @property
    def leads(self) -> bool:
        """Say whether the record begins and ends with this machine."""
        return self.regions.machines[0] is self.machine


@frozen(kw_only=True)
class Projected:
    """A classification that is worked out at every read and stored nowhere."""

    name: str
    title: str
    summary: str
    record: str
    """What it is read from, as a person would say it."""
    module: str
    tables: tuple[Table[Any, Any], ...]
    """The first gives the state that is shown; the others stand before or behind it."""
    refusing: tuple[Table[Any, Any], ...] = ()
    """Those of them that answer with the code of a refusal."""

    @property
    def states(self) -> type[StrEnum]:
        """The states it can be in."""
        return answers(self.tables[0])


Entry = Declared | Projected


def answers(table: Table[Any, Any]) -> type[StrEnum]:
    """Give the vocabulary in which a table answers."""
    return type(table.rows[0].answer)


CATALOGUE: Final[tuple[Entry, ...]] = (
    Declared(
        name="guided_setup",
        title="Guided Setup",
        summary="One setup from its beginning to its end. Whoever acts for it names it exactly, and it ends only once.",
        record="B0, slot `status`",
        module="guided_setup.py",
        machine=WORKFLOW,
        regions=GUIDED_SETUP,
    ),
    Declared(
        name="preview",
        title="Exact preview",
        summary="What a person was shown is what is carried out, or nothing is.",
        record="B0, slot `preview`",
        module="preview.py",
        machine=PREVIEW,
        regions=GUIDED_SETUP,
    ),
    Declared(
        name="cleanup",
        title="Cleanup of an ended setup",
        summary="What a setup leaves behind is removed when it is provably its own, and kept and shown when it is not.",
        record="B0, slot `cleanup`",
        module="cleanup.py",
        machine=CLEANUP,
        regions=GUIDED_SETUP,
    ),
    Declared(
        name="system_alignment",
        title="System Alignment",
        summary="One operation that brings Admin and EMS to a System Build, each step of it durable before the next.",
        record="B1",
        module="system_alignment.py",
        machine=TRANSITION,
        regions=SYSTEM_ALIGNMENT,
    ),
    Declared(
        name="replacement_dispatch",
        title="Dispatch of an Admin replacement",
        summary="The last attempt to hand the Admin's own replacement to an updater, noted before it is tried.",
        record="the dispatch record, its last attempt",
        module="replacement_dispatch.py",
        machine=ATTEMPT,
        regions=REPLACEMENT_DISPATCH,
    ),
    Declared(
        name="replacement_run",
        title="Walk of the updater",
        summary="How far an updater has come. Until the new Admin is verified the way leads back, after that forward.",
        record="the run record",
        module="replacement_run.py",
        machine=WALK,
        regions=REPLACEMENT_RUN,
    ),
    Declared(
        name="upgrade_groundwork",
        title="Groundwork of an upgrade",
        summary="What an upgrade settles before it replaces the Admin: a backup and a migration, neither done twice.",
        record="B6",
        module="upgrade/groundwork.py",
        machine=GROUNDWORK,
        regions=UPGRADE_CONTEXT,
    ),
    Declared(
        name="admin_update",
        title="Admin update",
        summary="A plan to update the Admin alone, and the operation that carries it out.",
        record="B7",
        module="admin_update.py",
        machine=UPDATE,
        regions=ADMIN_UPDATE,
    ),
    Declared(
        name="work",
        title="Running work",
        summary="What this process does right now: one thing that may change the site, and nothing is queued.",
        record="in memory; a restart holds none",
        module="work.py",
        machine=WORK,
        regions=RUNNING_WORK,
    ),
    Declared(
        name="setup_intent",
        title="Confirmation of a setup",
        summary="One fresh confirmation by one person, for one setup and one step, spent once.",
        record="in memory; a restart holds none",
        module="setup_intent.py",
        machine=INTENT,
        regions=SETUP_INTENT,
    ),
    Projected(
        name="workflow_lifecycle",
        title="Who owns the console",
        summary="Which workflow may act, in which state it is, what blocks a switch, and whether recovery can help.",
        record="read from B0, B1, B6 and the running work",
        module="workflow_lifecycle.py",
        tables=(
            STATE,
            OWNER,
            BLOCKING,
            SWITCH,
            OBSTACLE,
            DOOR,
            CONFIRMATION,
            RECOVERABLE,
            REACH,
            DISCARD_UPDATER,
            CANCEL_OPERATION,
            CLEAN_UP_SETUP,
            CLEAR_CONTEXT,
            SETTLE_COMMIT,
            RELEASE_SETUP,
            RELEASE_TRANSITION,
            RELEASE_CONTEXT,
            RELEASE_REPLACEMENT,
            RELEASE_OTHER,
            PERMIT,
            SETUP_CLAIM,
            TRANSITION_CLAIM,
            WRITE_GATE,
            UPGRADE_GATE,
        ),
        refusing=(BLOCKING, WRITE_GATE, UPGRADE_GATE),
    ),
    Projected(
        name="guided_upgrade",
        title="Guided Upgrade",
        summary="How far an upgrade has come, as a person sees it.",
        record="read from B1 and B6",
        module="guided_upgrade.py",
        tables=(GUIDED_UPGRADE, UPGRADE_COURSE, BESIDE, BACKUP_FATE),
        refusing=(BESIDE,),
    ),
    Projected(
        name="admin_update_progress",
        title="Progress of an Admin update",
        summary="Whether an update of the Admin alone is called for and may begin, and how far it has come.",
        record="read from B7, B1, B5 and the engine",
        module="admin_update_progress.py",
        tables=(ADMIN_UPDATE_PROGRESS, NEED, UPDATE_GATE),
        refusing=(UPDATE_GATE,),
    ),
    Projected(
        name="operation_end",
        title="Ways out of an operation",
        summary="Whether the way back to the running build is open, and which command ends an operation.",
        record="read from B0, B1, B5, the release cache and the engine",
        module="alignment/ending.py",
        tables=(RETURN, ENDED_BY, WAY_OUT, BRINGS, PROOF),
        refusing=(RETURN,),
    ),
    Projected(
        name="replacement_walk",
        title="What is left of a walk",
        summary="Where an updater that was cut goes on, and whether the operation still waits for what it does.",
        record="read from the run record, B1 and the dispatch record",
        module="replacement/walking.py",
        tables=(WALK_ON, WISH),
    ),
    Projected(
        name="replacement_reconcile",
        title="Replacement that was handed over",
        summary="What the Admin does about its own replacement, who may launch an updater, and what becomes of it.",
        record="read from B1, the dispatch and run records, and the engine",
        module="replacement/reconciling.py",
        tables=(RECONCILE, DISPATCH_CALL, LAUNCH, TIDYING),
    ),
    Projected(
        name="deployment",
        title="Deployment",
        summary="Whether an EMS is prepared, being started or running, as a person sees it.",
        record="read from B3, the running work and the engine",
        module="deployment.py",
        tables=(DEPLOYMENT, CONFLICT_CLEARING, CONTAINER_CONTROL),
        refusing=(CONFLICT_CLEARING, CONTAINER_CONTROL),
    ),
)

BY_NAME: Final[Mapping[str, Entry]] = {entry.name: entry for entry in CATALOGUE}
