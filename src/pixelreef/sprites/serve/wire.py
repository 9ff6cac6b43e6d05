"""One connection: uvicorn's own, which in addition does not wait for ever.

A request whose headers come too slowly is answered with 408, one whose headers are too large with 431 or 414, an answer
that is not read is dropped. When the server ends, a connection without a request is left open for a moment longer: what
was sent before it ended is still read, and answered.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pixelreef.sprites.serve.limits import (
    MAX_CONNECTIONS,
    MAX_HEAD,
    Patience,
    Receive,
    Refused,
    Scope,
    Send,
    fault,
    refuse,
)

LINGER = 0.25  # seconds in which a request that was sent is read


class Wire(H11Protocol):
    """A connection with its timers."""

    patience = Patience()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # to be told as soon as anything is not taken
        self._watch_head()
        if len(self.connections) > MAX_CONNECTIONS:
            self.app = _crowded

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_head()
        self._stop_reading()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._asked:
            self._stop_head()
        else:
            self._watch_head()

    def on_response_complete(self) -> None:
        self._stop_head()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stop_reading()
        self._reading = self.loop.call_later(self.patience.reading, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_reading()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP, or too much of it."""
        unread = self.conn.trailing_data[0]
        if len(unread) <= MAX_HEAD:
            self._end(400, "the request must be HTTP/1.1, got something else.")
        elif b"\n" in unread:
            self._end(431, f"the headers must be at most {MAX_HEAD} bytes, got more.")
        else:
            self._end(414, f"the address must be at most {MAX_HEAD} bytes, got more.")

    def shutdown(self) -> None:
        """The server ends: so does this connection, when what was asked is answered."""
        if self._asked:
            super().shutdown()
        else:
            self.loop.call_later(LINGER, self._shutdown)

    def _shutdown(self) -> None:
        if not self.transport.is_closing():
            super().shutdown()

    @property
    def _asked(self) -> bool:
        """Whether a request is on its way to an answer."""
        return self.cycle is not None and not self.cycle.response_complete

    def _watch_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(self.patience.head, self._too_slow)

    def _stop_head(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _too_slow(self) -> None:
        self._end(408, f"the headers must come within {self.patience.head:g} seconds, got a part of them.")

    def _end(self, status: int, sentence: str) -> None:
        """Answer without the application, if that is still possible, and close."""
        if self.transport.is_closing():
            return
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = fault(sentence)
            headers = [("content-type", "application/json"), ("content-length", str(len(body)))]
            events: list[h11.Event] = [
                h11.Response(
                    status_code=status, headers=[*headers, ("connection", "close")], reason=HTTPStatus(status).phrase
                ),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ]
            self.transport.write(b"".join(self.conn.send(event) or b"" for event in events))
        if self._asked:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()


async def _crowded(scope: Scope, receive: Receive, send: Send) -> None:
    """What a connection beyond those that are kept is told."""
    await refuse(send, Refused(503, "there are too many connections, ask again in 1 s", retry_after="1"), close=True)
