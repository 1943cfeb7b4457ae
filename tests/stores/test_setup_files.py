"""What a workflow leaves on disk is deleted when it is provably its own, and by nobody else.

Source: `seed 000` 5.3.
"""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from ems_admin import codec
from ems_admin.machines.records.reading import Absent, Present
from ems_admin.machines.records.setup import ArtifactKind
from ems_admin.stores.records import sha256
from ems_admin.stores.setup_files import GeneratedFiles
from ems_admin.stores.site_files import SiteFiles
from ems_admin.workflows.ports.files import Content, Evidence, SetupFiles
from ems_admin.workflows.ports.records import Committed
from tests.stores.records import MARKER, METADATA, OTHER_WORKFLOW, WORKFLOW

OURS_BY_PATH = (ArtifactKind.WORKFLOW_DIRECTORY, ArtifactKind.GENERATED_CONFIG, ArtifactKind.GENERATED_METADATA)
LEGACY = (ArtifactKind.LEGACY_GENERATED_CONFIG, ArtifactKind.LEGACY_GENERATED_METADATA)


@pytest.fixture
def site(tmp_path: Path) -> SiteFiles:
    files = SiteFiles(admin_data=tmp_path)
    files.prepare()
    return files


@pytest.fixture
def files(site: SiteFiles) -> SetupFiles:
    return GeneratedFiles(site)


async def generate(files: SetupFiles, workflow_id: str) -> None:
    assert await files.write_generated_config(workflow_id, b'{"a": 1}') == Committed()
    metadata = attrs.evolve(METADATA, workflow_id=workflow_id)
    assert await files.write_generated_metadata(workflow_id, metadata) == Committed()


async def test_what_was_generated_is_read_back(files: SetupFiles, tmp_path: Path) -> None:
    assert await files.generated_config(WORKFLOW) == Absent()
    assert await files.generated_metadata(WORKFLOW) == Absent()
    await generate(files, WORKFLOW)
    folder = tmp_path / "workflows/guided-setup" / WORKFLOW / "generated"
    assert {path.name for path in folder.iterdir()} == {"config.json", "config.meta.json"}
    assert await files.generated_config(WORKFLOW) == Content(data=b'{"a": 1}', revision=sha256(b'{"a": 1}'))
    reading = await files.generated_metadata(WORKFLOW)
    assert reading == Present(record=METADATA, sha256=sha256(codec.encode(METADATA)))


@pytest.mark.parametrize("kind", OURS_BY_PATH)
async def test_the_own_directory_proves_what_lies_in_it(files: SetupFiles, kind: ArtifactKind) -> None:
    assert await files.evidence(kind, WORKFLOW) is Evidence.ABSENT
    assert await files.remove(kind, WORKFLOW)
    await generate(files, WORKFLOW)
    await generate(files, OTHER_WORKFLOW)
    assert await files.evidence(kind, WORKFLOW) is Evidence.OURS
    assert await files.remove(kind, WORKFLOW)
    assert await files.evidence(kind, WORKFLOW) is Evidence.ABSENT
    assert await files.evidence(kind, OTHER_WORKFLOW) is Evidence.OURS


@pytest.mark.parametrize("name", ["../state", "..", ".", "", "x" * 44, "a/" + "b" * 41, f"{'w' * 42}\n"])
@pytest.mark.parametrize("kind", ArtifactKind)
async def test_an_id_that_could_lead_elsewhere_names_nothing(files: SetupFiles, kind: ArtifactKind, name: str) -> None:
    assert await files.evidence(kind, name) is Evidence.FOREIGN
    assert not await files.remove(kind, name)


@pytest.mark.parametrize("kind", OURS_BY_PATH)
async def test_a_link_in_the_place_of_a_directory_is_foreign(
    files: SetupFiles, tmp_path: Path, kind: ArtifactKind
) -> None:
    await generate(files, OTHER_WORKFLOW)
    (tmp_path / "workflows/guided-setup" / WORKFLOW).symlink_to(OTHER_WORKFLOW)
    assert await files.evidence(kind, WORKFLOW) is Evidence.FOREIGN
    assert not await files.remove(kind, WORKFLOW)
    assert await files.evidence(kind, OTHER_WORKFLOW) is Evidence.OURS


