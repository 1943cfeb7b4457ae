"""What was seen of a container in the way, put into the question that the declared table answers (`faults.md` D1)."""

from __future__ import annotations

import pytest
from attrs import evolve

from ems_admin.docker.conflicts import decision
from ems_admin.docker.containers import Doing
from ems_admin.machines.alignment.facts import LiveConflict
from ems_admin.machines.codes import Code
from ems_admin.machines.container_conflict import clearing_refusal
from ems_admin.workflows.ports.engine import ContainerConflict
from ems_admin.workflows.ports.services import NotSeen
from tests.docker.samples import container

HOLDER = container(doing=Doing.EXITED)
LIVE = ContainerConflict(
    container_name="ems",
    container_id=HOLDER.id,
    image=None,
    status="exited",
    selected_image="r/ems@sha256:1",
    image_mismatch=True,
    replace_available=True,
    safe_fix_available=True,
)


@pytest.mark.parametrize("replace", [False, True])
def test_a_row_that_says_nothing_permits_nothing(replace: bool) -> None:
    """D1: a malformed row is unknown, and not another container."""
    seen = decision(evolve(HOLDER, doing=Doing.UNKNOWN), LIVE, replace=replace)
    assert seen.live is LiveConflict.UNKNOWN
    refusal = clearing_refusal(seen)
    assert refusal is not None
    assert refusal.code is Code.INSTALL_STATE_UNAVAILABLE


def test_the_same_container_is_the_same_and_anything_else_has_changed() -> None:
    """`site.md` 8 (the route looks again before it acts)."""
    other = evolve(LIVE, container_id="0" * 64)
    found = [decision(HOLDER, live, replace=False).live for live in (LIVE, other, None)]
    assert found == [LiveConflict.SAME, LiveConflict.CHANGED, LiveConflict.CHANGED]
    silent = NotSeen(code=Code.DOCKER_DAEMON_UNREACHABLE)
    assert decision(HOLDER, silent, replace=False).live is LiveConflict.UNKNOWN
