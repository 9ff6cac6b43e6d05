"""A folder of photographs, one by one, as the entries of a corpus."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from pixelreef.core.files import inside
from pixelreef.core.palette import Palette
from pixelreef.core.palette_files import looks_like_image
from pixelreef.core.reef import reef_palette
from pixelreef.corpus.colours import coloured
from pixelreef.corpus.entry import Entry, Origin
from pixelreef.corpus.intake import Intake
from pixelreef.corpus.labels import Labels
from pixelreef.corpus.photos.isolate import Cut, isolate
from pixelreef.corpus.photos.manifest import read_manifest
from pixelreef.corpus.photos.masks import mask_path, read_mask
from pixelreef.corpus.photos.pixelise import pixelise
from pixelreef.corpus.photos.reading import read_photo, working_side
from pixelreef.corpus.photos.tidy import despeckled, fewer_colours
from pixelreef.errors import FileError, InputError, PixelreefError

MAX_FILES = 200_000
MAX_DEPTH = 16
SUFFIXES = (".jpg", ".jpeg", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff", ".ppm", ".pgm", ".pnm")


@dataclass(frozen=True)
class PhotoOptions:
    """What is made of photographs."""

    size: int = 32
    palette: Palette = field(default_factory=reef_palette)
    colours: int = 16
    """The most visible colours of one sprite."""
    dither: bool = False
    lift: float = 0.0
    """From 0, as it is, to 1: the contrast and saturation of a drawing, less of the water's cast."""
    masks: str | os.PathLike[str] | None = None
    """A folder with a mask for every photograph, of the same stem."""
    mask_colours: tuple[tuple[int, int, int], ...] = ()
    """The colours that a mask has on subjects; any but black when empty."""
    salient: bool = False
    """Where there is no plain background, take what stands out."""
    whole: bool = False
    """Where no subject is found, take the middle of the picture."""
    labels: Labels = field(default_factory=Labels)
    source: str = ""
    """What the corpus calls these photographs; the folder's name when empty."""
    author: str = ""
    licence: str = ""
    origins: Mapping[str, Origin] = field(default_factory=dict)
    """Path inside the folder → origin, where one is known; wins over `author`, `licence` and the manifest."""
    limit: int | None = None

    def __post_init__(self) -> None:
        if not 4 <= self.size <= 512:
            raise InputError("size", "be from 4 to 512", self.size)
        if not 1 <= self.colours <= 256:
            raise InputError("colours", "be from 1 to 256", self.colours)
        if not 0 <= self.lift <= 1:
            raise InputError("lift", "be from 0 to 1", self.lift)


def photos_from_folder(root: str | os.PathLike[str], options: PhotoOptions, intake: Intake) -> Iterator[Entry]:
    """The photographs of a folder and its subfolders, by name; one that fails is one refusal in `intake`.

    Where the folder has a manifest, its origins and factors are used.
    """
    folder = Path(root)
    if not folder.is_dir():
        raise FileError(f"folder {os.fspath(root)!r}", "exist", "nothing there", verbatim=True)
    options = with_manifest(folder, options)
    taken = 0
    for path in pictures_in(folder, intake):
        if options.limit is not None and taken >= options.limit:
            return
        try:
            entry = photo_entry(folder, path, options, intake)
        except (PixelreefError, MemoryError) as error:
            intake.refuse(path, error or "out of memory")
            continue
        if not entry.factors:
            intake.unlabelled.append(path)
        intake.count("taken")
        taken += 1
        yield entry


def photo_entry(root: Path, path: str, options: PhotoOptions, intake: Intake) -> Entry:
    """One photograph, at a path inside `root`, as an entry."""
    rgba = read_photo(inside(root, path), working_side(options.size))
    given = None
    if options.masks is not None:
        given = read_mask(mask_path(options.masks, path), rgba.shape[:2], options.mask_colours)
    cut = isolate(rgba, given, salient=options.salient, whole=options.whole)
    made = coloured(pixelise(rgba[..., :3], cut.mask, options.size, options.lift), options.palette, options.dither)
    cells, mended = despeckled(fewer_colours(made.cells, made.palette, options.colours), made.palette)
    intake.count(f"cut by {cut.how}")
    intake.count("orphan pixels mended", mended)
    return Entry(
        cells,
        made.palette,
        _origin(root, path, options),
        options.labels.factors_of(path),
        name=Path(path).stem,
        parameters=_parameters(cut, options),
    )


def with_manifest(folder: Path, options: PhotoOptions) -> PhotoOptions:
    """The options with what the folder's manifest knows, beneath what they say themselves."""
    rows = read_manifest(folder)
    if not rows:
        return options
    source = options.source or folder.resolve().name
    origins = {row.file: Origin(source, row.author, row.licence, row.address) for row in rows}
    table = {row.file: dict(row.factors) for row in rows if row.factors}
    for path, factors in options.labels.table.items():
        table[path] = {**table.get(path, {}), **factors}
    return replace(
        options, origins={**origins, **options.origins}, labels=replace(options.labels, table=table), source=source
    )


def pictures_in(root: Path, intake: Intake) -> Iterator[str]:
    """The paths of pictures inside `root`, `/` between folders, in order of name; other files are counted.

    A file is a picture by its name or by its first bytes. Folders that are links are not entered; a link to a file is
    taken only where it stays inside.
    """
    seen = 0
    for folder, names, files in os.walk(root, onerror=lambda error: intake.refuse(str(error.filename), error.strerror)):
        names[:] = sorted(name for name in names if not name.startswith("."))
        depth = len(Path(folder).relative_to(root).parts)
        if depth >= MAX_DEPTH and names:
            intake.refuse(Path(folder).relative_to(root).as_posix(), f"folders deeper than {MAX_DEPTH}")
            names[:] = []
        for name in sorted(files):
            seen += 1
            if seen > MAX_FILES:
                raise FileError(f"folder {str(root)!r}", f"hold at most {MAX_FILES:,} files", "more", verbatim=True)
            path = Path(folder, name).relative_to(root).as_posix()
            if not name.startswith(".") and _is_picture(root, path):
                yield path
            else:
                intake.count("other files")


def _is_picture(root: Path, path: str) -> bool:
    if path.lower().endswith(SUFFIXES):
        return True
    try:
        with inside(root, path).open("rb") as file:
            return looks_like_image(file.read(64))
    except (OSError, PixelreefError):
        return False


def _origin(root: Path, path: str, options: PhotoOptions) -> Origin:
    source = options.source or root.resolve().name
    if known := options.origins.get(path):
        return Origin(source, known.author or options.author, known.licence or options.licence, known.address or path)
    return Origin(source, options.author, options.licence, path)


def _parameters(cut: Cut, options: PhotoOptions) -> dict[str, object]:
    return {
        "cut": cut.how,
        "confidence": round(cut.confidence, 4),
        "area": round(float(cut.mask.mean()), 4),
        "lift": options.lift,
        "dither": options.dither,
    }
