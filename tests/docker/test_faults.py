"""The daemon's words are told by the codes that people and records go by (`site.md` 8; `faults.md` F22)."""

from __future__ import annotations

import pytest

from ems_admin.docker.faults import pull_failure, start_failure
from ems_admin.machines.codes import Code

DIGEST = f"sha256:{'4' * 3}{'0' * 61}"
DIAL = 'Get "http://127.0.0.1:5999/v2/": dial tcp 127.0.0.1:5999: '
RATE = "toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating"
PRIVATE = (
    "pull access denied for a/b, repository does not exist or may require 'docker login': denied: requested access"
)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (f"manifest for 127.0.0.1:5999/base@{DIGEST} not found: manifest unknown", Code.IMAGE_UNAVAILABLE),
        (f'Get "http://127.0.0.1/v2/base/manifests/{DIGEST}": no basic auth credentials', Code.IMAGE_PULL_DENIED),
        ("unauthorized: authentication required", Code.IMAGE_PULL_DENIED),
        (PRIVATE, Code.IMAGE_PULL_DENIED),
        (f"{DIAL}connect: connection refused", Code.IMAGE_PULL_NETWORK_ERROR),
        (f"{DIAL}i/o timeout", Code.IMAGE_PULL_NETWORK_ERROR),
        ("Get https://r.invalid/v2/: dial tcp: lookup r.invalid: no such host", Code.IMAGE_PULL_NETWORK_ERROR),
        ("Get https://r/v2/: x509: certificate signed by unknown authority", Code.IMAGE_PULL_NETWORK_ERROR),
        ("received unexpected HTTP status: 503 Service Unavailable", Code.IMAGE_PULL_NETWORK_ERROR),
        ("received unexpected HTTP status: 429 Too Many", Code.IMAGE_PULL_RATE_LIMITED),
        (RATE, Code.IMAGE_PULL_RATE_LIMITED),
        (f"unauthorized: {RATE}", Code.IMAGE_PULL_RATE_LIMITED),
        ("write /var/lib/docker/tmp/GetImageBlob1: no space left on device", Code.IMAGE_PULL_FAILED),
        ("filesystem layer verification failed for digest", Code.IMAGE_PULL_FAILED),
    ],
)
def test_a_pull_that_failed_is_told_by_its_code(words: str, code: Code) -> None:
    assert pull_failure(words).code is code


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Bind for 0.0.0.0:8099 failed: port is already allocated", Code.CONTAINER_PORT_CONFLICT),
        ("listen tcp4 0.0.0.0:8099: bind: address already in use", Code.CONTAINER_PORT_CONFLICT),
        (
            'invalid mount config for type "bind": bind source path does not exist: /a/b',
            Code.WORKSPACE_PERMISSION_DENIED,
        ),
        ("No such image: sha256:00", Code.IMAGE_UNAVAILABLE),
        ('exec: "nothing": executable file not found in $PATH: unknown', Code.EMS_START_FAILED),
    ],
)
def test_a_start_that_failed_is_told_by_its_code(words: str, code: Code) -> None:
    assert start_failure(words, "ems").code is code


def test_a_full_disk_is_named_beside_the_code() -> None:
    assert pull_failure("write /a/b: no space left on device").detail == "no_space"
    assert start_failure("mkdir /a/b: no space left on device", "ems").detail == "no_space"


def test_neither_secrets_nor_places_of_the_host_get_into_a_message() -> None:
    said = pull_failure('open /var/lib/docker/image: x, "password": "hunter2", http://joe:pass@registry/v2/').message
    assert said is not None
    assert "hunter2" not in said
    assert "pass@" not in said
    assert "/var/lib" not in said
