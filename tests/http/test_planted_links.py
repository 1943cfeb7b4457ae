"""What somebody has put in the place of a folder of the Admin: it is named, and never followed."""

from pathlib import Path

from tests.http.browser import Browser, Setup
from tests.http.served import Scene


async def test_a_setup_folder_that_lies_elsewhere_is_kept_and_the_report_says_why(
    site: Scene, setup: Setup, tmp_path: Path
) -> None:
    """`seed 000` 5.3: the folder goes only from its canonical place; the code is a detail of the cleanup."""
    await setup.to_preview()
    await setup.write()
    folder, elsewhere = site.root / "admin/workflows/guided-setup" / setup.workflow_id, tmp_path / "elsewhere"
    folder.rename(elsewhere)
    folder.symlink_to(elsewhere)
    refused = await setup.browser.post("/api/setup/abandon", {"setup_workflow_id": setup.workflow_id})
    assert refused.error == (409, "setup_artifact_review_required")
    kept = {entry["kind"]: entry for entry in refused.json["cleanup"]}
    assert kept["workflow_directory"] == {
        "kind": "workflow_directory",
        "status": "review_required",
        "detail": "setup_artifact_owner_mismatch",
    }
    assert list(elsewhere.rglob("config.json")), "a link is not followed"
    workflow = (await setup.browser.get("/api/setup/workflow")).json["workflow"]
    assert kept["workflow_directory"] in workflow["cleanup"]["artifacts"]


async def test_a_build_whose_files_cannot_be_put_anywhere_opens_no_way(
    site: Scene, browser: Browser, tmp_path: Path
) -> None:
    """`http.md` 5.4: the build is known and complete, and its files are neither here nor to be had."""
    tag = (await browser.get("/api/setup/releases")).json["builds"][0]["system_tag"]
    body = {"tag": tag}
    before = (await browser.post("/api/admin/system-alignment/validate", body)).json["action_state"]
    assert before["terminal_error"] is None
    releases = site.root / "admin/releases"
    releases.rename(tmp_path / "elsewhere")
    releases.symlink_to(tmp_path / "elsewhere")
    after = (await browser.post("/api/admin/system-alignment/validate", body)).json["action_state"]
    assert after["terminal_error"]["code"] == "system_build_resources_unavailable"
    assert after["resource_state"] == "unknown"
    assert (after["admin_update_allowed"], after["continue_allowed"]) == (False, False)


async def test_a_link_in_the_place_of_a_record_is_named_and_keeps_nothing_else_from_its_release(
    site: Scene, browser: Browser, tmp_path: Path
) -> None:
    """D7: it is not followed, not taken away and not offered to be; what can be released still is."""
    state = site.root / "admin/state"
    (tmp_path / "elsewhere").write_bytes(b"{}")
    (state / "guided-setup-workflow.json").symlink_to(tmp_path / "elsewhere")
    (state / "pending-transition.json").write_bytes(b"{cut")
    console = (await browser.get("/api/admin/console")).json
    named = {warning["code"]: warning["detail"] for warning in console["warnings"]}
    assert named["state_file_unsafe"] == "state/guided-setup-workflow.json"
    preview = (await browser.post("/api/admin/workflow-lifecycle/recovery/preview")).json
    assert [file["name"] for file in preview["release"]["files"]] == ["state/pending-transition.json"]
    body = {
        "mode": "release_stale_state",
        "confirm": True,
        "reason": "cut by hand",
        "fingerprint": preview["fingerprint"],
    }
    released = await browser.post("/api/admin/workflow-lifecycle/recovery", body)
    assert released.status == 200, released.json
    assert not (state / "pending-transition.json").exists()
    assert (state / "guided-setup-workflow.json").is_symlink()
    assert (tmp_path / "elsewhere").read_bytes() == b"{}"
