from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from commons_server import CommonsServer, commons_server

from pixelreef.corpus.photos.web import Pace, Web, checked_address, retry_after
from pixelreef.errors import InputError

QUICK = Pace(pause=0.0, first_wait=0.02, tries=3, silence=1.0, whole=1.0)


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[CommonsServer]:
    with commons_server([]) as made:
        yield made


def test_a_good_reply_comes_whole_and_the_server_learns_who_asks(server: CommonsServer) -> None:
    answer = Web("me@example.org", QUICK).get(f"{server.address}/f/good.jpg", 10**6)
    assert (answer.body, answer.kind) == (server.body, "image/jpeg")
    assert server.headers[0]["User-Agent"].startswith("Pixelreef/")
    assert "me@example.org" in server.headers[0]["User-Agent"]


def test_a_429_is_waited_out_as_long_as_the_server_asks(server: CommonsServer) -> None:
    notes: list[str] = []
    Web("x", QUICK, notes.append).get(f"{server.address}/f/busy-1.jpg", 10**6)
    assert server.asked["/f/busy-1.jpg"] == 2
    assert server.times[1] - server.times[0] >= 0.29
    assert "HTTP 429" in notes[0]


def test_a_server_error_is_tried_again_with_growing_waits(server: CommonsServer) -> None:
    pace = Pace(pause=0.0, first_wait=0.1, tries=3, silence=1.0)
    Web("x", pace).get(f"{server.address}/f/ill-1.jpg", 10**6)
    first, second = server.times[1] - server.times[0], server.times[2] - server.times[1]
    assert first >= 0.09
    assert second >= 0.19


def test_requests_keep_their_distance(server: CommonsServer) -> None:
    web = Web("x", Pace(pause=0.15))
    for _ in range(3):
        web.get(f"{server.address}/f/good.jpg", 10**6)
    assert all(later - earlier >= 0.14 for earlier, later in zip(server.times, server.times[1:], strict=False))


@pytest.mark.parametrize(
    ("name", "reason", "tries"),
    [
        ("dead", "HTTP 500", 3),
        ("missing", "HTTP 404", 1),
        ("patience", "asks to wait 86400 s", 1),
        ("loop", "redirect that is not followed", None),
        ("huge", "at most 100,000 bytes", 1),
        ("slow", "answer in time", 1),
        ("silent", "timed out", 3),
        ("packed", "uncompressed", 1),
        ("local", "redirect that is not followed", 1),
    ],
)
def test_what_goes_wrong_is_one_clear_error_in_bounded_time(
    server: CommonsServer, name: str, reason: str, tries: int | None
) -> None:
    pace = Pace(pause=0.0, first_wait=0.02, tries=3, silence=0.3, whole=0.5)
    started = time.monotonic()
    with pytest.raises(InputError, match=reason):
        Web("x", pace).get(f"{server.address}/f/{name}-1.jpg", 100_000)
    assert time.monotonic() - started < 5
    assert tries is None or server.asked[f"/f/{name}-1.jpg"] == tries


def test_a_reply_cut_short_is_asked_for_again(server: CommonsServer) -> None:
    answer = Web("x", QUICK).get(f"{server.address}/f/cut-1.jpg", 10**6)
    assert answer.body == server.body
    assert server.asked["/f/cut-1.jpg"] == 2


def test_a_redirect_is_followed(server: CommonsServer) -> None:
    assert Web("x", QUICK).get(f"{server.address}/f/moved-1.jpg", 10**6).body == server.body


def test_no_server_is_an_error() -> None:
    with commons_server([]) as gone:
        address = gone.address
    with pytest.raises(InputError, match="answer"):
        Web("x", QUICK).get(f"{address}/f/a.jpg", 100)


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "ftp://example.org/a",
        "data:image/png;base64,x",
        "example.org/a.png",
        "http://",
        "http://[::1",
        "http://a:99999999/x",
        "https://me:secret@example.org/a",
        "http://example.org/a\r\nX: y",
        "http://example.org/" + "a" * 3000,
        "",
    ],
)
def test_other_addresses_are_refused(address: str) -> None:
    with pytest.raises(InputError) as error:
        checked_address(address)
    assert "secret" not in str(error.value)


def test_retry_after_may_be_a_date() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert retry_after("Thu, 01 Jan 2026 00:00:30 GMT", now) == 30
    assert retry_after("Wed, 31 Dec 2025 00:00:30 GMT", now) == 0
    assert [retry_after(value) for value in ("-1", "nan", "inf", "9" * 400, "")] == [None] * 5


def test_a_contact_cannot_smuggle_headers() -> None:
    with pytest.raises(InputError, match="contact"):
        Web("me\r\nX-Evil: 1")
