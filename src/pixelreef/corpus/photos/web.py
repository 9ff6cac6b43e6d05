"""Fetching from the web, politely and bounded: one request at a time, a pause between them, waits as the server asks.

Only http and https. A reply is read up to a limit of bytes and of seconds, so that neither a huge nor a slow one can
hold a run; at most five redirects, none of them from https to http. What may get better is tried again, each time after
twice the wait, or after the `Retry-After` of the server.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse
from typing import IO, Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from pixelreef import __version__
from pixelreef.errors import InputError

MAX_ADDRESS = 2000
Made = TypeVar("Made")
_AGAIN = (429, 500, 502, 503, 504)
_CHUNK = 1 << 16
_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?")


@dataclass(frozen=True)
class Pace:
    """How patient a client is, in seconds."""

    pause: float = 1.0
    """Between two requests."""
    first_wait: float = 1.0
    """Before the second try; doubled for each further one."""
    longest_wait: float = 120.0
    """What a server may ask for with `Retry-After` before the item is given up."""
    tries: int = 5
    silence: float = 20.0
    """Until something is heard."""
    whole: float = 120.0
    """For all of a reply."""


@dataclass(frozen=True)
class Answer:
    """A reply that came whole."""

    body: bytes
    kind: str
    """Its media type, in lower case, without parameters."""


class Unwell(Exception):
    """A try that failed, and may go better after `wait` seconds (None: the client's own)."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass
class Web:
    """A client. `contact` is told to every server: an address of mail or of the web where its user can be reached."""

    contact: str = ""
    pace: Pace = field(default_factory=Pace)
    note: Callable[[str], None] = lambda line: None
    _ready: float = 0.0

    def __post_init__(self) -> None:
        if any(not 32 <= ord(letter) < 127 for letter in self.contact) or len(self.contact) > 200:
            raise InputError("contact", "be an address of mail or of the web", self.contact)
        self._opener = _opener()

    @property
    def agent(self) -> str:
        return f"Pixelreef/{__version__} ({self.contact or 'no contact given'}; sprite corpora) Python-urllib"

    def get(self, address: str, most_bytes: int, question: Mapping[str, str] | None = None) -> Answer:
        """The whole reply of at most `most_bytes`, or an error that says why there is none."""
        return self.ask(address, most_bytes, lambda answer, headers: answer, question)

    def ask(
        self,
        address: str,
        most_bytes: int,
        understood: Callable[[Answer, Mapping[str, str]], Made],
        question: Mapping[str, str] | None = None,
    ) -> Made:
        """What `understood` makes of the reply; it may raise `Unwell` to have it asked again."""
        checked = checked_address(address) + (f"?{urlencode(question)}" if question else "")
        wait = self.pace.first_wait
        for left in range(self.pace.tries - 1, -1, -1):
            try:
                answer, headers = self._tried(checked, most_bytes)
                return understood(answer, headers)
            except Unwell as failure:
                asked = wait if failure.wait is None else failure.wait
                if left == 0 or asked > self.pace.longest_wait:
                    patience = f" (asks to wait {asked:.0f} s)" if asked > self.pace.longest_wait else ""
                    raise InputError(_named(address), "answer", f"{failure}{patience}", verbatim=True) from None
                self.note(f"{_named(address)}: {failure}; again in {asked:.0f} s")
                self._ready = time.monotonic() + asked
                wait *= 2
        raise AssertionError("a last try either returns or raises")

    def _tried(self, address: str, most_bytes: int) -> tuple[Answer, Mapping[str, str]]:
        time.sleep(max(0.0, self._ready - time.monotonic()))
        request = Request(address, headers={"User-Agent": self.agent, "Accept-Encoding": "identity"})
        try:
            with self._opener.open(request, timeout=self.pace.silence) as reply:
                body = _body(reply, most_bytes, time.monotonic() + self.pace.whole, _named(address))
                return Answer(body, reply.headers.get_content_type()), reply.headers
        except HTTPError as error:
            with error:
                reason = f"HTTP {error.code}"
                if error.code in _AGAIN:
                    raise Unwell(reason, retry_after(error.headers.get("Retry-After"))) from None
                detail = " (a redirect that is not followed)" if 300 <= error.code < 400 else ""
                raise InputError(_named(address), "answer", reason + detail, verbatim=True) from None
        except (URLError, HTTPException, OSError, ValueError) as error:  # ValueError: a bad address to be redirected to
            raise Unwell(_reason(error)) from None
        finally:
            self._ready = time.monotonic() + self.pace.pause


def checked_address(address: str) -> str:
    """An address of http or https, with what is not ASCII quoted; an error for anything else.

    >>> checked_address("https://example.org/Ünder water.png")
    'https://example.org/%C3%9Cnder%20water.png'
    """
    rule = "be an address of http or https"
    if len(address) > MAX_ADDRESS:
        raise InputError("address", f"have at most {MAX_ADDRESS} characters", len(address))
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in address):
        raise InputError("address", rule, address)
    try:
        parts = urlsplit(address.strip())
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InputError("address", rule, address) from None
    if parts.scheme.lower() not in ("http", "https") or not host:
        raise InputError("address", rule, address)
    if parts.username is not None or parts.password is not None:
        raise InputError("address", "hold no user name or password", f"{parts.scheme}://…@{host}", verbatim=True)
    return quote(parts._replace(fragment="").geturl(), safe="%/:?&=+,;@!$'()*~[]-._")


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Seconds from a `Retry-After` header, which is a number or a date; None for nothing or nonsense.

    >>> retry_after("7"), retry_after("soon"), retry_after(None)
    (7.0, None, None)
    """
    if not value:
        return None
    if _SECONDS.fullmatch(value):
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


class _Redirects(HTTPRedirectHandler):
    max_redirections = 5
    max_repeats = 2

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        checked_address(newurl)
        if req.type == "https" and not newurl.lower().startswith("https:"):
            raise InputError("redirect", "stay with https", newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener() -> OpenerDirector:
    """One that knows http and https alone: no files, no ftp, no data addresses, no cookies."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler(),
        HTTPHandler(),
        HTTPSHandler(),
        _Redirects(),
        HTTPErrorProcessor(),
        HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _body(reply: HTTPResponse, most_bytes: int, deadline: float, what: str) -> bytes:
    if reply.headers.get("Content-Encoding", "identity") != "identity":
        raise InputError(what, "answer uncompressed", reply.headers.get("Content-Encoding"))
    promised = reply.headers.get("Content-Length", "")
    parts, size = [], 0
    while chunk := reply.read1(_CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > most_bytes:
            raise InputError(what, f"answer with at most {most_bytes:,} bytes", "more", verbatim=True)
        if time.monotonic() > deadline:
            raise InputError(what, "answer in time", f"{size:,} bytes so far", verbatim=True)
    if promised.isdigit() and size < int(promised):
        raise Unwell(f"{size:,} of {int(promised):,} bytes")
    return b"".join(parts)


def _named(address: str) -> str:
    return f"address {address.partition('?')[0][:120]!a}"


def _reason(error: Exception) -> str:
    reason = getattr(error, "reason", None) or error
    text = str(reason).split("\n")[0] or type(reason).__name__
    return ascii(text)[1:-1][:100]
