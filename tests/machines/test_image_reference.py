"""Image references by the full grammar, and the digest of a program tree."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ems_admin.machines.values.image_reference import parse_image
from ems_admin.machines.values.trees import TreeFile, tree_digest

SHA = "sha256:" + "a1" * 32


@pytest.mark.parametrize(
    ("reference", "host", "path", "tag", "digest"),
    [
        ("ems", None, "ems", None, None),
        ("ems:1.2", None, "ems", "1.2", None),
        ("library/ems", None, "library/ems", None, None),
        ("localhost/ems", "localhost", "ems", None, None),
        ("localhost:5000/ems", "localhost:5000", "ems", None, None),
        ("localhost:5000/a/b:v1", "localhost:5000", "a/b", "v1", None),
        ("registry.example/ems:v1", "registry.example", "ems", "v1", None),
        ("Registry/ems", "Registry", "ems", None, None),
        ("[::1]:5000/ems:v1", "[::1]:5000", "ems", "v1", None),
        (f"ghcr.example:443/org/ems:v1@{SHA}", "ghcr.example:443", "org/ems", "v1", SHA),
        (f"ems@{SHA}", None, "ems", None, SHA),
        ("a__b/c--d.e:_x", None, "a__b/c--d.e", "_x", None),
        ("127.0.0.1:5000/x", "127.0.0.1:5000", "x", None, None),
    ],
)
def test_every_part_is_found(reference: str, host: str | None, path: str, tag: str | None, digest: str | None) -> None:
    parsed = parse_image(reference)
    assert parsed is not None
    assert (parsed.host, parsed.path, parsed.tag, parsed.digest) == (host, path, tag, digest)
    assert str(parsed) == reference
    assert parsed.pinned is (digest is not None)


@pytest.mark.parametrize(
    "reference",
    [
        *(
            "",
            ":v1",
            "@",
            "EMS",
            "ems:",
            "ems@",
            "ems:a b",
            "/ems",
            "ems/",
            "a//b",
            "ems:" + "t" * 129,
            "host:port/ems",
        ),
        *(
            "-ems",
            "a_-b",
            "https://host/ems",
            "ems@sha256:abc",
            f"ems@{SHA[:-1]}",
            f"ems@{SHA}@{SHA}",
            SHA.removeprefix("sha256:"),
            "x" * 256,
        ),
        *("ems\n", "ems:v1\n", "-host.example/ems", "ems@sha256:" + "A" * 64),
    ],
)
def test_what_is_no_reference_is_none(reference: str) -> None:
    assert parse_image(reference) is None


@given(st.text(max_size=60))
def test_parsing_never_raises_and_gives_back_what_it_read(text: str) -> None:
    parsed = parse_image(text)
    assert parsed is None or str(parsed) == text


def test_the_digest_of_a_tree_is_the_hash_of_its_sorted_lines() -> None:
    code, start = hashlib.sha256(b"code").hexdigest(), hashlib.sha256(b"start").hexdigest()
    files = (
        TreeFile(path="b/start", sha256=start, executable=True),
        TreeFile(path="a.py", sha256=code, executable=False),
    )
    expected = hashlib.sha256(f"{code} 0 a.py\n{start} 1 b/start\n".encode()).hexdigest()
    assert tree_digest(files) == tree_digest(reversed(files)) == expected


def test_a_tree_differs_by_path_by_bytes_and_by_executable() -> None:
    sha = "0" * 64
    trees = [
        (TreeFile(path="a", sha256=sha, executable=False),),
        (TreeFile(path="a", sha256=sha, executable=True),),
        (TreeFile(path="b", sha256=sha, executable=False),),
        (TreeFile(path="a", sha256="1" * 64, executable=False),),
        (),
    ]
    assert len({tree_digest(tree) for tree in trees}) == len(trees)
