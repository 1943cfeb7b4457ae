"""Asking a service from outside, at the address where people reach it.

Source: `site.md` 8; `faults.md` D1, F26.
"""

from __future__ import annotations

import re
from datetime import timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Final
from urllib.parse import urljoin, urlsplit

import aiohttp

LARGEST: Final = 2 * 1024 * 1024
"""Bytes of an answer that are read."""
SCRIPTS_AT_MOST: Final = 5
_SCRIPT: Final = re.compile(rb"""<script\b[^>]*\bsrc\s*=\s*["']([^"']+)["']""", re.IGNORECASE)


class Answer(StrEnum):
    """What came of asking once."""

    WELL = "well"
    """2xx."""
    NOT_WELL = "not_well"
    """Any other status."""
    SILENT = "silent"
    """Nobody accepts, or nothing whole came in time: before its start period is over, it is starting."""


async def ask(url: str, timeout: timedelta) -> Answer:
    """Ask once. A redirection is no answer: it says nothing about the health of what answers."""
    answer, _ = await fetch(url, timeout)
    return answer


async def page_loads(url: str, timeout: timedelta) -> Answer:
    """Load a page and the scripts of the same origin that it names: a page without them shows nobody anything."""
    answer, body = await fetch(url, timeout)
    if answer is not Answer.WELL or not body:
        return Answer.NOT_WELL if answer is Answer.WELL else answer
    scripts = (urljoin(url, found.decode(errors="replace")) for found in _SCRIPT.findall(body)[:SCRIPTS_AT_MOST])
    for script in scripts:
        if urlsplit(script).netloc == urlsplit(url).netloc:
            answer, _ = await fetch(script, timeout)
            if answer is not Answer.WELL:
                return answer
    return Answer.WELL


async def fetch(url: str, timeout: timedelta) -> tuple[Answer, bytes]:
    """Ask once, and give the answer with its body, as far as it is read."""
    limit = aiohttp.ClientTimeout(total=timeout.total_seconds())
    try:
        # No certificate speaks of the machine's own address; what is asked is health, and a build that names itself.
        async with (
            aiohttp.ClientSession(timeout=limit) as session,
            session.get(url, allow_redirects=False, ssl=False) as reply,
        ):
            body = b""
            async for chunk in reply.content.iter_any():
                body += chunk
                if len(body) > LARGEST:
                    break
            well = HTTPStatus.OK <= reply.status < HTTPStatus.MULTIPLE_CHOICES
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError):
        return Answer.SILENT, b""
    return Answer.WELL if well else Answer.NOT_WELL, body
