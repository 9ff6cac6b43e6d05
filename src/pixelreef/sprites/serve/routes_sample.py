"""`GET /sample`: sprites of a cell, by seed and number."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from pixelreef.core.seeds import MAX_SEED
from pixelreef.sprites.engine import Grids
from pixelreef.sprites.sample import Wanted
from pixelreef.sprites.serve.answers import MEDIA, check_size, documents_from_grids, kind_wanted, png_from_grids
from pixelreef.sprites.serve.limits import MAX_SPRITES
from pixelreef.sprites.serve.questions import Chosen, Form
from pixelreef.sprites.serve.queue import Job
from pixelreef.sprites.serve.service import Service
from pixelreef.sprites.write import Order

NOT_LEARNED = "pixelreef-not-learned"  # a header with the verdict
MAX_NUMBER = 2**31 - 1


class Which(BaseModel):
    """Which sprites."""

    cell: str = Field(min_length=1, max_length=200, description="A cell of the model, as `/cells` lists them.")
    seed: int = Field(0, ge=0, le=MAX_SEED, description="Decides all randomness.")
    number: int = Field(0, ge=0, le=MAX_NUMBER, description="Which sprite of the seed and cell; with n, the first.")
    n: int = Field(
        1, ge=1, le=MAX_SPRITES, description="So many sprites: on one sheet, eight in a row, or as documents."
    )


class Asked(Form, Chosen, Which):
    """The question; the fields of the last class come first."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A picture, or sprite documents.",
        "content": {
            MEDIA["png"]: {"schema": {"type": "string", "format": "binary"}},
            MEDIA["json"]: {
                "schema": {
                    "type": "object",
                    "required": ["cell", "verdict", "learned", "sprites"],
                    "properties": {
                        "cell": {"type": "string"},
                        "verdict": {"type": ["string", "null"]},
                        "learned": {"type": ["boolean", "null"]},
                        "sprites": {"type": "array", "items": {"type": "object"}},
                    },
                }
            },
        },
        "headers": {
            NOT_LEARNED: {
                "description": "What taste says of the cell, where that is a fault.",
                "schema": {"type": "string"},
                "required": False,
            }
        },
    }
}


def routes(service: Service) -> APIRouter:
    """The route of this module."""
    router = APIRouter()

    @router.get("/sample", response_class=Response, responses=ANSWERS)
    async def sample(asked: Annotated[Asked, Query()], request: Request) -> Response:
        """Draw sprites of a cell. Sprite `number` of a seed and cell is the same whoever asks, and beside whatever."""
        kind = kind_wanted(asked.format, request.headers.get("accept", ""), service.kinds)
        job = job_from(asked, kind, service)
        headers = {}
        if (word := service.sampler.failing(asked.cell)) is not None:
            headers[NOT_LEARNED] = ascii(word)[1:-1]
        return Response(await service.queue.answered(job), media_type=MEDIA[kind], headers=headers)

    return router


def job_from(asked: Asked, kind: str, service: Service) -> Job:
    """What is to be drawn, and how it is handed out."""
    sampler = service.sampler
    factors, config = service.factors(asked.cell), sampler.config
    check_size(asked.n, config.height, config.width, asked.scale)
    order = Order(sampler.weights, asked.seed, asked.sampling, asked.scale)

    def answer(grids: Grids) -> bytes:
        if kind == "png":
            return png_from_grids(grids, order.weights.palette, config.ground, order.scale)
        return documents_from_grids(grids, order, asked.cell, asked.number, service.verdict(asked.cell))

    return Job(
        asked.n,
        lambda some: sampler.task([Wanted(factors, asked.number + place) for place in some], asked.seed),
        order.sampling,
        answer,
    )
