"""Reading what a request carries, no more of it than its route allows.

Source: `http.md` 5.1.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import attrs
from aiohttp import web

from ems_admin import codec
from ems_admin.machines.codes import Code
from ems_admin.machines.kernel import Refusal
from ems_admin.workflows.ports.records import RefusalError

T = TypeVar("T", bound=attrs.AttrsInstance)

DIGITS: Final = 15
"""More of them than any number that is counted here has."""
NUMBERS: Final = (int, int | None)
"""What a parameter that is spelled in digits is read as."""


async def read_body(request: web.Request, kind: type[T], limit: int) -> T:
    """Read the body of a request. Raises `RefusalError` or `MisfitError`, before anything else is asked."""
    data = await _bytes(request, limit)
    if not data and not attrs.fields_dict(kind):
        return codec.structure({}, kind)  # nothing was asked for, and nothing came
    try:
        value = codec.parse(data, limit=limit)
    except codec.TextError as error:
        raise RefusalError(Refusal(Code.MALFORMED_BODY, detail=error.fault)) from error
    return codec.structure(value, kind)


def read_query(request: web.Request, kind: type[T]) -> T:
    """Read the parameters that a route knows; others pass by, for anybody may add some to an address."""
    attrs.resolve_types(kind)
    found: dict[str, Any] = {}
    for field in attrs.fields(kind):
        text = request.query.get(field.name)
        if text is not None:
            number = field.type in NUMBERS and text.isdecimal() and len(text) <= DIGITS
            found[field.name] = int(text) if number else text
    return codec.structure(found, kind)


def refusal_of(misfits: codec.MisfitError) -> Refusal:
    """Name the first field that does not fit, as a JSON pointer."""
    first = next(misfit for misfit in misfits.misfits if misfit.code is misfits.code)
    return Refusal(misfits.code, detail=first.pointer or "/")


async def _bytes(request: web.Request, limit: int) -> bytes:
    if (request.content_length or 0) > limit:
        raise RefusalError(Refusal(Code.BODY_TOO_LARGE, detail=f"at most {limit} bytes"))
    data = bytearray()
    try:
        async for chunk in request.content.iter_any():
            data += chunk
            if len(data) > limit:
                raise RefusalError(Refusal(Code.BODY_TOO_LARGE, detail=f"at most {limit} bytes"))
    except web.RequestPayloadError as error:
        raise RefusalError(Refusal(Code.MALFORMED_BODY, detail="broken_off")) from error
    return bytes(data)
