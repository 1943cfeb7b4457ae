"""`ems-admin password reset`: the way out for whoever sits at the machine."""

from pathlib import Path

from tests.cli.process import Client, run, running


def test_the_old_file_is_kept_and_the_next_start_behaves_like_the_first(tmp_path: Path) -> None:
    root = tmp_path / "ems"
    serve = ("serve", "--install-root", root, "--listen", "127.0.0.1:0")
    reset = ("password", "reset", "--install-root", root)
    with running(tmp_path, *serve) as admin:
        Client(admin.url).sign_in()
        meanwhile = run(tmp_path, *reset)
        assert (meanwhile.returncode, "site_locked" in meanwhile.stderr) == (3, True)
        admin.end()
    file = root / "config" / "admin-auth.json"
    held = file.read_bytes()
    answer = run(tmp_path, *reset)
    assert answer.returncode == 0
    (kept,) = (root / "config").glob("admin-auth.json.*Z")
    assert (kept.read_bytes(), file.exists()) == (held, False)
    assert kept.name in answer.stdout
    with running(tmp_path, *serve) as admin:
        assert Client(admin.url).ask("GET", "/api/admin/auth/status")["auth_configured"] is False
        assert "One-time code" in admin.read_line()


def test_without_a_password_there_is_nothing_to_set_aside(tmp_path: Path) -> None:
    answer = run(tmp_path, "password", "reset", "--install-root", tmp_path / "ems")
    assert answer.returncode == 0
    assert "There is no password" in answer.stdout
