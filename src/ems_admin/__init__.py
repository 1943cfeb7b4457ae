"""The admin authority of a self-hosted home energy management system.

`from ems_admin import Site` opens a site; `import ems_admin.machines` gives the declarations and loads no adapter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ems_admin.site import Site as Site  # the public name

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load the facade when it is asked for, and not before: the declarations stand without it."""
    if name == "Site":
        from ems_admin.site import Site  # noqa: PLC0415  # lazily, see above

        return Site
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
