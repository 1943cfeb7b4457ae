"""Every answer that any test gets is held against its own description: what OpenAPI says is what is answered."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from ems_admin.http.openapi import document
from ems_admin.http.routes import AREAS


@cache
def described() -> dict[str, Any]:
    """Give the document as a program reads it."""
    return document(AREAS)


def hold(method: str, path: str, status: int, data: bytes, content_type: str) -> None:
    """Fail when an answer of a route is not what its description says."""
    if not content_type.startswith("application/json"):
        return
    validator = _validator(method.lower(), _template(path.partition("?")[0]), status)
    if validator is None:
        return
    answer = json.loads(data)
    faults = [f"{fault.json_path}: {fault.message[:300]}" for fault in validator.iter_errors(answer)]
    assert not faults, f"{method} {path} answered {status} outside its description: {faults[:5]}"


@cache
def _template(path: str) -> str | None:
    templates = [known for known in described()["paths"] if re.fullmatch(re.sub(r"{\w+}", "[^/]+", known), path)]
    return min(templates, key=lambda known: known.count("{")) if templates else None


@cache
def _validator(method: str, template: str | None, status: int) -> Draft202012Validator | None:
    operation = described()["paths"].get(template, {}).get(method) if template else None
    if operation is None:
        return None
    answers = operation["responses"]
    content = answers.get(str(status), answers["default"])["content"]
    schema = content.get("application/json", {}).get("schema")
    return schema and Draft202012Validator({**schema, "components": described()["components"]})
