"""What is served: `/` a page, `/cells` with their verdicts, `/health`, `/card`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from pydantic import BaseModel, Field

from pixelreef import __version__
from pixelreef.sprites.card import card_from_weights
from pixelreef.sprites.serve.page import page
from pixelreef.sprites.serve.service import Service


class Cell(BaseModel):
    """One cell."""

    cell: str
    verdict: Annotated[str | None, Field(description="What taste says of its samples; null: not asked.")]
    learned: Annotated[bool | None, Field(description="Whether that is no fault.")]


class Cells(BaseModel):
    """What can be asked for."""

    width: int
    height: int
    factors: dict[str, list[str]]
    cells: Annotated[list[Cell], Field(description="At most 10,000.")]


class Health(BaseModel):
    """How it goes."""

    status: str
    version: str
    waiting: Annotated[int, Field(description="Sprites that wait.")]
    drawing: int
    drawn: int
    batches: Annotated[int, Field(description="In which they were drawn.")]


def routes(service: Service) -> APIRouter:
    """The routes of this module."""
    router = APIRouter()
    config, queue = service.sampler.config, service.queue
    card = card_from_weights(service.sampler.weights)
    told = Cells(
        width=config.width,
        height=config.height,
        factors={name: list(values) for name, values in config.factors.items()},
        cells=[Cell(cell=cell, **service.verdict(cell)) for cell in service.cells],
    ).model_dump_json()

    @router.get("/", response_class=HTMLResponse)
    async def start(request: Request) -> HTMLResponse:
        """This page: everything that can be asked for, and a few sprites of every cell."""
        policy = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'"
        return HTMLResponse(page(request.app.openapi(), service), headers={"content-security-policy": policy})

    @router.get("/cells", response_model=Cells)
    async def cells() -> Response:
        """The cells, and which of them the model did not learn."""
        return Response(told, media_type="application/json")

    @router.get("/health", response_model=Health)
    async def health() -> Health:
        """Whether it runs, and how much there is to do."""
        return Health(
            status="ok",
            version=__version__,
            waiting=queue.waiting,
            drawing=queue.drawing,
            drawn=queue.drawn,
            batches=queue.batches,
        )

    @router.get("/card", response_class=PlainTextResponse)
    async def card_of_the_model() -> Response:
        """The card of the model, as Markdown."""
        return PlainTextResponse(card)

    return router
