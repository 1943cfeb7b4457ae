"""`ems-admin serve`, as a process: what it prints, how it ends, and what a kill leaves (F05, F12, F51)."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tests.cli.files import files_below
from tests.cli.process import Client, run, running

HEALTH = "/api/admin/health"


def worked() -> float:
    """Give the seconds that ended children have worked: what else this machine does meanwhile is not theirs."""
    spent = os.times()
    return spent.children_user + spent.children_system


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as tried:
            tried.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_it_prints_one_address_and_one_code_and_ends_well_on_sigterm(tmp_path: Path) -> None:
    with running(tmp_path, "serve", "--install-root", tmp_path / "ems", "--listen", "127.0.0.1:0") as admin:
        url = admin.url
        code = admin.read_line().rpartition(": ")[2].strip()
        assert len(code) == 11
        health = Client(url).ask("GET", HEALTH)
        assert health["checks"].keys() == {"assets", "read_model", "events", "records"}
        with urllib.request.urlopen(url, timeout=10) as page:
            assert b"EMS Admin" in page.read()
        client = Client(url).sign_in()
        stream = urllib.request.Request(f"{url}/api/admin/events", headers={"Cookie": client.cookie})
        with urllib.request.urlopen(stream, timeout=30) as open_page:  # nobody who looks on keeps it from ending
            status, seconds = admin.end()
            assert (status, seconds < 15) == (0, True)
            assert b"ping" not in open_page.read()
    assert [line for line in admin.lines if "http://" in line] == [f"EMS Admin: {url}\n"]


def test_the_code_is_printed_only_until_there_is_a_password(tmp_path: Path) -> None:
    root = tmp_path / "ems"
    with running(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0") as admin:
        Client(admin.url).sign_in()
        assert "One-time code" in admin.read_line()
        admin.end()
    with running(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0") as admin:
        url = admin.url
        admin.end()
        assert admin.process.stdout is not None
        assert "One-time code" not in admin.process.stdout.read()
        assert url


def test_what_was_answered_is_there_after_a_kill(tmp_path: Path) -> None:
    root = tmp_path / "ems"
    serve = ("serve", "--install-root", root, "--listen", "127.0.0.1:0")
    with running(tmp_path, *serve) as admin:
        client = Client(admin.url).sign_in()
        begun = client.ask("POST", "/api/admin/start-path", {"choice": "setup_new"})
        admin.process.kill()
        admin.process.wait()
    before = (root / "admin" / "state" / "guided-setup-workflow.json").read_bytes()
    with running(tmp_path, *serve) as admin:  # the lock died with its holder: this start works at once
        client = Client(admin.url).sign_in()
        stored = client.ask("GET", "/api/setup/workflow")["workflow"]
        again = client.ask("POST", "/api/admin/start-path", {"choice": "setup_new"})
    assert (stored["workflow_id"], stored["status"]) == (begun["setup_workflow_id"], "active")
    assert again["setup_workflow_id"] == begun["setup_workflow_id"]
    assert (root / "admin" / "state" / "guided-setup-workflow.json").read_bytes() == before


def test_a_second_admin_is_told_who_looks_after_the_site_and_touches_nothing(tmp_path: Path) -> None:
    root = tmp_path / "ems"
    with running(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0") as admin:
        client = Client(admin.url).sign_in()
        client.ask("POST", "/api/admin/start-path", {"choice": "setup_new"})
        instance = client.ask("GET", HEALTH)["admin_instance_id"]
        client.ask("GET", "/api/admin/journal")
        held = files_below(root)
        before = worked()
        second = run(tmp_path, "serve", "--install-root", root, "--listen", "127.0.0.1:0")
        assert (second.returncode, worked() - before < 5) == (3, True)
        assert "site_locked" in second.stderr
        assert instance in second.stderr
        assert f"process: {admin.process.pid}" in second.stderr
        assert "started_at: 20" in second.stderr
        assert files_below(root) == held
        assert client.ask("GET", HEALTH)["admin_instance_id"] == instance


def test_an_address_that_is_taken_is_an_error_of_its_own(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = run(tmp_path, "serve", "--install-root", tmp_path / "ems", "--listen", f"127.0.0.1:{port}")
    assert answer.returncode == 1
    assert f"nothing can be bound at 127.0.0.1:{port}" in answer.stderr


@pytest.mark.skipif(not has_ipv6(), reason="this kernel has no IPv6")
def test_an_ipv6_address_is_printed_in_brackets_and_answers(tmp_path: Path) -> None:
    with running(tmp_path, "serve", "--install-root", tmp_path / "ems", "--listen", "[::1]:0") as admin:
        url = admin.url
        assert url.startswith("http://[::1]:")
        assert Client(url).sign_in().ask("GET", "/api/admin/console")["ok"] is True


@pytest.mark.parametrize("listen", ["8090", "[::1]", "::1:8090", "127.0.0.1:99999", ":8090", "127.0.0.1:http"])
def test_an_address_that_is_none_is_a_usage_error(tmp_path: Path, listen: str) -> None:
    answer = run(tmp_path, "serve", "--install-root", tmp_path / "ems", "--listen", listen)
    assert answer.returncode == 2
    assert "HOST:PORT" in answer.stderr
    assert not (tmp_path / "ems").exists()


def test_a_site_on_docker_is_served_while_docker_is_silent(tmp_path: Path) -> None:
    """`faults.md` D1, F19: the engine is shown as unknown, and nothing else stands still."""
    root, nobody = tmp_path / "ems", {"DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    order = ("serve", "--install-root", root, "--listen", "127.0.0.1:0", "--engine", "docker")
    with running(tmp_path, *order, more=nobody) as admin:
        client = Client(admin.url).sign_in()
        console = client.ask("GET", "/api/admin/console")
    assert console["engine"] == {
        "kind": "docker",
        "state": "unknown",
        "code": "docker_socket_not_mounted",
        "detail": None,
    }


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes the certificate")
def test_it_serves_tls_with_a_certificate_and_a_secure_cookie(tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    words = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost")
    subprocess.run(
        (*words, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)),
        check=True,
        capture_output=True,
    )
    tls = ("--tls-cert", certificate, "--tls-key", key)
    with running(tmp_path, "serve", "--install-root", tmp_path / "ems", "--listen", "127.0.0.1:0", *tls) as admin:
        url = admin.url
        assert url.startswith("https://127.0.0.1:")
        trusted = ssl.create_default_context(cafile=str(certificate))
        body = json.dumps({"password": "pw", "confirm_password": "pw"}).encode()
        asked = urllib.request.Request(f"{url}/api/admin/auth/setup", data=body, method="POST")
        with urllib.request.urlopen(asked, timeout=10, context=trusted) as answer:
            assert "Secure" in answer.headers["Set-Cookie"]


def test_a_certificate_without_its_key_is_a_usage_error(tmp_path: Path) -> None:
    answer = run(tmp_path, "serve", "--install-root", tmp_path / "ems", "--tls-cert", __file__)
    assert answer.returncode == 2


def test_a_certificate_that_is_none_is_told(tmp_path: Path) -> None:
    tls = ("--tls-cert", __file__, "--tls-key", __file__)
    answer = run(tmp_path, "serve", "--install-root", tmp_path / "ems", *tls)
    assert answer.returncode == 1
    assert "The certificate cannot be used" in answer.stderr
