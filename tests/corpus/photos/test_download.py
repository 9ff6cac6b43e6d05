from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from commons_server import CommonsServer, commons_server

from pixelreef.corpus.intake import Intake
from pixelreef.corpus.photos.addresses import wanted_from_addresses
from pixelreef.corpus.photos.commons import category_title, text_from_html, wanted_from_commons
from pixelreef.corpus.photos.download import Limits, Wanted, download
from pixelreef.corpus.photos.manifest import NAME, Manifest, Row, is_whole, read_manifest
from pixelreef.corpus.photos.web import Pace, Web
from pixelreef.errors import FileError, InputError

QUICK = Pace(pause=0.0, first_wait=0.02, tries=3, silence=1.0, whole=1.0)
GOOD = [f"good-{number}.jpg" for number in range(5)]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def fetched(
    server: CommonsServer, folder: Path, limits: Limits | None = None, web: Web | None = None
) -> tuple[list[Row], Intake]:
    intake = Intake()
    web = web or Web("me@example.org", QUICK)
    wanted = wanted_from_commons("Fish", web, intake, server.api)
    return list(download(wanted, folder, web, limits or Limits(), intake)), intake


def test_a_category_comes_page_by_page_with_author_licence_and_page(tmp_path: Path) -> None:
    with commons_server(GOOD) as server:
        rows, intake = fetched(server, tmp_path)
        assert len(rows) == 5
        assert intake.counts["downloaded"] == 5
        assert len(server.questions) == 3
        asked = server.questions[0]
        assert (asked["action"], asked["generator"], asked["gcmtitle"]) == ("query", "categorymembers", "Category:Fish")
        assert (asked["maxlag"], asked["gcmtype"], asked["iiurlwidth"]) == ("5", "file", "960")
        assert server.questions[1]["gcmcontinue"] == "2"
    assert rows == read_manifest(tmp_path)
    row = rows[0]
    assert (row.author, row.licence) == ("Ann & Bob", "CC-BY-SA-4.0")
    assert row.address == "https://commons.example.org/wiki/File:good-0.jpg"
    assert row.licence_address == "https://example.org/by-sa"
    assert (tmp_path / row.file).read_bytes() == server.body
    assert all(is_whole(tmp_path, one) for one in rows)


def test_a_second_run_fetches_nothing_and_a_damaged_or_changed_file_anew(tmp_path: Path) -> None:
    with commons_server(GOOD) as server:
        rows, _ = fetched(server, tmp_path)
        again, intake = fetched(server, tmp_path)
        assert again == rows
        assert intake.counts == {"already there": 5}
        assert sum(number for path, number in server.asked.items() if "thumb" in path) == 5
        (tmp_path / rows[1].file).write_bytes(b"damaged")
        (tmp_path / rows[2].file).unlink()
        server.info["good-3.jpg"] = {"sha1": "another upload"}
        third, intake = fetched(server, tmp_path)
        assert intake.counts == {"already there": 2, "downloaded": 3}
        assert len(third) == len(read_manifest(tmp_path)) == 5
        assert (tmp_path / rows[1].file).read_bytes() == server.body


def test_the_api_may_be_busy_ill_or_behind(tmp_path: Path) -> None:
    with commons_server(GOOD) as server:
        server.api_faults = ["maxlag", "429", "500", "500"]
        rows, _ = fetched(server, tmp_path, web=Web("me", Pace(pause=0, first_wait=0.02, tries=5)))
        assert len(rows) == 5
        gaps = [later - earlier for earlier, later in pairwise(server.times[:4])]
        assert gaps[0] >= 0.09
        assert gaps[1] >= 0.29


@pytest.mark.parametrize(("fault", "reason"), [("garbage", "answer of the API"), ("error", "Unrecognized value")])
def test_an_api_that_talks_nonsense_is_an_error(tmp_path: Path, fault: str, reason: str) -> None:
    with commons_server(GOOD) as server:
        server.api_faults = [fault]
        with pytest.raises(InputError, match=reason):
            fetched(server, tmp_path)


def test_pages_of_another_shape_are_refused_one_by_one(tmp_path: Path) -> None:
    with commons_server(GOOD) as server:
        server.api_faults = ["junk"]
        rows, intake = fetched(server, tmp_path)
        assert rows == []
        assert len(intake.refused) == 2


def test_one_bad_file_is_one_refusal(tmp_path: Path) -> None:
    bad = ["page-1.jpg", "liar-1.jpg", "missing-1.jpg", "dead-1.jpg", "loop-1.jpg", "huge-1.jpg", "local-1.jpg"]
    with commons_server([*bad, "busy-1.jpg", "ill-1.jpg", "cut-1.jpg", "moved-1.jpg"]) as server:
        rows, intake = fetched(server, tmp_path, Limits(file_bytes=200_000))
        assert [one.item for one in intake.refused] == [f"File:{name}" for name in bad]
        assert len(rows) == 4
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {NAME, *(row.file for row in rows)}


def test_only_free_licences_and_pictures(tmp_path: Path) -> None:
    names = ["good-nc.jpg", "good-none.jpg", "good-nonfree.jpg", "good-pd.jpg", "good-video.webm"]
    with commons_server(names) as server:
        server.said = {
            "good-nc.jpg": {"LicenseShortName": "CC BY-NC 4.0"},
            "good-none.jpg": {"LicenseShortName": ""},
            "good-nonfree.jpg": {"NonFree": "true"},
            "good-pd.jpg": {"LicenseShortName": "Public domain"},
        }
        server.info = {"good-video.webm": {"mime": "video/webm"}}
        rows, intake = fetched(server, tmp_path)
        assert [row.licence for row in rows] == ["Public domain"]
        assert [one.item.removeprefix("File:") for one in intake.refused] == [*names[:3], names[4]]
        assert not any("nc" in path or "webm" in path for path in server.asked)


