"""What a request presents of the state that it was decided on. Source: `seed 000` 7.2."""

from __future__ import annotations

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.lifecycle.reading import fingerprint
from ems_admin.workflows.lifecycle.situation import Situation
from ems_admin.workflows.ports.records import RefusalError


def require_fingerprint(at: Situation, presented: str | None) -> None:
    """Go on only with what the person was shown.

    Raises `RefusalError` with `workflow_fingerprint_required` or `workflow_lifecycle_changed`.
    """
    if presented is None:
        raise RefusalError(Refusal(Code.WORKFLOW_FINGERPRINT_REQUIRED))
    if presented != fingerprint(at.reads):
        raise RefusalError(Refusal(Code.WORKFLOW_LIFECYCLE_CHANGED))
