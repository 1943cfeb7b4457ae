"""Fingerprints: SHA-256 over canonical JSON, so that "the same" means the same bytes wherever it is worked out.

Canonical JSON is UTF-8 with its keys in the order of their code points, `,` and `:` alone between them, nothing
escaped that need not be, and finite numbers as Python writes them. Source: `site.md` 4 (*Canonical JSON*, *Draft
fingerprint*, B1), 1.13, 6.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final

from attrs import asdict, frozen

from ems_admin.machines.records.installed import KnownGood
from ems_admin.machines.records.transition import Mode
from ems_admin.machines.records.upgrade import UpgradeOptions

DRAFT_FINGERPRINT_VERSION: Final = 1
SECRET_WORDS: Final = ("password", "passphrase", "secret", "token", "api_key", "credential")
PROVEN_AT: Final = frozenset({"aligned_at", "healthcheck_at"})
"""What a known-good build says of the time, and not of itself."""
REFERENCE: Final = "_ref"
"""A key that ends so names a secret and holds none."""


def canonical_json(value: Any) -> bytes:
    """Write `value` in the one way in which it can be written.

    Takes what JSON can hold, tuples for lists included. Raises `ValueError` for a number that is not finite and for
    text that is no UTF-8, `TypeError` for anything else that JSON has no word for, such as a key that is no string.
    """
    _only_words(value)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def sha256_of(value: Any) -> str:
    """Give the SHA-256 of canonical JSON, in hex."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def fingerprint_of(value: Any) -> str:
    """Give the same as a fingerprint that names its method: `sha256:…`."""
    return f"sha256:{sha256_of(value)}"


@frozen(kw_only=True)
class DraftInput:
    """Everything that a mutation would be made of; never ids, `overwrite` or a config revision."""

    devices: Sequence[Mapping[str, Any]]
    grid_meter_count: int
    features: Mapping[str, Any]
    mqtt_proposals: Sequence[Mapping[str, Any]]
    """Resolved by the server: what the ids stand for, not the ids alone."""
    mqtt_broker: Mapping[str, Any]
    mqtt_manual_devices: Sequence[Mapping[str, Any]]


def draft_fingerprint(draft: DraftInput) -> str:
    """Tell a draft from every other one, without keeping a secret in it."""
    return fingerprint_of(
        {
            "fingerprint_version": DRAFT_FINGERPRINT_VERSION,
            "devices": without_secrets(draft.devices),
            "supported_grid_meter_count": draft.grid_meter_count,
            "features": without_secrets(draft.features),
            "mqtt_proposals": without_secrets(draft.mqtt_proposals),
            "mqtt_broker": without_secrets(draft.mqtt_broker),
            "mqtt_manual_devices": without_secrets(draft.mqtt_manual_devices),
        }
    )


def without_secrets(value: Any) -> Any:
    """Put its digest in the place of every text under a secret-like key, at any depth."""
    if isinstance(value, Mapping):
        return {key: _hidden(item) if is_secret_like(key) else without_secrets(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [without_secrets(item) for item in value]
    return value


@lru_cache(maxsize=1024)
def is_secret_like(key: str) -> bool:
    """Say whether what stands under `key` may be a secret; a reference to one is none."""
    word = key.lower()
    return not word.endswith(REFERENCE) and any(secret in word for secret in SECRET_WORDS)


def request_fingerprint(
    *, mode: Mode, system_tag: str, selection_fingerprint: str | None, options: Mapping[str, Any] | None = None
) -> str:
    """Tell what an operation was asked for: SHA-256 in hex, part of the identity of B1."""
    return sha256_of(
        {
            "mode": mode,
            "system_tag": system_tag,
            "selection_fingerprint": selection_fingerprint,
            "options": dict(options or {}),
        }
    )


def body_hash(method: str, path: str, body: Any) -> str:
    """Tell whether two requests are the same one, so that the second joins the first (`faults.md` F38)."""
    return sha256_of({"method": method, "path": path, "body": body})


class Seen(StrEnum):
    """What looking for a file came to, where it is not its digest."""

    ABSENT = "absent"


@frozen(kw_only=True)
class InstallationFacts:
    """The installation as a confirmation is bound to it.

    Each digest is the SHA-256 of a file, `ABSENT` when there is none, `None` when it could not be read.
    """

    install_state: StrEnum
    standard_config: str | Seen | None
    legacy_config: str | Seen | None
    stack_file: str | Seen | None
    ems_exists: bool | None
    ems_running: bool | None
    ems_image_id: str | None


def installation_fingerprint(facts: InstallationFacts) -> str | None:
    """Bind a confirmation to the installation; `None` when a file of it could not be read.

    An engine that could not be asked is a value of its own here: what it hides counts as changed once it shows.
    """
    files = {
        "standard_config": facts.standard_config,
        "legacy_config": facts.legacy_config,
        "stack_file": facts.stack_file,
    }
    if None in files.values():
        return None
    ems = {"exists": facts.ems_exists, "running": facts.ems_running, "image_id": facts.ems_image_id}
    return sha256_of({"install_state": facts.install_state, **files, "ems": ems})


def selection_fingerprint(*, system_tag: str, build_id: str, revision: str, admin: str, ems: str) -> str:
    """Bind a selection to the digests that were verified (`admin` and `ems`), so that a tag that moved shows."""
    return fingerprint_of(
        {"system_tag": system_tag, "build_id": build_id, "revision": revision, "admin_digest": admin, "ems_digest": ems}
    )


def migration_revision(
    *, live_revision: str | None, config: Mapping[str, Any], secrets: Mapping[str, Mapping[str, Any]]
) -> str:
    """Bind the review of a migration to the config it was made of, and to what came of it: SHA-256 in hex.

    `secrets` are the entries that it would put into the credential store; only their digests count.
    """
    result = sha256_of({"config": without_secrets(config), "secrets": without_secrets(secrets)})
    return sha256_of({"live_revision": live_revision, "result": result})


def plan_fingerprint(  # noqa: PLR0913  # every input of a plan is one on purpose
    *,
    system_tag: str,
    options: UpgradeOptions,
    selection_fingerprint: str,
    live_revision: str | None,
    migration_revision: str | None,
    known_good: KnownGood | None,
) -> str:
    """Bind the plan of a Guided Upgrade to all that it was made of, so that nothing else is ever carried out.

    What ran when is left out: a build that proved healthy once more is the same way back.
    """
    return fingerprint_of(
        {
            "system_tag": system_tag,
            "options": asdict(options),
            "selection_fingerprint": selection_fingerprint,
            "live_revision": live_revision,
            "migration_revision": migration_revision,
            "known_good": known_good and _build_of(known_good),
        }
    )


def _build_of(good: KnownGood) -> Mapping[str, Any]:
    return asdict(good, filter=lambda field, _value: field.name not in PROVEN_AT)


def _hidden(value: Any) -> Any:
    if isinstance(value, str):
        # The length says nothing either; the prefix keeps a digest apart from a secret that looks like one.
        return f"sha256:{hashlib.sha256(value.encode()).hexdigest()}"
    if isinstance(value, Mapping):
        return {key: _hidden(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_hidden(item) for item in value]
    return value


def _only_words(value: Any) -> None:
    """`json` would turn a key that is a number into a string, and then two keys could become one."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise TypeError(f"a key of canonical JSON is a string, not {type(key).__name__}")
            _only_words(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _only_words(item)
