"""A build of the demo carries programs, pinned images, or both; what it carries is what its service runs from."""

from pathlib import Path

import pytest

from ems_admin.builds.catalogue import CATALOGUE, CATALOGUE_LIMIT, Catalogue
from ems_admin.builds.packing import PackedFile, replace_file
from ems_admin.builds.releases import ReleaseBuilds
from ems_admin.builds.sources import DirectorySource
from ems_admin.codec import encode
from ems_admin.demo.archives import DemoBuild, Images, pack_build
from ems_admin.machines.records.build import ImagePin, Manifest
from ems_admin.workflows.ports.builds import Resources
from tests.builds.sample import OWN

ADMIN = (PackedFile(path="ems_admin/__init__.py", data=b""),)
IMAGES = Images(
    admin=ImagePin(image="127.0.0.1:5000/ems-admin/admin:v1.0.0", digest=f"sha256:{'a' * 64}"),
    ems=ImagePin(image="127.0.0.1:5000/ems-admin/ems:v1.0.0", digest=f"sha256:{'b' * 64}"),
)


async def imported(build: DemoBuild, folder: Path) -> Resources:
    entry = pack_build(build, folder)
    replace_file(folder / CATALOGUE, encode(Catalogue(format_version=1, builds=(entry,)), limit=CATALOGUE_LIMIT))
    desk = ReleaseBuilds(sources=(DirectorySource(folder),), releases=folder / "releases", requires=OWN.requires)
    assert isinstance(await desk.import_build(entry.tag, lambda _: None), Manifest)
    resources = await desk.resources(entry.tag)
    assert isinstance(resources, Resources)
    return resources


@pytest.mark.parametrize(("admin", "images"), [(ADMIN, None), ((), IMAGES), (ADMIN, IMAGES)])
async def test_a_build_runs_from_what_it_carries(
    admin: tuple[PackedFile, ...], images: Images | None, tmp_path: Path
) -> None:
    resources = await imported(DemoBuild(identity=OWN, notes="", admin=admin, images=images), tmp_path)
    (ems,) = resources.stack.services
    assert (ems.image, ems.program) == ("ems" if images else None, "ems" if admin else None)
    assert set(resources.manifest.programs) == ({"admin", "ems"} if admin else set())
    assert resources.manifest.ems.digest == (images.ems.digest if images else None)
    assert resources.manifest.admin.image == (images.admin.image if images else None)
