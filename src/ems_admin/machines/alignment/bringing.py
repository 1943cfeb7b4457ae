"""Which half of a build an operation brings: what its resources are held against, and what its success proves.

A Guided Setup and a Guided Upgrade bring an EMS. An alignment brings an Admin to the EMS that runs already: for a
return that is the Admin of the EMS's own build, for an Admin update the one of a newer build. So the build that an
alignment fetches may be another one than the EMS's, and its success must not give the EMS a name that is not its own.

Source: `site.md` 3 (claim_resource_verification, Health check), 4 (B5), 9.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

from attrs import evolve, frozen

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal, Table, row
from ems_admin.machines.records.build import Manifest
from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Mode, Transition
from ems_admin.machines.values.digests import Half, digests_of


@frozen
class Brought:
    """What the operation is for."""

    mode: Mode


BRINGS: Final = Table[Brought, Half](
    name="operation_brings",
    asks=Brought,
    rows=(
        row(Half.ADMIN, mode=Mode.ALIGN_EXISTING_INSTALL),
        row(Half.EMS),
    ),
)


class Noted(StrEnum):
    """The EMS of B5 as it was, held against the EMS that has just proved healthy."""

    SAME = "same"
    OTHER = "other"
    """Another one, or there is no B5 that could be read."""


class Fetched(StrEnum):
    """The EMS of the build that was fetched, held against it as well."""

    SAME = "same"
    OTHER = "other"
    """Another one, or the build is not here any more."""


@frozen
class Proof:
    """What is known of an EMS that has just proved healthy."""

    brings: Half
    noted: Noted
    fetched: Fetched


class Words(StrEnum):
    """Whose words B5 has for the EMS."""

    OF_THE_OPERATION = "of_the_operation"
    AS_NOTED = "as_noted"
    NOBODYS = Code.KNOWN_GOOD_UNAVAILABLE
    """The EMS is well, and nothing says which build it is of."""


PROOF: Final = Table[Proof, Words](
    name="known_good_words",
    asks=Proof,
    rows=(
        row(Words.OF_THE_OPERATION, brings=Half.EMS),
        row(Words.AS_NOTED, noted=Noted.SAME),
        row(Words.OF_THE_OPERATION, fetched=Fetched.SAME),
        row(Words.NOBODYS),
    ),
)


@frozen(kw_only=True)
class ProvenAdmin:
    """The Admin that really ran when the EMS proved healthy."""

    digest: str
    build_id: str
    revision: str


def is_meant(manifest: Manifest, transition: Transition) -> bool:
    """Say whether a build is the one that the operation was begun for, by the half that it brings."""
    half = BRINGS.classify(Brought(transition.mode))
    wanted = {Half.ADMIN: transition.admin_digest, Half.EMS: transition.ems_digest}[half]
    named = (manifest.build_id, manifest.revision) == (transition.build_id, transition.revision)
    return named and wanted in digests_of(manifest, half)


def of_digests(transition: Transition, *, admin_digest: str, ems_digest: str) -> bool:
    """Say whether these are the digests of the operation; the EMS that an alignment leaves alone says nothing."""
    ems = BRINGS.classify(Brought(transition.mode)) is Half.ADMIN or transition.ems_digest == ems_digest
    return ems and transition.admin_digest == admin_digest


def has_the_ems(manifest: Manifest, transition: Transition) -> bool:
    """Say whether the EMS of the operation is the one of this build: only then the site has chosen the build whole."""
    return transition.ems_digest in digests_of(manifest, Half.EMS)


def known_good_of(
    transition: Transition, admin: ProvenAdmin, *, before: KnownGood | None, build: Manifest | None, now: datetime
) -> KnownGood | Refusal:
    """Give B5 as the success of an operation leaves it; `known_good_unavailable` when the EMS has no name.

    `before` is B5 as it was, `build` the build of the operation as it lies in the release cache; `None` for either
    when it is not to be had.
    """
    proof = Proof(
        brings=BRINGS.classify(Brought(transition.mode)),
        noted=Noted.SAME if before is not None and before.ems_digest == transition.ems_digest else Noted.OTHER,
        fetched=Fetched.SAME if build is not None and has_the_ems(build, transition) else Fetched.OTHER,
    )
    words = PROOF.classify(proof)
    if words is Words.NOBODYS:
        return Refusal(Code.KNOWN_GOOD_UNAVAILABLE)
    good = before if words is Words.AS_NOTED and before is not None else _of_the_operation(transition, admin, now)
    return evolve(
        good,
        admin_image=transition.admin_image,
        admin_digest=admin.digest,
        admin_build_id=admin.build_id,
        admin_revision=admin.revision,
        aligned_at=transition.resources_claimed_at or transition.created_at,
        healthcheck_at=now,
    )


def _of_the_operation(transition: Transition, admin: ProvenAdmin, now: datetime) -> KnownGood:
    return KnownGood(
        system_tag=transition.system_tag,
        build_id=transition.build_id,
        revision=transition.revision,
        admin_image=transition.admin_image,
        admin_digest=admin.digest,
        admin_build_id=admin.build_id,
        admin_revision=admin.revision,
        ems_image=transition.ems_image,
        ems_digest=transition.ems_digest,
        compatibility_mode=transition.compatibility_mode,
        resource_strategy=transition.resource_strategy,
        aligned_at=transition.created_at,
        healthcheck_at=now,
    )
