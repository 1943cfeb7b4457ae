"""The arbiter of the console: who owns it, how it is switched, how it is recovered when nothing else leads on.

It owns no record. Every change is made by whoever owns what is changed, under one lock that is not re-entrant.
Source: `seed 000` 7.
"""

from ems_admin.workflows.lifecycle.reading import Reads
from ems_admin.workflows.lifecycle.view import LifecycleView, lifecycle, lifecycle_view

__all__ = ("LifecycleView", "Reads", "lifecycle", "lifecycle_view")
