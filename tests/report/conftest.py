"""Fixtures of the report's tests."""

from browser import browser, browser_page

__all__ = ["browser", "browser_page"]
