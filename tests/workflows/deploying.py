"""What can be wrong with a deployment, by name."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from attrs import evolve

from ems_admin.machines.codes import Code
from ems_admin.machines.records.setup import GeneratedMetadata
from ems_admin.workflows.jobs import Job
from tests.workflows.scene import CONFIG, Scene

HOUR = timedelta(hours=1)


def sidecar(scene: Scene, **changes: Any) -> None:
    name = f"workflows/guided-setup/{scene.workflow_id}/generated/config.meta.json"
    scene.put(name, evolve(scene.record(name, GeneratedMetadata), **changes))


def generated_name(scene: Scene) -> str:
    return f"workflows/guided-setup/{scene.workflow_id}/generated/config.json"


def code_of(job: Job) -> Code | str | None:
    return None if job.error is None else job.error.code


def other_live_config(scene: Scene) -> None:
    scene.site.world.files[CONFIG] = b"{}"
