"""The pictures of a category of Wikimedia Commons, through its API, with author, licence and page.

The API is asked for fifty files at a time, with `maxlag`, so that it may turn us away when it is busy. What it scales
down to 960 pixels (one of the widths it keeps) is fetched, not the original. Only files of the category itself: its
subcategories are other categories.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from typing import Any

from pixelreef.core.strict_json import json_from_bytes
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.photos.download import SUFFIXES, Wanted
from pixelreef.corpus.photos.web import Answer, Unwell, Web, retry_after
from pixelreef.errors import DocumentError, InputError

API = "https://commons.wikimedia.org/w/api.php"
WIDTH = 960  # 20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920 and 3840 are kept; others are refused or made slowly
MAX_ANSWER = 16 * 2**20
MAX_REQUESTS = 1000
MAX_TEXT = 200  # characters of an author's name that are kept
_MAX_HTML = 20_000
_BUSY = ("maxlag", "ratelimited", "readonly")
_QUESTION = {
    "action": "query",
    "format": "json",
    "formatversion": "2",
    "maxlag": "5",
    "generator": "categorymembers",
    "gcmtype": "file",
    "gcmlimit": "50",
    "prop": "imageinfo",
    "iiprop": "url|size|mime|sha1|extmetadata",
    "iiextmetadatafilter": "Artist|Credit|LicenseShortName|LicenseUrl|NonFree",
    "iiurlwidth": str(WIDTH),
}


def wanted_from_commons(category: str, web: Web, intake: Intake, api: str = API) -> Iterator[Wanted]:
    """The pictures of a category, in its order; a file that is no picture is one refusal."""
    question = {**_QUESTION, "gcmtitle": category_title(category)}
    more: dict[str, str] = {}
    pages: dict[str, dict[str, Any]] = {}
    for _ in range(MAX_REQUESTS):
        answer = _asked(web, api, {**question, **more})
        for page in _pages(answer):
            known = pages.setdefault(str(page.get("title")), {})
            known.update({key: value for key, value in page.items() if value or key not in known})
        following = _continue(answer)
        if answer.get("batchcomplete") or not following:  # else the rest of these pages is in the next answer
            yield from _all_wanted(pages, intake)
            pages = {}
        if not following or following == more:
            return
        more = following
    raise InputError(f"category {category!r}", f"be listed in {MAX_REQUESTS} requests", "more", verbatim=True)


def category_title(category: str) -> str:
    """`Category:…`, from a name or from the address of its page.

    >>> category_title("Aurelia aurita"), category_title("https://commons.wikimedia.org/wiki/Category:Sepia_(genus)")
    ('Category:Aurelia aurita', 'Category:Sepia (genus)')
    """
    from urllib.parse import unquote

    name = unquote(category.rpartition("/wiki/")[2]) if "/wiki/" in category else category
    name = name.replace("_", " ").strip().removeprefix("Category:").strip()
    if not name or len(name) > 250 or any(letter in name for letter in "#<>[]|{}\n\r\t"):
        raise InputError("category", "be the name of a category of Wikimedia Commons", category)
    return f"Category:{name}"


def text_from_html(html: str) -> str:
    """What a browser would show of a short piece of HTML, on one line; scripts and styles left out.

    >>> text_from_html('<a href="x" onclick="y">Ann &amp; <b>Bob</b></a><script>alert(1)</script>')
    'Ann & Bob'
    """
    reader = _Text()
    reader.feed(html[:_MAX_HTML])
    reader.close()
    shown = "".join(letter if letter.isprintable() else " " for letter in "".join(reader.parts))
    return " ".join(shown.split())[:MAX_TEXT]


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.hidden += tag in ("script", "style")
        self.parts.append(" " if tag in ("br", "p", "div", "li", "td", "tr") else "")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("script", "style") and self.hidden > 0

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


def _asked(web: Web, api: str, question: Mapping[str, str]) -> dict[str, Any]:
    def understood(answer: Answer, headers: Mapping[str, str]) -> dict[str, Any]:
        document = json_from_bytes(answer.body, "answer of the API")
        if not isinstance(document, dict):
            raise DocumentError("answer of the API", "be an object", document)
        error = document.get("error")
        if isinstance(error, dict) and error.get("code") in _BUSY:
            raise Unwell(f"the API is busy ({error['code']})", retry_after(headers.get("Retry-After")))
        if error:
            said = error.get("info", error) if isinstance(error, dict) else error
            raise InputError("question to the API", "be answered", said)
        return document

    return web.ask(api, MAX_ANSWER, understood, question)


def _pages(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    query = answer.get("query")
    pages = query.get("pages") if isinstance(query, dict) else None
    return [page for page in pages if isinstance(page, dict)] if isinstance(pages, list) else []


def _continue(answer: Mapping[str, Any]) -> dict[str, str]:
    following = answer.get("continue")
    return {str(key): str(value) for key, value in following.items()} if isinstance(following, dict) else {}


def _all_wanted(pages: Mapping[str, Mapping[str, Any]], intake: Intake) -> Iterator[Wanted]:
    for title, page in pages.items():
        try:
            yield _wanted(title, page)
        except InputError as error:
            intake.refuse(title, error)


def _wanted(title: str, page: Mapping[str, Any]) -> Wanted:
    infos = page.get("imageinfo")
    info = infos[0] if isinstance(infos, list) and infos and isinstance(infos[0], dict) else {}
    mime = _string(info, "mime")
    if mime not in SUFFIXES:
        raise InputError("file", "be a picture (JPEG, PNG, GIF, WebP, TIFF or BMP)", mime or "no type")
    fetch = _string(info, "thumburl") or _string(info, "url")
    if not fetch:
        raise InputError("file", "have an address", "none", verbatim=True)
    said = info.get("extmetadata")
    about = said if isinstance(said, dict) else {}
    free = _said(about, "NonFree").lower() not in ("true", "1")
    return Wanted(
        title,
        fetch,
        _said(about, "LicenseShortName") if free else "non-free",
        _said(about, "Artist") or _said(about, "Credit"),
        _string(info, "descriptionurl"),
        _said(about, "LicenseUrl"),
        _string(info, "sha1"),
    )


def _string(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _said(about: Mapping[str, Any], name: str) -> str:
    entry = about.get(name)
    value = entry.get("value") if isinstance(entry, dict) else None
    return text_from_html(value) if isinstance(value, str) else ""
