"""Everything that can go wrong with a replacement while nothing has been touched, tried before it is handed over.

Source: `replacement.md` 7.2; `faults.md` F20 to F22, F24.
"""

from __future__ import annotations

from typing import Final

from ems_admin.machines.alignment.facts import MARK_FAILED, FailureFacts
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.machines.records.build import Manifest
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.values.digests import Half, digests_of
from ems_admin.workflows.caller import Caller
from ems_admin.workflows.house import House
from ems_admin.workflows.ports.builds import BuildFailure
from ems_admin.workflows.ports.engine import EngineFailure, Progress, Report
from ems_admin.workflows.ports.records import RefusalError

STEPS: Final = (
    ("download", "Fetch the build"),
    ("unpack", "Unpack it and check every file"),
    ("place", "Find the place of this Admin"),
    ("image", "Fetch the new Admin"),
    ("digest", "Check that it is the right one"),
    ("smoke", "Try whether it runs"),
)
INTERRUPTIBLE: Final = frozenset(key for key, _label in STEPS)
"""All of it: the operation stays where it is, and a resume does it again."""


async def prepare(house: House, caller: Caller, transition: Transition, report: Report) -> None:
    """Bring the target build here and make sure that its Admin can run. Raises `RefusalError` with what stands against.

    That is recorded in the operation, which then resumes at its Admin update; also in one that had failed before, whose
    retry is being prepared.
    """
    report(Progress(step="download", detail=transition.system_tag))
    imported = await house.builds.import_build(transition.system_tag, report)
    if isinstance(imported, BuildFailure):
        raise await _failed(house, caller, transition, imported.code, imported.detail)
    if not _is_meant(imported, transition):
        raise await _failed(house, caller, transition, Code.SYSTEM_BUILD_MISMATCH, "the build has changed")
    outcome = await house.launcher.prepare(transition, report)
    if isinstance(outcome, EngineFailure):
        message = outcome.message or outcome.detail
        raise await _failed(house, caller, transition, outcome.code, message, detail=outcome.detail)


def _is_meant(manifest: Manifest, transition: Transition) -> bool:
    same = (manifest.build_id, manifest.revision) == (transition.build_id, transition.revision)
    return same and transition.admin_digest in digests_of(manifest, Half.ADMIN)


async def _failed(  # noqa: PLR0913  # the words of one failure
    house: House,
    caller: Caller,
    transition: Transition,
    code: Code,
    message: str | None,
    *,
    detail: str | None = None,
) -> RefusalError:
    facts = FailureFacts(now=house.clock.now(), operation_id=transition.operation_id, code=code, message=message)
    await house.records.transition.decide(MARK_FAILED, facts, caller)
    return RefusalError(Refusal(code, detail=detail or message))