async def test_nothing_is_written_through_a_linked_directory(files: SetupFiles, tmp_path: Path) -> None:
    await generate(files, OTHER_WORKFLOW)
    (tmp_path / "workflows/guided-setup" / WORKFLOW).symlink_to(OTHER_WORKFLOW)
    outcome = await files.write_generated_config(WORKFLOW, b"{}")
    assert getattr(outcome, "code", None) == "state_directory_unsafe"
    assert await files.generated_config(OTHER_WORKFLOW) == Content(data=b'{"a": 1}', revision=sha256(b'{"a": 1}'))


async def test_removing_a_directory_follows_no_link_inside_it(files: SetupFiles, tmp_path: Path) -> None:
    await generate(files, WORKFLOW)
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/file").touch()
    (tmp_path / "workflows/guided-setup" / WORKFLOW / "way-out").symlink_to(tmp_path / "precious")
    assert await files.remove(ArtifactKind.WORKFLOW_DIRECTORY, WORKFLOW)
    assert (tmp_path / "precious/file").exists()


@pytest.mark.parametrize(
    ("sidecar", "evidence"),
    [
        (codec.encode(METADATA), Evidence.OURS),
        (codec.encode(attrs.evolve(METADATA, workflow_id=OTHER_WORKFLOW)), Evidence.FOREIGN),
        (codec.encode(attrs.evolve(METADATA, owner="somebody")), Evidence.FOREIGN),
        (b"{}", Evidence.UNREADABLE),
        (None, Evidence.FOREIGN),
    ],
    ids=["names us", "names another", "is nobody's", "is malformed", "is missing"],
)
async def test_a_shared_config_belongs_to_whom_its_sidecar_names(
    files: SetupFiles, tmp_path: Path, sidecar: bytes | None, evidence: Evidence
) -> None:
    kind = ArtifactKind.LEGACY_GENERATED_CONFIG
    config = tmp_path / "generated/config.json"
    assert await files.evidence(kind, WORKFLOW) is Evidence.ABSENT
    config.parent.mkdir()
    config.write_bytes(b"{}")
    if sidecar is not None:
        (tmp_path / "generated/config.meta.json").write_bytes(sidecar)
    assert await files.evidence(kind, WORKFLOW) is evidence
    assert await files.remove(kind, WORKFLOW) is (evidence is Evidence.OURS)
    assert config.exists() is (evidence is not Evidence.OURS)


async def test_shared_config_and_sidecar_go_in_their_order(files: SetupFiles, tmp_path: Path) -> None:
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated/config.json").write_bytes(b"{}")
    (tmp_path / "generated/config.meta.json").write_bytes(codec.encode(METADATA))
    for kind in LEGACY:
        assert await files.remove(kind, WORKFLOW)
        assert await files.evidence(kind, WORKFLOW) is Evidence.ABSENT
    assert list((tmp_path / "generated").iterdir()) == []


@pytest.mark.parametrize(
    ("marker", "evidence"),
    [
        (codec.encode(MARKER), Evidence.OURS),
        (codec.encode(attrs.evolve(MARKER, workflow_id=OTHER_WORKFLOW)), Evidence.FOREIGN),
        (codec.encode(attrs.evolve(MARKER, owner="installer")), Evidence.FOREIGN),
        (b'{"release": "v1"}', Evidence.UNREADABLE),
        (b"", Evidence.UNREADABLE),
        (None, Evidence.ABSENT),
    ],
    ids=["names us", "names another", "is nobody's", "is malformed", "is empty", "is missing"],
)
async def test_a_marker_belongs_to_whom_its_content_names(
    files: SetupFiles, site: SiteFiles, marker: bytes | None, evidence: Evidence
) -> None:
    path = site.admin_data / site.marker.name
    if marker is not None:
        path.write_bytes(marker)
    assert await files.evidence(ArtifactKind.DEPLOYMENT_MARKER, WORKFLOW) is evidence
    gone = await files.remove(ArtifactKind.DEPLOYMENT_MARKER, WORKFLOW)
    assert gone is (evidence in {Evidence.OURS, Evidence.ABSENT})
    assert (path.read_bytes() if path.exists() else None) == (None if gone else marker)
