"""Keys that a newer build knows and a config does not have yet: they come from the build's template.

Source: `site.md` 4 (B6: `config_add_keys`), 9.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from ems_admin.workflows.config.schema_nodes import Json, node_of, properties_of


def with_added_keys(config: Mapping[str, Any], template: Mapping[str, Any], schema: Mapping[str, Any]) -> Json:
    """Give the config with every key that `schema` names, `template` has and the config lacks. Changes nothing else.

    Idempotent. Members of lists and of objects with names of people's own, such as brokers, are nobody's but theirs:
    the schema does not name them, and what was taken out of there does not come back.
    """
    return _filled(dict(deepcopy(config)), template, schema, node_of(schema, schema))


def _filled(config: Json, template: Mapping[str, Any], schema: Mapping[str, Any], node: Mapping[str, Any]) -> Json:
    known = properties_of(node)
    for key, value in template.items():
        if key not in known:
            continue
        if key not in config:
            config[key] = deepcopy(value)
        elif isinstance(config[key], dict) and isinstance(value, Mapping):
            _filled(config[key], value, schema, node_of(schema, known[key]))
    return config
