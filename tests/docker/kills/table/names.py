"""Somebody else has the name, or the port, that a replacement needs. Source: `faults.md` F30 to F32."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from tests.docker.kills.acts import (
    a_stranger,
    created,
    fails,
    resume,
    rolls_back,
    serves_aside,
    stranger_goes,
    take_port,
)
from tests.docker.kills.case import Case, Does, Point, Role, new, old
from tests.docker.kills.points import B1, DISPATCHED, WALKED

BEGUN: Final = Point(title="before R1", role=Role.ADMIN, at=f"record:{B1}:after:stage=admin_update_pending")

NAMES: Final = (
    Case(
        title="a stranger has the name of the set-aside before the handover; it goes, and an operator tries again",
        who="nobody",
        point=BEGUN,
        does=Does.HOLD,
        there=(a_stranger("{name}-before-{operation}"),),
        then=(fails, stranger_goes, resume),
        ends=new(),
    ),
    Case(
        title="a stranger takes the name of the set-aside before U6",
        who="nobody",
        point=WALKED["after U5"],
        does=Does.HOLD,
        there=(a_stranger("{name}-before-{operation}"),),
        then=(fails, stranger_goes),
        ends=old(Code.CONTAINER_NAME_CONFLICT),
    ),
    Case(
        title="a stranger has the name of the updater; an operator tries again, under a new name",
        who="nobody",
        point=DISPATCHED["after R2"],
        does=Does.HOLD,
        there=(a_stranger("ems-admin-updater-{operation}-1"),),
        then=(fails, resume, stranger_goes),
        ends=new(attempts=2),
    ),
    Case(
        title="a stranger takes the name of the Admin between U6 and U7, and goes again",
        who="nobody",
        point=WALKED["after U6"],
        does=Does.HOLD,
        there=(a_stranger("{name}"),),
        then=(serves_aside, stranger_goes),
        ends=old(Code.CONTAINER_NAME_CONFLICT),
    ),
    Case(
        title="a stranger takes the port after U5, and goes again within 30 s",
        who="nobody",
        point=WALKED["after U6"],
        does=Does.HOLD,
        there=(take_port,),
        then=(created, stranger_goes),
        ends=new(),
    ),
    Case(
        title="a stranger takes the port after U5, and goes when the walk leads back",
        who="nobody",
        point=WALKED["after U6"],
        does=Does.HOLD,
        there=(take_port,),
        then=(rolls_back, stranger_goes),
        ends=old(Code.REPLACEMENT_START_FAILED),
        quick=False,
    ),
)
