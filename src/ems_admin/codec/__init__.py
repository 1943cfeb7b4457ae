"""Strict decoding and encoding, fail-closed once for all: the only importer of cattrs.

Two doors. `decode` and `encode` are for files, where every key stands and nothing is guessed. `structure` and
`unstructure` are for bodies of requests and answers, where a field with a default may be left out.
Source: DESIGN 3; `faults.md`, State files.
"""

from ems_admin.codec.misfits import Misfit, MisfitError, MisfitKind
from ems_admin.codec.records import DecodeError, EncodeError, decode, encode
from ems_admin.codec.requests import structure, unstructure
from ems_admin.codec.text import RECORD_LIMIT, Json, TextError, canonical, parse, pretty

__all__ = (
    "RECORD_LIMIT",
    "DecodeError",
    "EncodeError",
    "Json",
    "Misfit",
    "MisfitError",
    "MisfitKind",
    "TextError",
    "canonical",
    "decode",
    "encode",
    "parse",
    "pretty",
    "structure",
    "unstructure",
)
