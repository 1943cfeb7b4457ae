"""How types become JSON and JSON becomes types. cattrs finds the hook for each type; none of its own is trusted.

Its own hooks coerce (`int("5")`), ignore extra keys and fill in defaults; these compare types and keys exactly.
"""

from __future__ import annotations

from datetime import datetime

import attrs
from cattrs import Converter

from ems_admin.codec.composites import (
    dict_reader,
    dict_writer,
    is_dict,
    is_list,
    is_optional,
    list_reader,
    list_writer,
    optional_reader,
    optional_writer,
    value_reader,
    value_writer,
)
from ems_admin.codec.singles import any_number, checked, exactly, read_text, read_time, write_text, write_time


def strict(*, stored: bool) -> Converter:
    """Make a converter. A stored one knows no defaults and keeps the rules of records.

    The other one lets a field with a default be left out, and takes `5` for a float: a browser has one type of number
    and writes it that way.
    """
    converter = Converter(detailed_validation=False)
    for kind in (bool, int, float):
        converter.register_structure_hook(kind, exactly(kind))
        converter.register_unstructure_hook(kind, checked(kind))
    converter.register_structure_hook(str, read_text)
    converter.register_unstructure_hook(str, write_text)
    if not stored:
        converter.register_structure_hook(float, any_number)
    converter.register_structure_hook(datetime, read_time)
    converter.register_unstructure_hook(datetime, write_time)
    converter.register_structure_hook_factory(is_optional, lambda kind: optional_reader(converter, kind))
    converter.register_unstructure_hook_factory(is_optional, lambda kind: optional_writer(converter, kind))
    converter.register_structure_hook_factory(is_list, lambda kind: list_reader(converter, kind))
    converter.register_unstructure_hook_factory(is_list, lambda kind: list_writer(converter, kind))
    converter.register_structure_hook_factory(is_dict, lambda kind: dict_reader(converter, kind))
    converter.register_unstructure_hook_factory(is_dict, lambda kind: dict_writer(converter, kind))
    converter.register_structure_hook_factory(attrs.has, lambda kind: value_reader(converter, kind, stored=stored))
    converter.register_unstructure_hook_factory(attrs.has, lambda kind: value_writer(converter, kind, stored=stored))
    return converter
