"""An image goes only when we pulled it ourselves, nobody needs it, and nobody has named it otherwise.

Source: `site.md` 8; `faults.md` F24.
"""

from __future__ import annotations

from attrs import evolve

from ems_admin.docker.marks import Mark, MarkedImage, read_mark
from ems_admin.docker.pruning import superfluous

PULLED = Mark(site="s", role="ems", build_id="1.0.0-b1")
GOOD = evolve(PULLED, known_good=True)
NEWER = evolve(GOOD, build_id="2.0.0-b2")
DIGEST = "r.example/ems@sha256:00"


def goes(
    *marks: Mark, tags: tuple[str, ...] = (), builds: frozenset[str] = frozenset(), in_use: bool = False
) -> set[str]:
    image = MarkedImage(id="sha256:1", marks=marks, tags=tags, digests=(DIGEST,))
    return set(superfluous(image, builds=builds, good=frozenset({NEWER}), in_use=in_use))


def test_a_mark_is_read_as_it_was_written_and_no_other_tag_is_one() -> None:
    for mark in (PULLED, GOOD):
        assert read_mark(mark.reference, "s") == mark
    others = ("ems-admin.local/other/ems:1", "r.example/ems:1", "ems-admin.local/s/ems", "ems-admin.local/s/a/b:1")
    assert [read_mark(other, "s") for other in others] == [None] * 4


def test_an_image_of_a_build_that_is_gone_goes_with_all_that_names_it() -> None:
    assert goes(PULLED) == {DIGEST, PULLED.reference}
    assert goes(PULLED, GOOD) == {DIGEST, PULLED.reference, GOOD.reference}


def test_an_image_of_a_build_that_is_kept_stays() -> None:
    assert goes(PULLED, GOOD, builds=frozenset({"1.0.0-b1"})) == set()


def test_the_known_good_image_stays_until_another_one_of_its_service_takes_its_place() -> None:
    assert goes(evolve(PULLED, build_id="2.0.0-b2"), NEWER) == set()
    assert goes(evolve(PULLED, role="history"), evolve(GOOD, role="history")) == set()


def test_an_image_that_a_container_refers_to_stays() -> None:
    assert goes(PULLED, in_use=True) == set()
    assert goes(PULLED, GOOD, in_use=True) == {GOOD.reference}


def test_an_image_that_was_here_before_us_stays() -> None:
    assert goes(GOOD) == {GOOD.reference}
    lonely = MarkedImage(id="sha256:1", marks=(GOOD,), tags=(), digests=())
    assert superfluous(lonely, builds=frozenset(), good=frozenset({NEWER}), in_use=False) == ()


def test_an_image_that_somebody_has_named_only_loses_our_marks() -> None:
    assert goes(PULLED, tags=("mine:1",)) == {PULLED.reference}
