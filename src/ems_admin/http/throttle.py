"""Ten wrong passwords or codes a minute and address, and no more.

Source: `http.md` 5.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from math import ceil
from typing import Final

from attrs import define

from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.records import RefusalError
from ems_admin.workflows.ports.running import Clock

MOST: Final = 10
WINDOW: Final = timedelta(minutes=1)
GUESSES: Final = frozenset(
    {Code.INVALID_PASSWORD, Code.SETUP_CODE_INVALID, Code.SECOND_FACTOR_INVALID, Code.BACKUP_PASSWORD_INVALID}
)
ADDRESSES: Final = 4096


@define(kw_only=True, eq=False)
class Throttle:
    """The wrong guesses of the last minute by address. Mutable: it counts."""

    clock: Clock
    guesses: dict[str, tuple[timedelta, ...]]

    @contextmanager
    def attempt(self, address: str) -> Iterator[None]:
        """Let one attempt be made. Raises `RefusalError` with `rate_limited` and `retry_after` in seconds.

        It counts as wrong until it has proved not to be: a hundred at once are not a hundred free guesses.
        """
        now = timedelta(seconds=self.clock.boottime())
        recent = tuple(at for at in self.guesses.get(address, ()) if now - at < WINDOW)
        if len(recent) >= MOST:
            wait = ceil((recent[0] + WINDOW - now).total_seconds())
            raise RefusalError(Refusal(Code.RATE_LIMITED, more={"retry_after": wait}))
        self._forget_the_oldest()
        self.guesses[address] = (*recent, now)
        try:
            yield
        except RefusalError as refused:
            if refused.refusal.code not in GUESSES:
                self._take_back(address, now)
            raise
        self.guesses.pop(address, None)

    def _take_back(self, address: str, at: timedelta) -> None:
        counted = list(self.guesses.get(address, ()))
        if at in counted:
            counted.remove(at)
        self.guesses[address] = tuple(counted)

    def _forget_the_oldest(self) -> None:
        while len(self.guesses) >= ADDRESSES:
            self.guesses.pop(next(iter(self.guesses)))
