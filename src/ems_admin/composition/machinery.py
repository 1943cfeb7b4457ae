"""What differs between the engines: who runs the EMS, and how the Admin itself is replaced."""

from __future__ import annotations

from attrs import frozen

from ems_admin.workflows.ports.engine import Engine
from ems_admin.workflows.ports.identity import Identity
from ems_admin.workflows.ports.replacement import Launcher, Mover


@frozen(kw_only=True, eq=False)
class Machinery:
    """The hands of one engine."""

    engine: Engine
    launcher: Launcher
    mover: Mover
    identity: Identity
