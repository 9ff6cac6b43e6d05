"""A real browser for tests: the `browser_page` fixture, which also holds a page to its promises.

`conftest.py` offers it to every test; those that take it are marked `pytest.mark.browser`. When the test is over, the
page must have asked for nothing but files and data, and have written no warning and no error to its console.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 30_000  # milliseconds; a busy machine is slow to paint
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


# One browser per file, not per run: while playwright is open its event loop runs, and asyncio.run is refused elsewhere.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"no browser is installed: looked for {', '.join(NAMES)}")
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=path, args=ARGUMENTS, headless=True)
        yield instance
        instance.close()


@pytest.fixture
def browser_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme="light")
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    faults: list[str] = []

    def on_request(request: Request) -> None:
        if not request.url.startswith(("file:", "data:")):
            faults.append(f"request: {request.url}")

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            faults.append(f"console {message.type}: {message.text}")

    def on_error(error: Error) -> None:
        faults.append(f"page error: {error.message}")

    page.on("request", on_request)
    page.on("console", on_console)
    page.on("pageerror", on_error)
    yield page
    page.close()
    assert faults == []
