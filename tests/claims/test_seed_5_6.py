"""After a Setup was discarded its operation is over for every route that goes on with one (`seed 000` 5.6)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from ems_admin.machines.codes import Code
from ems_admin.workflows.alignment.calling_off import call_off
from ems_admin.workflows.alignment.resume import verify
from ems_admin.workflows.alignment.returning import return_to_running_build
from tests.workflows.places import PLACES
from tests.workflows.scene import Scene

Act = Callable[[Scene, str], Coroutine[Any, Any, Any]]
ROUTES: dict[str, tuple[Act, Code]] = {
    "resume": (lambda scene, named: scene.resuming(operation_id=named), Code.NOT_RESUMABLE),
    "verify-resources": (lambda scene, named: verify(scene.house, scene.caller, named), Code.NOT_RESUMABLE),
    "return": (
        lambda scene, named: return_to_running_build(scene.house, scene.caller, named, confirm=True),
        Code.SETUP_RETURN_UNSUPPORTED,
    ),
    "cancel": (
        lambda scene, named: call_off(scene.house, scene.caller, named, confirm=True),
        Code.SETUP_ABANDON_REQUIRED,
    ),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("place", ["fetched", "prepared", "failed"])
def test_no_route_goes_on_with_the_operation_of_a_discarded_setup(place: str, route: str) -> None:
    """Its terminal stage alone refuses: no route needs a claim of the workflow for that."""
    scene = PLACES[place]()
    named = scene.transition.operation_id
    scene.do(scene.abandoning())
    before = scene.files
    act, code = ROUTES[route]
    assert scene.refused(act(scene, named)).code is code
    assert (scene.files, scene.house.work.holder) == (before, None)
