"""What a decoder says of what it does not take."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ems_admin import codec
from ems_admin.machines.records.reading import ReadFault


def fault_of(document: Any, kind: type[Any]) -> tuple[ReadFault, str | None]:
    """Decode what must not be decodable."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    with pytest.raises(codec.DecodeError) as refused:
        codec.decode(data, kind)
    return refused.value.fault, refused.value.detail
