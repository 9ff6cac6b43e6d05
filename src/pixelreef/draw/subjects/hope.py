"""Hope, as a seedling that holds up a spark in a shaft of light. Nothing exact can be tested of it."""

from __future__ import annotations

from pixelreef.draw.subject import Subject, drawing_from_rows

REFERENCE = drawing_from_rows(
    [
        "1a2044",  # night
        "2c3866",  # dim light
        "48598f",  # light
        "f9edb0",  # spark
        "7ccf4f",  # leaf
        "3a8a44",  # leaf shade
        "6a4630",  # soil
        "40281f",  # dark soil
        "8f6540",  # pale soil
        "d3f08a",  # leaf glow
    ],
    [
        "000000000122221000000000",
        "000000000122221000000000",
        "000000000122221000000000",
        "000000000122221000000000",
        "000000001122221100000000",
        "000000001122221100000000",
        "000000001122221100000000",
        "000000011223322110000000",
        "000000011233332110000000",
        "000444011233332110444000",
        "004994444123321444499400",
        "004499944412214449994400",
        "000449994442244499944000",
        "000054499444444994450000",
        "000005544494494445500000",
        "000001155545545551100000",
        "000001122255552221100000",
        "000011122225522221110000",
        "000011122225522221110000",
        "000078888888888888870000",
        "007788666666666666887700",
        "777666666766667666666777",
        "766676666666666666676667",
        "666666667666666766666666",
    ],
)

SUBJECT = Subject(
    id="hope",
    text="hope",
    category="abstract",
    reference=REFERENCE,
    check=None,
    unchecked="hope has no shape of its own: any scene may stand for it",
)
