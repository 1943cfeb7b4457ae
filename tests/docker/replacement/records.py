"""The two records of a replacement in the middle of it, and the acts of its way forward."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.records.replacement import Attempt, Dispatch, Outcome, Run, WalkStep
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement.attempts import transition_identity, updater_name
from ems_admin.stores.host import HostClock
from ems_admin.workflows.ports.replacement import Snapshot

ACTS: Final = (
    *("fence", "stop_predecessor", "set_aside", "create_successor", "start_successor", "verify_successor"),
    *("name_successor", "unfence_successor", "remove_predecessor"),
)
"""The way forward behind the snapshot."""


def dispatched(transition: Transition) -> Dispatch:
    """Say that the first attempt was launched."""
    attempt = Attempt(
        number=1,
        container=updater_name(transition.operation_id, 1),
        image=None,
        tries=1,
        outcome=Outcome.LAUNCHED,
        code=None,
        exit=None,
    )
    return Dispatch(
        format_version=1,
        operation_id=transition.operation_id,
        transition_identity=transition_identity(transition),
        attempts=(attempt,),
    )


def begun(taken: Snapshot, *, operation_id: str, container: str) -> Run:
    """Say that the snapshot was taken, and nothing else."""
    return Run(
        format_version=1,
        operation_id=operation_id,
        attempt=1,
        container=container,
        entries=1,
        step=WalkStep.MOVING,
        step_at=HostClock().now(),
        snapshot=taken.text,
        predecessor=taken.predecessor,
        successor=None,
        verified_at=None,
        code=None,
        exit_code=None,
        log=(),
    )
