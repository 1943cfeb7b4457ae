"""One served site a test; the demo builds are packed once for all of them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ems_admin.builds.identity import own_identity
from ems_admin.demo.packing import pack_demo_builds
from tests.http.browser import Browser, Setup
from tests.http.served import Scene, scene


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = own_identity()
    assert own is not None, "run `make build-identity`"
    return asyncio.run(pack_demo_builds(tmp_path_factory.mktemp("builds"), own))


@pytest.fixture
async def site(tmp_path: Path, catalogue: Path) -> AsyncIterator[Scene]:
    async with scene(tmp_path / "ems", catalogue) as found:
        yield found


@pytest.fixture
async def browser(site: Scene) -> Browser:
    return await site.person()


@pytest.fixture
async def setup(site: Scene, browser: Browser, catalogue: Path) -> Setup:
    assert site.house.own is not None
    await pack_demo_builds(catalogue, site.house.own)  # packed already, unless somebody is editing the sources
    return Setup(browser)
