"""Where the server listens (F51)."""

import errno
import socket

import pytest

from ems_admin.http import listening
from ems_admin.http.listening import CannotListenError, Listen, bind, listen_of, url_of

SPELLINGS = (
    ("127.0.0.1:8090", Listen("127.0.0.1", 8090)),
    ("[::1]:8090", Listen("::1", 8090)),
    ("[::]:0", Listen("::", 0)),
    ("ems.local:80", Listen("ems.local", 80)),
)


@pytest.mark.parametrize(("text", "meant"), SPELLINGS)
def test_an_address_is_read_as_people_write_it(text: str, meant: Listen) -> None:
    assert listen_of(text) == meant


def refuse_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a kernel that was built without IPv6."""
    made = listening._bind

    def without(family: int, address: str, port: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "Address family not supported by protocol")
        return made(family, address, port)

    monkeypatch.setattr(listening, "_bind", without)


async def test_every_address_means_the_others_where_there_is_no_ipv6(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refuse_ipv6(monkeypatch)
    (taken,) = await bind(Listen("::", 0))
    with taken:
        assert taken.family == socket.AF_INET
        assert url_of(Listen("::", 0), taken, secure=False) == f"http://127.0.0.1:{taken.getsockname()[1]}"
    told = capsys.readouterr().out
    assert "cannot listen" in told
    assert "[::]:0" in told


async def test_without_any_family_there_is_nothing_to_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_ipv6(monkeypatch)
    with pytest.raises(CannotListenError, match=r"\[::1\]:0"):
        await bind(Listen("::1", 0))


async def test_a_name_that_is_no_machine_is_told() -> None:
    with pytest.raises(CannotListenError, match=r"nobody\.invalid"):
        await bind(Listen("nobody.invalid", 0))


async def test_all_families_share_the_port_that_the_machine_chose() -> None:
    taken = await bind(Listen("localhost", 0))
    assert len({one.getsockname()[1] for one in taken}) == 1
    assert url_of(Listen("localhost", 0), taken[0], secure=True) == f"https://localhost:{taken[0].getsockname()[1]}"
    for one in taken:
        one.close()
