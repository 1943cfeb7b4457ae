"""Hiding secrets in what programs print, before anybody sees it or it becomes a record.

Source: `replacement.md` 7.1 (log lines, secrets masked).
"""

from __future__ import annotations

import re
from typing import Final

_SECRETIVE: Final = r"(?:password|passphrase|secret|token|api[_-]?key|credential|authorization)"
_NAMED: Final = re.compile(
    rf"""(?ix)
    # the name, as in JSON, YAML or a query
    (?<![\w.-]) ( ["']? [\w.-]* {_SECRETIVE} [\w.-]* (?<! _ref ) ["']? \s* [:=] \s* )
    # what it names
    ( "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' | (?:bearer|basic)\s+[^\s,;]+ | [^\s,;&}}\])]+ )
    """
)
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
_USERINFO: Final = re.compile(r"(?<=://)([^/\s:@]*):[^/\s@]+(?=@)")


def mask(line: str) -> str:
    """Hide what stands behind a name such as password, token or secret, in bearer words and in addresses."""
    line = _NAMED.sub(r"\1***", line)
    line = _BEARER.sub(r"\1 ***", line)
    return _USERINFO.sub(r"\1:***", line)
