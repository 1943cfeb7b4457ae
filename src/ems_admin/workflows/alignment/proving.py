"""What the proof of a new Admin is judged by.

Source: `site.md` 3 (resume_after_admin_reconnect); `replacement.md` 7.7.
"""

from __future__ import annotations

from ems_admin.machines.alignment.facts import ReconnectFacts
from ems_admin.machines.records.transition import Transition
from ems_admin.machines.replacement.reconciling import Walked
from ems_admin.machines.values.digests import known_by
from ems_admin.workflows import standing
from ems_admin.workflows.house import House
from ems_admin.workflows.sight import Sight


def reconnect_facts(house: House, transition: Transition, seen: Sight) -> ReconnectFacts:
    """Say who runs here, and what is known of the updater: what the proof of the new Admin is judged by."""
    own = standing.running_admin(house)
    return ReconnectFacts(
        now=house.clock.now(),
        operation_id=transition.operation_id,
        expiry=standing.expiry(house, transition),
        running_digest=known_by(transition.digest_kind, digest=own.digest, image_id=own.image) if own else None,
        running_build_id=own.build_id if own else None,
        running_revision=own.revision if own else None,
        walk_verified=seen.walked is Walked.VERIFIED,
        updater=seen.updater,
    )
