"""The status of every refusal: 409, unless it stands here.

Source: `http.md` 5.6; `faults.md` D5.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from ems_admin.machines.codes import Code
from ems_admin.machines.values.unasked import ENGINE_UNASKED

BY_STATUS: Final[Mapping[HTTPStatus, frozenset[Code]]] = {
    HTTPStatus.BAD_REQUEST: frozenset(
        {
            Code.MALFORMED_BODY,
            Code.UNSUPPORTED_FIELD,
            Code.UNSUPPORTED_VALUE,
            Code.CONFIRMATION_REQUIRED,
            Code.RECOVERY_REASON_REQUIRED,
            Code.WORKFLOW_FINGERPRINT_REQUIRED,
            Code.PASSWORD_REQUIRED,
            Code.PASSWORD_MISMATCH,
            Code.CREDENTIAL_STAGING_FAILED,
            Code.TRANSITION_STATE_WRITE_FAILED,
        }
    ),
    HTTPStatus.UNAUTHORIZED: frozenset({Code.NOT_AUTHENTICATED}),
    HTTPStatus.FORBIDDEN: frozenset(
        {
            Code.CSRF_FAILED,
            Code.ORIGIN_REJECTED,
            Code.INVALID_PASSWORD,
            Code.AUTH_NOT_CONFIGURED,
            Code.SETUP_CODE_REQUIRED,
            Code.SETUP_CODE_INVALID,
            Code.SECOND_FACTOR_REQUIRED,
            Code.SECOND_FACTOR_INVALID,
            Code.SCOPE_INSUFFICIENT,
        }
    ),
    HTTPStatus.NOT_FOUND: frozenset({Code.NOT_FOUND}),
    HTTPStatus.METHOD_NOT_ALLOWED: frozenset({Code.METHOD_NOT_ALLOWED}),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: frozenset({Code.BODY_TOO_LARGE}),
    HTTPStatus.UNPROCESSABLE_ENTITY: frozenset({Code.VALIDATION_FAILED}),
    HTTPStatus.TOO_MANY_REQUESTS: frozenset({Code.RATE_LIMITED}),
    HTTPStatus.INTERNAL_SERVER_ERROR: frozenset(
        {
            Code.SETUP_TRANSITION_LINK_FAILED,
            Code.SETUP_TRANSITION_LINK_UNRECONCILED,
            Code.TRANSITION_COMMIT_UNPROVABLE,
            Code.TRANSITION_STAGE_COMMIT_UNPROVABLE,
            Code.STATE_COMMIT_UNPROVABLE,
            Code.ABANDON_CLEANUP_INCOMPLETE,
            Code.INTERNAL_ERROR,
        }
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: ENGINE_UNASKED | {Code.RELEASE_SOURCE_UNREACHABLE},
}

_STATUS_OF: Final = {code: status for status, codes in BY_STATUS.items() for code in codes}


def status_of(code: StrEnum) -> HTTPStatus:
    """Give the status of a refusal."""
    return _STATUS_OF.get(Code(code), HTTPStatus.CONFLICT)
