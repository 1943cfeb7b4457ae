"""An Admin that is killed in mid-work: `python -m tests.native.admin ROOT start|stop|halt|upgrade MOMENT NUMBER`."""

import asyncio
import sys
from pathlib import Path

from ems_admin.machines.container_control import ContainerAction
from ems_admin.workflows.ports.engine import Done
from tests.native.ground import Ground, nobody, service
from tests.native.records import kill_me_at

STACK = (service("ems"), service("history", after=("ems",)))


async def main(root: str, action: str, moment: str, number: str) -> None:
    ground = Ground(Path(root))
    record = ground.interfered()
    setattr(record, moment, kill_me_at(int(number)))
    engine = ground.engine(record)
    works = {
        "start": lambda: engine.start(ground.deployment(*STACK), nobody),
        "upgrade": lambda: engine.start(ground.deployment(build="b2"), nobody),
        "stop": lambda: engine.stop(nobody),
        "halt": lambda: engine.control("ems", ContainerAction.STOP, nobody),
    }
    if await works[action]() != Done():
        sys.exit(3)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
