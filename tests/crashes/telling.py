"""What a page says of a site, in a few words: whose it is, where its operation stands, and what is open."""

from __future__ import annotations

from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.records.reading import Present
from ems_admin.machines.records.replacement import Dispatch, Run
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.refusals import sentence
from ems_admin.workflows.views.console import Console
from tests.crashes.house import FileScene
from tests.exploration.ways import offered

ONWARD: Final = (
    *(
        "start_setup",
        "prepare_build",
        "update_admin",
        "resume",
        "upgrade_resume",
        "preview_config",
        "write_config",
        "apply_config",
    ),
    *("deployment_prepare", "deployment_start", "repair_permissions", "leave_files", "return_to_running_build"),
)
"""The acts that go on, rather than end something, in the order of a Setup."""


def everything_is_explained(view: Console) -> None:
    """Every code that the page shows has its sentence."""
    codes = [offer.refusal.code for offer in view.actions if offer.refusal is not None]
    codes += [view.lifecycle.lifecycle.blocking_reason] if view.lifecycle.lifecycle.blocking_reason else []
    codes += [warning.code for warning in view.warnings]
    for code in codes:
        assert sentence(Code(code)).message, f"nothing is said about {code}"


def told(scene: FileScene, view: Console) -> str:
    """Say in words what the records and the start have come to."""
    lifecycle, startup = view.lifecycle.lifecycle, scene.house.startup
    records = scene.house.records
    readings = [scene.do(store.read()) for store in (records.transition, records.dispatch, records.run)]
    return "; ".join(
        (
            f"{lifecycle.owner}, {lifecycle.state}",
            *(() if startup.passed else (f"start-up waits: {startup.failed_by}",)),
            *(said(reading.record) for reading in readings if isinstance(reading, Present)),
        )
    )


def said(record: Transition | Dispatch | Run) -> str:
    """Say where one record stands."""
    match record:
        case Transition(stage=stage, error_code=code):
            return str(stage) if code is None else f"{stage} ({code})"
        case Dispatch(attempts=attempts):
            return f"attempt {attempts[-1].number} {attempts[-1].outcome}" if attempts else "no attempt yet"
        case Run(step=step):
            return f"walk {step}"


def ways_on(view: Console) -> tuple[str, ...]:
    """Name what stands open to go on with."""
    return tuple(name for name in ONWARD if name in offered(view))
