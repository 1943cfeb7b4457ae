"""The kernel: the one abstraction of the house. A declared machine decides; nothing here performs anything."""

from ems_admin.machines.kernel.declaration import (
    HOLDS,
    Declaration,
    DeclarationError,
    Edge,
    Effect,
    Guard,
    Refusal,
    Trigger,
    guard,
    stays,
)
from ems_admin.machines.kernel.machine import Accepted, Answered, Decision, Machine, Refused, Step
from ems_admin.machines.kernel.regions import Beginning, Regions, always
from ems_admin.machines.kernel.seams import AfterCut, Seam, SeamStep
from ems_admin.machines.kernel.table import Row, Table, row

__all__ = (
    "HOLDS",
    "Accepted",
    "AfterCut",
    "Answered",
    "Beginning",
    "Decision",
    "Declaration",
    "DeclarationError",
    "Edge",
    "Effect",
    "Guard",
    "Machine",
    "Refusal",
    "Refused",
    "Regions",
    "Row",
    "Seam",
    "SeamStep",
    "Step",
    "Table",
    "Trigger",
    "always",
    "guard",
    "row",
    "stays",
)
