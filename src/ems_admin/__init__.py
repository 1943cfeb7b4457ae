"""The admin authority of a self-hosted home energy management system.

`from ems_admin import Site` opens a site; `import ems_admin.machines` gives the declarations and loads no adapter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ems_admin.site import Options as Options  # the public names
    from ems_admin.site import RefusalError as RefusalError
    from ems_admin.site import Site as Site

__version__ = "0.1.0"
PUBLIC = {"Site": "site", "Options": "site", "RefusalError": "site"}
"""What importers ask the package for, and where it lives."""


def __getattr__(name: str) -> object:
    """Load the facade when it is asked for, and not before: the declarations stand without it."""
    if name in PUBLIC:
        from importlib import import_module  # noqa: PLC0415  # lazily, see above

        return getattr(import_module(f"{__name__}.{PUBLIC[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
