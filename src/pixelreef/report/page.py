"""One self-contained HTML page: sections of parts, with every style, script and picture inside the file.

It opens from disk and reaches no network: its Content-Security-Policy forbids everything but inline styles, pictures
given as data, and the very scripts that the page was made with, named by their hashes. Text that slipped through as
markup would still run nothing and load nothing. The page writes no file; that is the room's own `report`.

    page = Page("Draw", "How precisely models place pixels.", [Section("board", "Board", parts=[board])])
    html = page.html()
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pixelreef.errors import InputError
from pixelreef.report.html import Html, attribute, joined, text
from pixelreef.report.part import Fragment, Part, asset_text, assets_once, stacked
from pixelreef.report.prose import paragraphs

CONTENTS_FROM = 3  # a table of contents for one or two sections only pushes them down
_ASSETS = ("page.css", "page.js")
_FIRST = "theme.js"  # runs in the head
# No underscore: the page and its parts begin the ids that they give out with `page_`, `<section>_1`, `<section>_title`.
_ID = re.compile(r"[a-z][a-z0-9-]*\Z")

# An 8×8 fish of two colours, so that the browser's tab has a picture and none is asked for.
_ICON = (
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAgMAAAC5YVYYAAAACVBMVEUAAAAAjZCf/vMvkewfAAAAAXRSTlMAQObYZgAAACBJREFUeNpjYGBg"
    "ZLRnahFgUhBlYvjA9OA3I6M9AwMDACozBB8V9GLfAAAAAElFTkSuQmCC"
)


@dataclass(frozen=True)
class Section:
    """A part of the page with a heading. A hero stands first and runs from edge to edge of the screen."""

    id: str
    title: str
    words: str = ""
    parts: Sequence[Part] = field(default_factory=tuple)
    hero: bool = False

    def __post_init__(self) -> None:
        if not _ID.match(self.id):
            raise InputError("section id", "be lower-case letters, digits and hyphens", self.id)


@dataclass(frozen=True)
class Page:
    """A title, a sentence or two that lead in, and the sections."""

    title: str
    lead: str
    sections: Sequence[Section]
    footer: str = ""

    def __post_init__(self) -> None:
        ids = [section.id for section in self.sections]
        if len(set(ids)) < len(ids):
            raise InputError("section ids", "differ from one another", ids)
        if any(section.hero for section in self.sections[1:]):
            raise InputError("hero section", "stand first", ids)

    def html(self) -> Html:
        """The whole document. The same parts give the same bytes."""
        sections = [_section(section) for section in self.sections]
        assets = assets_once([_ASSETS, *(section.assets for section in sections)])
        styles = [asset_text(name) for name in assets if name.endswith(".css")]
        scripts = [asset_text(name) for name in assets if name.endswith(".js")]
        head = _head(self.title, self.lead, styles, asset_text(_FIRST), policy([asset_text(_FIRST), *scripts]))
        last = joined((_script(script) for script in scripts), "\n")
        return Html(
            f'<!doctype html>\n<html lang="en">\n<head>\n{head}\n</head>\n'
            f"<body>\n{self._body(sections)}\n{last}\n</body>\n</html>\n"
        )

    def _body(self, sections: Sequence[Fragment]) -> Html:
        footer = f'<footer class="page-footer">{paragraphs(self.footer)}</footer>' if self.footer else ""
        return Html(
            '<a class="skip" href="#page_main">Skip to the content</a>\n'
            f'<header class="page-header"><div class="header-row"><h1>{text(self.title)}</h1>{_THEME_BUTTON}</div>'
            f'<div class="lead">{paragraphs(self.lead)}</div></header>\n'
            f'{_contents(self.sections)}\n<main id="page_main" tabindex="-1">\n'
            f"{joined((section.body for section in sections), chr(10))}\n</main>\n{footer}"
        )


_THEME_BUTTON = (
    '<button type="button" class="theme" hidden aria-label="Switch between light and dark">'
    '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">'
    '<path d="M4 1h8v1h2v2h1v8h-1v2h-2v1H4v-1H2v-2H1V4h1V2h2z" fill="none" stroke="currentColor" stroke-width="1.5"/>'
    '<path d="M8 1h4v1h2v2h1v8h-1v2h-2v1H8z" fill="currentColor"/></svg>'
    '<span class="theme-name">Theme</span></button>'
)


def policy(scripts: Sequence[str]) -> str:
    """The Content-Security-Policy of a page that runs these scripts and no others."""
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _head(title: str, lead: str, styles: Sequence[str], first: str, allowed: str) -> Html:
    return Html(
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f'<title>{text(title)}</title>\n<meta name="description" content="{attribute(lead)}">\n'
        f'<link rel="icon" href="data:image/png;base64,{_ICON}">\n'
        f"<style>\n{chr(10).join(styles)}</style>\n{_script(first)}"
    )


def _script(source: str) -> Html:
    return Html(f"<script>{source}</script>")


def _contents(sections: Sequence[Section]) -> Html:
    if len(sections) < CONTENTS_FROM:
        return Html("")
    links = joined(Html(f'<li><a href="#{section.id}">{text(section.title)}</a></li>') for section in sections)
    return Html(f'<nav class="contents" aria-label="Contents"><ul>{links}</ul></nav>')


def _section(section: Section) -> Fragment:
    inside = stacked(section.parts, section.id)
    body = (
        f'<section id="{section.id}" class="{"section hero" if section.hero else "section"}"'
        f' aria-labelledby="{section.id}_title"><div class="inside">'
        f'<h2 id="{section.id}_title">{text(section.title)}</h2>'
        f'<div class="words">{paragraphs(section.words)}</div>{inside.body}</div></section>'
    )
    return Fragment(Html(body), inside.assets)
