"""Whether a person may start, stop or restart the container of a service.

Source: `http.md` 5.3 (Maintenance, containers); `faults.md` F27, F29.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from attrs import frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table, row


class ContainerAction(StrEnum):
    """What a person has done to one service."""

    START = "start"
    STOP = "stop"
    """On purpose: nobody but a person, or an operation, starts it again."""
    RESTART = "restart"


class Holder(StrEnum):
    """Who bears the name of the service."""

    SERVICE = "service"
    """A container of ours, whatever it does."""
    NOBODY = "nobody"
    """It is meant to be there, and somebody has removed it."""
    ADMIN = "admin"
    """The Admin itself."""
    STRANGER = "stranger"
    UNLISTED = "unlisted"
    """No service is called so."""


@frozen
class Control:
    """What is asked for, and of whom."""

    holder: Holder
    action: ContainerAction


class Controlling(StrEnum):
    """How it is done, or the code that says why not."""

    ACTS = "acts"
    """On the container as it is."""
    RECREATES = "recreates"
    """The services of the installed build are started, which brings back what is missing."""
    NOT_FOUND = Code.NOT_FOUND
    OWN_CONTAINER_PROTECTED = Code.OWN_CONTAINER_PROTECTED
    CONTAINER_NAME_CONFLICT = Code.CONTAINER_NAME_CONFLICT
    EMS_NOT_RUNNING = Code.EMS_NOT_RUNNING


# No answer depends on what the container does: that is looked at by whoever acts, and so it is by the second click.
CONTAINER_CONTROL: Final = Table[Control, Controlling](
    name="container_control",
    asks=Control,
    rows=(
        row(Controlling.NOT_FOUND, holder=Holder.UNLISTED),
        row(Controlling.OWN_CONTAINER_PROTECTED, holder=Holder.ADMIN),
        row(Controlling.CONTAINER_NAME_CONFLICT, holder=Holder.STRANGER),
        row(Controlling.EMS_NOT_RUNNING, holder=Holder.NOBODY, action=ContainerAction.STOP),
        row(Controlling.RECREATES, holder=Holder.NOBODY),
        row(Controlling.ACTS),
    ),
)
GRANTED: Final = frozenset({Controlling.ACTS, Controlling.RECREATES})


def control_refusal(control: Control) -> Refusal | None:
    """Say what stands against it; `None` when nothing does."""
    answer = CONTAINER_CONTROL.classify(control)
    return None if answer in GRANTED else Refusal(Code(answer))
