"""The table of the cuts, in the order of an upgrade."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.records.transition import Stage
from ems_admin.machines.upgrade.steps import Step
from tests.docker.kills.case import Role
from tests.docker.kills.points import MOVER
from tests.docker.upgrade.case import CutGroup, Serving, UpgradeCut, Wish

B1, B3, B5, B6 = "pending-transition", ".admin-deployment", "known-good-system-build", "guided-upgrade-context"
ACTING: Final = "ems_admin.docker.acting.Acting"

GROUNDWORK: Final = (
    UpgradeCut(
        title="behind what was chosen, before there is an operation",
        step=Step.MIGRATION_REVIEW,
        point=f"record:{B6}:after:1",
        stage=None,
    ),
    UpgradeCut(
        title="behind the backup, before it is noted",
        step=Step.BACKUP,
        point=f"record:{B6}:before:backup_completed=True",
        stage=Stage.ADMIN_ALIGNED,
    ),
    UpgradeCut(
        title="behind the backup",
        step=Step.BACKUP,
        point=f"record:{B6}:after:backup_completed=True",
        stage=Stage.ADMIN_ALIGNED,
        wish=Wish.CALL_OFF,
        migrates=False,
    ),
    UpgradeCut(
        title="behind the migration, before it is noted",
        step=Step.MIGRATION,
        point=f"record:{B6}:before:migration_completed=True",
        stage=Stage.ADMIN_ALIGNED,
    ),
    UpgradeCut(
        title="behind the migration",
        step=Step.ADMIN,
        point=f"record:{B6}:after:migration_completed=True",
        stage=Stage.ADMIN_UPDATE_PENDING,
        serving=Serving.GOOD,
    ),
    UpgradeCut(
        title="behind the stop of the old Admin",
        step=Step.HANDOVER,
        point=f"call:{MOVER}.stop_predecessor:after:1",
        stage=Stage.ADMIN_RECONNECT_PENDING,
        serving=Serving.GOOD,
        role=Role.UPDATER,
    ),
)

OF_THE_EMS: Final = (
    UpgradeCut(
        title="behind the import of the build",
        step=Step.RESOURCES,
        point=f"record:{B1}:after:stage=resources_verified",
        stage=Stage.RESOURCES_VERIFIED,
    ),
    UpgradeCut(
        title="behind config check and pull",
        step=Step.PULL,
        point=f"record:{B1}:after:stage=ems_operation_pending",
        stage=Stage.EMS_OPERATION_PENDING,
    ),
    UpgradeCut(
        title="behind the note of what is to run",
        step=Step.UPDATE_STACK,
        point=f"record:{B3}:after:1",
        stage=Stage.EMS_OPERATION_PENDING,
    ),
    UpgradeCut(
        title="with the old EMS put aside",
        step=Step.RECREATE_EMS,
        point=f"call:{ACTING}.rename:after:1",
        stage=Stage.EMS_OPERATION_RUNNING,
    ),
    UpgradeCut(
        title="behind the start of the new EMS",
        step=Step.RECREATE_EMS,
        point=f"call:{ACTING}.start:after:1",
        stage=Stage.EMS_OPERATION_RUNNING,
    ),
    UpgradeCut(
        title="before anybody has asked whether it is well",
        step=Step.DIAGNOSTICS,
        point=f"record:{B1}:after:stage=healthcheck_pending",
        stage=Stage.HEALTHCHECK_PENDING,
    ),
    UpgradeCut(
        title="behind the note of the good build",
        step=Step.KNOWN_GOOD,
        point=f"record:{B5}:after:1",
        stage=Stage.HEALTHCHECK_PENDING,
        known_good=True,
    ),
)

NEVER_WELL: Final = (Code.HEALTHCHECK_FAILED,)
"""Told once the known-good EMS runs again, and not before."""

WAY_BACK: Final = (
    UpgradeCut(
        title="on the way back, behind the note of what is to run again",
        step=Step.DIAGNOSTICS,
        point=f"record:{B3}:after:2",
        stage=Stage.HEALTHCHECK_PENDING,
        wish=Wish.GIVE_UP,
        migrates=False,
        well=False,
        heard=NEVER_WELL,
    ),
    UpgradeCut(
        title="on the way back, with the known-good EMS in its place and not started",
        step=Step.DIAGNOSTICS,
        point=f"call:{ACTING}.rename:after:3",
        stage=Stage.HEALTHCHECK_PENDING,
        wish=Wish.GIVE_UP,
        migrates=False,
        well=False,
        heard=NEVER_WELL,
    ),
)

GROUPS: Final = (
    CutGroup(title="The power is cut before the EMS is touched", cases=GROUNDWORK),
    CutGroup(title="The power is cut while the EMS is replaced", cases=OF_THE_EMS),
    CutGroup(title="The power is cut while the known-good EMS is brought back", cases=WAY_BACK),
)
"""In parts: a host that starts seven sites at once is busy enough."""
