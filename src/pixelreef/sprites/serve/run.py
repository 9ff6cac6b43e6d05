"""Listening: a socket on loopback unless told otherwise, until a signal; then everything accepted is answered.

serve(sampler, Place("127.0.0.1", 8765), tell=print)
"""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, cast

import uvicorn

from pixelreef.errors import InputError
from pixelreef.sprites.engine import cores
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.serve.app import app_from_sampler
from pixelreef.sprites.serve.limits import MAX_HEAD, Application, Guard, Patience
from pixelreef.sprites.serve.processes import Processes
from pixelreef.sprites.serve.queue import Queue
from pixelreef.sprites.serve.wire import Wire

BACKLOG = 256  # connections that wait to be accepted


@dataclass(frozen=True)
class Place:
    """Where to listen, and who may ask."""

    host: str = "127.0.0.1"
    port: int = 8765
    """0: any that is free."""
    origins: tuple[str, ...] = ()


class Server(uvicorn.Server):
    """uvicorn's, which ends with 0 when it was asked to end."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self._started()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End on SIGTERM and SIGINT, and do not raise them again at the end."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {one: signal.signal(one, self.handle_exit) for one in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def serve(
    sampler: Sampler,
    place: Place,
    tell: Callable[[str], None],
    patience: Patience | None = None,
    queue: Queue | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, drawing in as many processes as there are cores.

    `tell` gets the address once it can be asked. `queue`: another one than over such processes.
    """
    warm(sampler)
    listening = socket_from(place)
    with ExitStack() as open_until_the_end:
        if queue is None:
            drawers = Processes(sampler.config, sampler.weights.arrays, cores())
            queue = Queue(open_until_the_end.enter_context(drawers))
        server = server_from(sampler, place, listening, tell, patience or Patience(), queue)
        asyncio.run(server.serve([listening]))


def server_from(
    sampler: Sampler,
    place: Place,
    listening: socket.socket,
    tell: Callable[[str], None],
    patience: Patience,
    queue: Queue | None = None,
) -> Server:
    """A server that is ready to be run."""

    class Patient(Wire):
        pass

    Patient.patience = patience
    app = cast(Application, app_from_sampler(sampler, place.origins, queue))
    config = uvicorn.Config(
        cast(Any, Guard(app, hosts_of(place, listening), patience)),
        http=Patient,
        ws="none",
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEAD,
        timeout_keep_alive=patience.idle,
    )
    return Server(config, lambda: tell(address_of(place, listening)))


def socket_from(place: Place) -> socket.socket:
    """Bound, not yet listening to."""
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(found[4][:2], family=found[0], backlog=BACKLOG)
    except OSError as error:
        asked = f"{place.host}:{place.port} ({error.strerror or error})"
        raise InputError("--host and --port", "be an address that is free", asked, verbatim=True) from None


def hosts_of(place: Place, listening: socket.socket) -> Sequence[str] | None:
    """Names that a request may have for this machine; None: any, where others may ask as well."""
    bound = listening.getsockname()[0]
    return (place.host, bound, "localhost") if is_loopback(bound) else None


def is_loopback(address: str) -> bool:
    """Whether nobody but this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return ipaddress.ip_address(address).is_loopback


def address_of(place: Place, listening: socket.socket) -> str:
    """As a client names it."""
    host = f"[{place.host}]" if ":" in place.host else place.host
    return f"http://{host}:{listening.getsockname()[1]}"


def warm(sampler: Sampler) -> None:
    """Draw a sprite, so that weights that can't are known now, and the tables are there for the first request."""
    list(sampler.sample(next(sampler.cells()), 1))
