"""Who owns the console over every class of the stored records (`seed 000` 7.1; `site.md` 1.10, 1.11, 2).

What is expected is told here once more in plain words, and not read from the tables.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from ems_admin.machines.codes import Code
from ems_admin.machines.lifecycle.recovery import SafeAction
from ems_admin.workflows.arbiter.recovering import RecoveryPreview, preview_recovery
from ems_admin.workflows.lifecycle.view import lifecycle_view
from tests.workflows.lifecycle.classes import DISPATCHES, SETUPS, TRANSITIONS, UPGRADES, Stored, every, stand

LIVE = {name for name in TRANSITIONS if " at " in name} | {"align"}
UNFINISHED = {"active", "active of another", "active of none", "cleanup pending", "review required"}


def expected_owner(stored: Stored) -> str:
    if "unreadable" in (stored.setup, stored.transition) or stored.transition == "unsupported":
        return "unknown"
    outside = stored.transition == "align" or stored.transition.startswith("guided_upgrade at")
    if outside and stored.setup in UNFINISHED:
        return "conflict"
    if outside:
        return "align_existing_install" if stored.transition == "align" else "guided_upgrade"
    if stored.transition.startswith("fresh_install at") or stored.setup in UNFINISHED:
        return "guided_setup"
    return "none"


def expected_state(stored: Stored) -> str:
    if stored.transition.endswith(" at ems_operation_running"):
        return "operation_running"
    if "unreadable" in (stored.setup, stored.transition):
        return "malformed"
    owner = expected_owner(stored)
    if owner == "conflict":
        return "conflict"
    if stored.setup == "cleanup pending":
        return "cleanup_pending"
    if stored.setup == "review required":
        return "review_required"
    return "idle" if owner == "none" else "active"


def test_owner_and_state_are_what_the_words_say() -> None:
    """Seed 000 7.1: the tables of owner and state, over all classes of B0 and B1."""
    wrong = []
    for names in product(SETUPS, TRANSITIONS):
        stored = Stored(*names)
        view = stand(stored).do(lifecycle_view(stand(stored).house)).lifecycle
        if (view.owner, view.state) != (expected_owner(stored), expected_state(stored)):
            wrong.append((stored, view.owner, view.state))
    assert not wrong, wrong


@cache
def shown(stored: Stored) -> RecoveryPreview:
    """Look at a class once: every claim here is about the same looks."""
    scene = stand(stored)
    before = scene.files
    preview = scene.do(preview_recovery(scene.house))
    assert scene.files == before, f"a preview changes nothing: {stored}"
    return preview


def expected_release(stored: Stored) -> dict[str, str]:
    """Seed 000 7.4 and site.md 4: which record is named, and why."""
    named: dict[str, str] = {}
    setup_mode = stored.transition.startswith("fresh_install at")
    if stored.setup == "unreadable":
        named["state/guided-setup-workflow.json"] = "unreadable_state"
    elif setup_mode and stored.setup in {"active of another", "abandoned of another"}:
        named["state/guided-setup-workflow.json"] = "setup_transition_context_mismatch"
    elif setup_mode and stored.setup == "active of none":
        named["state/guided-setup-workflow.json"] = "setup_transition_owner_unproven"
    elif stored.transition == "guided_upgrade at ems_operation_running" and stored.setup in UNFINISHED:
        named["state/guided-setup-workflow.json"] = "workflow_owner_conflict"
    operation = {"unreadable": "unreadable_state", "unsupported": "unsupported_transition_mode"}.get(stored.transition)
    if operation:
        named["state/pending-transition.json"] = operation
    if stored.upgrade in {"unreadable", "unusable"}:
        reason = {"unreadable": "unreadable_state", "unusable": "unusable_upgrade_context"}[stored.upgrade]
        named["state/guided-upgrade-context.json"] = reason
    if stored.dispatch == "unreadable":
        named["state/replacement-dispatch.json"] = "unreadable_state"
    elif stored.dispatch != "absent" and operation:
        named["state/replacement-dispatch.json"] = operation
    return named


def expected_safe(stored: Stored) -> set[SafeAction]:
    """Seed 000 7.4: what the normal operations can end, and nothing of it beside what cannot be read."""
    running = stored.transition.endswith(" at ems_operation_running")
    if {stored.setup, stored.transition} & {"unreadable", "unsupported"}:
        return set()
    safe = set()
    outside = stored.transition == "align" or stored.transition.startswith("guided_upgrade at")
    if outside and not running:
        safe.add(SafeAction.TRANSITION_CANCEL)
    setup_mode = stored.transition.startswith("fresh_install at")
    nameless = setup_mode and stored.setup in {"active of another", "active of none", "abandoned of another"}
    if not running and not nameless and (stored.setup in UNFINISHED or setup_mode):
        safe.add(SafeAction.SETUP_CLEANUP)
    owned = stored.transition in LIVE and stored.upgrade == "of the operation"
    orphan = stored.upgrade == "of another" or (stored.upgrade == "of the operation" and not owned)
    if orphan or (owned and stored.transition.startswith("guided_upgrade at") and not running):
        safe.add(SafeAction.UPGRADE_CONTEXT_CLEAR)
    return safe


def test_recovery_offers_what_the_words_say_over_every_class() -> None:
    """Seed 000 7.4, 7.6 over all classes of B0, B1, B6 and the dispatch record."""
    wrong = []
    for stored in every():
        preview = shown(stored)
        files = {file.name: str(file.reason) for file in preview.files}
        if files != expected_release(stored) or set(preview.actions) != expected_safe(stored):
            wrong.append((stored, files, preview.actions))
    assert not wrong, (len(wrong), wrong[:5])


def test_both_ways_are_closed_while_anything_can_still_write() -> None:
    """Seed 000 7.4: refused outright while the state is operation_running."""
    for stored in every():
        preview = shown(stored)
        runs = stored.transition.endswith(" at ems_operation_running")
        assert (preview.running is not None) is runs, stored
        if runs:
            assert (preview.blocking, preview.safe_available, preview.release_available) == (
                Code.WORKFLOW_RECOVERY_UNSAFE,
                False,
                False,
            )


def test_nothing_but_the_allowlist_is_ever_named() -> None:
    """Seed 000 7.4; site.md 4."""
    allowed = {f"state/{name}.json" for name in ALLOWED}
    assert {file.name for stored in every() for file in shown(stored).files} <= allowed


ALLOWED = (
    "guided-setup-workflow",
    "pending-transition",
    "guided-upgrade-context",
    "replacement-dispatch",
    "replacement-run",
    "pending-admin-update",
    "config-commit",
)


def test_every_class_is_told_from_every_other_by_its_fingerprint() -> None:
    """Seed 000 7.2: of each record, and of the bytes where it cannot be read."""
    seen: dict[str, Stored] = {}
    for stored in every():
        bound = shown(stored).view.fingerprint
        assert bound not in seen, (stored, seen.get(bound))
        seen[bound] = stored
    assert len(seen) == len(SETUPS) * len(TRANSITIONS) * len(UPGRADES) * len(DISPATCHES)
