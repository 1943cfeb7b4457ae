"""Setup files that do not let go."""

from __future__ import annotations

from attrs import frozen

from ems_admin.machines.records.setup import ArtifactKind
from tests.memory.files import MemorySetupFiles


@frozen
class Stubborn(MemorySetupFiles):
    """Setup files of which one cannot be removed, nor the directory that holds it."""

    stuck: frozenset[ArtifactKind] = frozenset({ArtifactKind.GENERATED_CONFIG, ArtifactKind.WORKFLOW_DIRECTORY})

    async def remove(self, kind: ArtifactKind, workflow_id: str) -> bool:
        return kind not in self.stuck and await super().remove(kind, workflow_id)
