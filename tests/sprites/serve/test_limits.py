"""What is too large, too slow or not HTTP at all is refused, and nothing waits for ever."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection

import pytest
from serving import Serving, answer, received, request, serving
from sprite_models import perturbed, small_config, weights

from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.serve import wire
from pixelreef.sprites.serve.limits import MAX_BODY, MAX_HEAD, Patience
from pixelreef.sprites.serve.run import Place, hosts_of

QUICK = Patience(head=0.4, body=0.4, reading=0.4, idle=1)


@pytest.fixture(scope="module")
def sampler() -> Sampler:
    return Sampler(weights(perturbed(small_config())), threads=1)


@pytest.fixture(scope="module")
def served(sampler: Sampler) -> Iterator[Serving]:
    with serving(sampler, patience=QUICK) as running:
        yield running


@pytest.fixture(autouse=True)
def still_there(served: Serving) -> Iterator[None]:
    yield
    assert served.get("/health").status == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "", "[::2]:80"])
def test_a_request_must_name_this_machine(host: str, served: Serving) -> None:
    found = served.get("/sample?cell=fish/top", Host=host)
    assert found.status == 421
    assert found.error.startswith("the Host header must name 127.0.0.1 or localhost, got '")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:1", "LOCALHOST"])
def test_names_of_this_machine(host: str, served: Serving) -> None:
    assert served.get("/health", Host=host).status == 200


def test_any_name_will_do_where_others_may_ask() -> None:
    with socket.create_server(("0.0.0.0", 0)) as listening:
        assert hosts_of(Place("0.0.0.0"), listening) is None
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert hosts_of(Place("127.0.0.1"), listening) == ("127.0.0.1", "127.0.0.1", "localhost")


def test_long_addresses_and_heads(served: Serving) -> None:
    assert served.get("/sample?cell=" + "a" * 2100).status == 414
    found = served.get("/health", Extra="a" * 2 * MAX_HEAD)
    assert (found.status, found.error) == (431, f"the headers must be at most {MAX_HEAD} bytes, got more.")
    with served.connect() as connection:
        connection.sendall(b"GET /" + b"a" * (MAX_HEAD + 100))
        assert received(connection).status == 414


def test_a_large_body_is_refused_before_it_is_read(served: Serving) -> None:
    with served.connect() as connection:
        connection.sendall(request("/sample", "POST", Content_Length=str(MAX_BODY + 1), Expect="100-continue"))
        found = received(connection)
    assert (found.status, found.error) == (413, f"the body must be at most {MAX_BODY} bytes, got more.")
    assert served.get("/health", Content_Length="9" * 15).status == 413


def test_a_large_body_in_pieces_is_refused_when_it_gets_large(served: Serving) -> None:
    """On a busy machine its pieces may come too slowly as well (408), which is tried again."""
    found = 408
    for _ in range(5):
        if found == 408:
            with served.connect() as connection:
                try:
                    connection.sendall(request("/sample", "POST", Transfer_Encoding="chunked"))
                    for _ in range(MAX_BODY // 4096 + 2):
                        connection.sendall(b"1000\r\n" + b"a" * 4096 + b"\r\n")
                    found = received(connection).status
                except OSError:  # it has ended the connection, with pieces unread
                    return
    assert found == 413


def test_a_body_within_bounds_is_no_fault(served: Serving) -> None:
    body = b"a" * 10_000
    sent = request("/sample", "POST", Content_Length=str(len(body)), Connection="close") + body
    assert answer(served.port, sent).status == 405


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"GET /health HTTP/1.1\r\nHost: local", "the headers must come within 0.4 seconds"),
        (b"", "the headers must come within 0.4 seconds"),
        (
            b"POST /sample HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc",
            "the body must come within 0.4 seconds, got 3 bytes of it.",
        ),
    ],
)
def test_slow_senders_are_told(sent: bytes, words: str, served: Serving) -> None:
    began = time.monotonic()
    with served.connect() as connection:
        connection.sendall(sent)
        found = received(connection)
    assert found.status == 408
    assert words in found.error
    assert 0.3 < time.monotonic() - began < 5


def test_a_byte_now_and_then_does_not_buy_time(served: Serving) -> None:
    began = time.monotonic()
    with served.connect() as connection:
        try:
            for byte in b"GET /health HTTP/1.1\r\nHost: localhost\r\nSlow: " + b"a" * 100:
                connection.sendall(bytes([byte]))
                time.sleep(0.05)
        except OSError:
            pass
    assert time.monotonic() - began < 3


def test_a_connection_may_ask_again_and_is_ended_when_idle(served: Serving) -> None:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    with closing(connection):
        connection.connect()
        own = connection.sock
        for _ in range(3):
            connection.request("GET", "/health")
            assert connection.getresponse().read().startswith(b'{"status":"ok"')
            time.sleep(0.5)  # longer than a head may take: that is counted from its first byte
        assert connection.sock is own
        assert own.recv(10) == b""


def test_who_does_not_read_is_dropped(served: Serving) -> None:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect(("127.0.0.1", served.port))
    connection.settimeout(0.2)
    with connection:
        try:
            for _ in range(2000):
                connection.sendall(request("/openapi.json", Connection="keep-alive"))
        except OSError:
            pass
        until = time.monotonic() + 10
        while served.server.server_state.connections and time.monotonic() < until:
            time.sleep(0.05)
        assert not served.server.server_state.connections


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
        b"GET /health HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /he alth HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /sample HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /sample HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\r\n\r\n\r\n\x00",
    ],
)
def test_what_is_no_http_is_said_to_be_none(sent: bytes, served: Serving) -> None:
    found = answer(served.port, sent)
    assert (found.status, found.error) == (400, "the request must be HTTP/1.1, got something else.")


def test_too_many_connections_are_told_to_come_again(served: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MAX_CONNECTIONS", 2)
    kept = [served.connect() for _ in range(2)]
    for connection in kept:
        connection.sendall(request("/health", Connection="keep-alive"))
        connection.recv(65536)
    found = served.get("/health")
    assert (found.status, found.headers["retry-after"]) == (503, "1")
    for connection in kept:
        connection.close()
    until = time.monotonic() + 5
    while served.server.server_state.connections and time.monotonic() < until:
        time.sleep(0.02)