def test_limits_of_number_and_bytes(tmp_path: Path) -> None:
    with commons_server(GOOD) as server:
        rows, _ = fetched(server, tmp_path / "a", Limits(pictures=3))
        assert len(rows) == 3
        assert len(server.questions) == 2
        rows, intake = fetched(server, tmp_path / "b", Limits(total_bytes=2 * len(server.body)))
        assert len(rows) == 2
        assert "in all" in intake.refused[0].reason


def test_a_killed_run_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    names = [f"good-{number}.jpg" for number in range(12)]
    with commons_server(names, page_size=50) as server:
        code = (
            "from pixelreef.corpus.intake import Intake\n"
            "from pixelreef.corpus.photos.commons import wanted_from_commons\n"
            "from pixelreef.corpus.photos.download import Limits, download\n"
            "from pixelreef.corpus.photos.web import Pace, Web\n"
            "web, intake = Web('me', Pace(pause=0.05)), Intake()\n"
            f"wanted = wanted_from_commons('Fish', web, intake, {server.api!r})\n"
            f"list(download(wanted, {str(tmp_path)!r}, web, Limits(), intake))\n"
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        process = subprocess.Popen([sys.executable, "-c", code], env=environment)
        deadline = time.monotonic() + 20
        while sum("thumb" in path for path in server.asked) < 4 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = read_manifest(tmp_path)
        assert 2 <= len(before) < 12
        assert all(is_whole(tmp_path, row) for row in before)
        rows, intake = fetched(server, tmp_path)
        assert len(rows) == 12
        assert intake.counts["already there"] == len(before)
        assert read_manifest(tmp_path)[: len(before)] == before


def test_a_list_of_addresses(tmp_path: Path) -> None:
    with commons_server([]) as server:
        table = tmp_path / "list.csv"
        table.write_text(
            "address,licence,author,page,category\n"
            f"{server.address}/f/good-a.jpg,CC0,Ann,https://example.org/a,coral\n"
            f"{server.address}/f/good-b.jpg,,Bob,,\n"
            "file:///etc/passwd,CC0,Eve,,\n"
            f"{server.address}/f/missing-c.jpg,CC0,Cy,,\n"
            f"{server.address}/f/good-d.jpg,OGA-BY 3.0,Dan,,grazer\n"
        )
        intake = Intake()
        web = Web("", QUICK)
        rows = list(download(wanted_from_addresses(table, intake), tmp_path / "d", web, Limits(), intake))
    assert [(row.author, row.licence, row.factors) for row in rows] == [
        ("Ann", "CC0-1.0", {"category": "coral"}),
        ("Dan", "OGA-BY-3.0", {"category": "grazer"}),
    ]
    assert rows[0].address == "https://example.org/a"
    assert rows[1].address.endswith("/f/good-d.jpg")
    assert [one.item for one in intake.refused] == ["good-b.jpg", "line 4", "missing-c.jpg"]
    assert read_manifest(tmp_path / "d") == rows


@pytest.mark.parametrize("text", ["", "address,licence\nx,y\n", "address,licence,author,author\n", 'a,b\n"x'])
def test_a_list_must_be_a_table_of_addresses(tmp_path: Path, text: str) -> None:
    (tmp_path / "l.csv").write_text(text)
    with pytest.raises(InputError, match="list"):
        list(wanted_from_addresses(tmp_path / "l.csv", Intake()))


@pytest.mark.parametrize("name", ["../a.jpg", "/etc/passwd", "", "sub/a.jpg"])
def test_a_manifest_cannot_name_files_elsewhere(tmp_path: Path, name: str) -> None:
    Manifest(tmp_path).add(Row("inside.jpg", "a", "b", "c", fetched="d"))
    text = (tmp_path / NAME).read_text()
    (tmp_path / NAME).write_text(text.replace("inside.jpg", name))
    with pytest.raises(FileError, match="own folder"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("text", ["nonsense", "file,author\na,b\n", '"'])
def test_a_broken_manifest_is_one_error(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text)
    with pytest.raises(InputError, match="manifest"):
        read_manifest(tmp_path)


def test_a_manifest_keeps_any_text(tmp_path: Path) -> None:
    row = Row("a.jpg", 'Ann "A",\nÜ', "CC0-1.0", "https://x/é", "", "f", "v", "0" * 40, 7, {"a b": "c,d"})
    Manifest(tmp_path).add(row)
    assert read_manifest(tmp_path) == [row]


@pytest.mark.parametrize("category", ["", "  ", "a|b", "a#b", "x" * 300, "a\nb"])
def test_a_category_must_be_a_name(category: str) -> None:
    with pytest.raises(InputError, match="category"):
        category_title(category)


def test_html_becomes_plain_text_of_bounded_length() -> None:
    assert text_from_html("<p>a</p><p>b</p>") == "a b"
    assert text_from_html("<style>x{}</style>&lt;b&gt;") == "<b>"
    assert text_from_html("a\x00\u202eb") == "a b"
    assert len(text_from_html("<i>" + "x" * 100_000)) == 200
    assert text_from_html("<" * 50_000 + "script>") is not None
    assert text_from_html("</script></script>seen") == "seen"


def test_names_of_two_addresses_never_meet(tmp_path: Path) -> None:
    with commons_server([]) as server:
        wanted = [Wanted("same", f"{server.address}/{way}/good.jpg", "CC0") for way in ("a", "b")]
        rows = list(download(wanted, tmp_path, Web("", QUICK), Limits(), Intake()))
    assert len({row.file for row in rows}) == 2
    assert all(Path(row.file).suffix == ".jpg" for row in rows)
