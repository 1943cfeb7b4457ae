"""How a backup set is locked with a password: Argon2id makes the key, ChaCha20-Poly1305 locks with it.

The plain head of the set is authenticated with it: nobody changes a word of it unnoticed. Half of what Argon2id gives
is the key, the hash of the other half tells whether a password is the right one, so that a wrong one and a damaged
set are two answers. What a file says of the cost is bounded, or a small file could keep a small machine busy for hours.
Source: RFC 9106 4 (the cost), RFC 8439; `http.md` 5.3 (backups).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from typing import Final

from argon2.low_level import Type, hash_secret_raw
from attrs import frozen
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from ems_admin.machines.records.backup import BackupLock

DERIVATION: Final = "argon2id"
CIPHER: Final = "chacha20-poly1305"
KEY: Final = 32
"""Bytes, as are the next two."""
SALT: Final = 16
NONCE: Final = 12
MOST_MEMORY: Final = 256 * 1024
"""KiB: four times what is asked for here, and still to be had on a small machine."""
MOST_PASSES: Final = 8
MOST_LANES: Final = 8

_CHECK: Final = b"ems-admin backup key"


class LockError(Exception):
    """A lock that this program does not turn: another kind, or a cost beyond the bounds."""


class WrongPasswordError(Exception):
    """The password makes another key than the set was locked with."""


class BrokenSealError(Exception):
    """The key is the right one, and what it locks was changed."""


@frozen(kw_only=True)
class Cost:
    """What one try of a password costs."""

    memory_kib: int
    passes: int
    lanes: int


COST: Final = Cost(memory_kib=64 * 1024, passes=3, lanes=4)
"""The second choice of RFC 9106, for machines without memory to spare: about a tenth of a second."""


@frozen(kw_only=True)
class Key:
    """A key, and the lock that says how it was made."""

    lock: BackupLock
    secret: bytes

    def seal(self, plain: bytes, head: bytes) -> bytes:
        """Lock `plain` and bind it to the head of its set. A key locks once: its nonce is its lock's."""
        return ChaCha20Poly1305(self.secret).encrypt(bytes.fromhex(self.lock.nonce), plain, head)

    def unseal(self, sealed: bytes, head: bytes) -> bytes:
        """Unlock. Raises `BrokenSealError`."""
        try:
            return ChaCha20Poly1305(self.secret).decrypt(bytes.fromhex(self.lock.nonce), sealed, head)
        except InvalidTag as error:
            raise BrokenSealError from error


def new_key(password: str, cost: Cost) -> Key:
    """Make a key that was never used before."""
    salt, nonce = secrets.token_bytes(SALT), secrets.token_bytes(NONCE)
    secret, check = _derived(password, salt, cost)
    lock = BackupLock(
        derivation=DERIVATION,
        memory_kib=cost.memory_kib,
        passes=cost.passes,
        lanes=cost.lanes,
        salt=salt.hex(),
        cipher=CIPHER,
        nonce=nonce.hex(),
        check=check,
    )
    return Key(lock=lock, secret=secret)


def key_of(password: str, lock: BackupLock) -> Key:
    """Make the key of a lock again. Raises `LockError` or `WrongPasswordError`."""
    cost = bounded(lock)
    secret, check = _derived(password, bytes.fromhex(lock.salt), cost)
    if not hmac.compare_digest(check, lock.check):
        raise WrongPasswordError
    return Key(lock=lock, secret=secret)


def bounded(lock: BackupLock) -> Cost:
    """Give the cost that a lock names, if it may be spent at all. Raises `LockError`."""
    known = lock.derivation == DERIVATION and lock.cipher == CIPHER
    affordable = (
        1 <= lock.passes <= MOST_PASSES
        and 1 <= lock.lanes <= MOST_LANES
        and 8 * lock.lanes <= lock.memory_kib <= MOST_MEMORY
    )
    spelled = _is_hex(lock.salt, SALT) and _is_hex(lock.nonce, NONCE) and _is_hex(lock.check, KEY)
    if not (known and affordable and spelled):
        raise LockError
    return Cost(memory_kib=lock.memory_kib, passes=lock.passes, lanes=lock.lanes)


def _derived(password: str, salt: bytes, cost: Cost) -> tuple[bytes, str]:
    # One spelling of each letter: keyboards disagree on how an umlaut is put together.
    both = hash_secret_raw(
        unicodedata.normalize("NFC", password).encode(),
        salt,
        time_cost=cost.passes,
        memory_cost=cost.memory_kib,
        parallelism=cost.lanes,
        hash_len=2 * KEY,
        type=Type.ID,
    )
    return both[:KEY], hashlib.sha256(_CHECK + both[KEY:]).hexdigest()


def _is_hex(text: str, size: int) -> bool:
    return len(text) == 2 * size and set(text) <= set("0123456789abcdef")
