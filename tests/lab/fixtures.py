"""The lab as fixtures: one lab for all tests of a worker, set up for the first that asks; as new for each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from aiodocker import Docker

from tests.lab.house import House
from tests.lab.lab import Lab, a_lab


@pytest.fixture(scope="session")
def one_lab(pytestconfig: pytest.Config) -> Iterator[Lab]:
    """The lab of this worker, in whatever state the last test has left it; tests ask for `lab`."""
    with a_lab() as lab:
        spent = ", ".join(f"{what} {seconds:.1f}" for what, seconds in lab.costs.items())
        print(f"\nthe lab on {lab.plot.name} took {sum(lab.costs.values()):.1f} s: {spent}")  # noqa: T201
        yield lab


@pytest.fixture
def lab(one_lab: Lab) -> Lab:
    """A lab as new: it runs, and holds the images of its builds and nothing else."""
    one_lab.restore()
    return one_lab


@pytest.fixture
async def docker(lab: Lab) -> AsyncIterator[Docker]:
    """A client of the lab's engine, for tests that are coroutines."""
    client = lab.engine.client()
    yield client
    await client.close()


@pytest.fixture
def house(lab: Lab) -> Iterator[House]:
    """A house without anything in it: `house.start_admin()` puts its Admin up."""
    house = House(lab=lab)
    yield house
    house.remove()
