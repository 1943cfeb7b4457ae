"""Whether an Admin that is seen from outside is well, and the one that is meant.

Source: `replacement.md` 7.4 (U9); `http.md` 5.4 (health); `faults.md` F26.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from attrs import frozen

from ems_admin.codec import TextError, parse
from ems_admin.engines.asking import Answer, fetch, page_loads

HEALTH: Final = "/api/admin/health"
ANSWER: Final = timedelta(seconds=5)
OK: Final = "ok"


@frozen(kw_only=True)
class ExpectedAdmin:
    """Who has to be seen, and started for what."""

    build_id: str
    revision: str
    started_for: str


async def fault(url: str, expected: ExpectedAdmin) -> str | None:
    """Ask the Admin at `url` once, and name the first thing that is not as it has to be; `None` when all is well."""
    answer, body = await fetch(url + HEALTH, ANSWER)
    return answer.value if answer is not Answer.WELL else fault_of(body, expected)


def fault_of(body: bytes, expected: ExpectedAdmin) -> str | None:
    """Name what an Admin says of itself that is not as it has to be: a check, or who it is."""
    try:
        said: Any = parse(body)
    except TextError:
        return "health"
    if not isinstance(said, dict) or not isinstance(said.get("checks"), dict) or not said["checks"]:
        return "health"  # one that checks nothing has proven nothing
    for name, value in said["checks"].items():
        if value != OK:
            return str(name)
    words = ("build_id", "revision", "started_for")
    return next((word for word in words if said.get(word) != getattr(expected, word)), None)


async def page_is_whole(url: str) -> bool:
    """Say whether the page of an Admin loads, with its scripts."""
    return await page_loads(f"{url}/", ANSWER) is Answer.WELL
