"""`POST /breed`: children of two sprite documents, as `pixelreef sprites breed` makes them.

What children have from whom is found aside; then they wait, and are drawn, with everything else.
"""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import ConfigDict, Field

from pixelreef.core.document import MAX_SIDE, DocumentFields, fields_from_sprite, sprite_from_fields
from pixelreef.core.seeds import MAX_SEED
from pixelreef.sprites.breed.cross import Breeder, Cross
from pixelreef.sprites.breed.inherit import Kind, map_from_rows
from pixelreef.sprites.engine import Grids
from pixelreef.sprites.parts.labeller import labeller_from
from pixelreef.sprites.serve.answers import MEDIA, check_size, kind_wanted, png_from_grids
from pixelreef.sprites.serve.limits import Refused
from pixelreef.sprites.serve.questions import Chosen, Form, body_of, fields_from_body
from pixelreef.sprites.serve.queue import Job
from pixelreef.sprites.serve.service import Service

MAX_CHILDREN = 16  # of a request

Row = Annotated[str, Field(min_length=1, max_length=MAX_SIDE, pattern=r"^[AB*]+$")]


class Wanted(Chosen):
    """The body of a question."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    a: DocumentFields
    b: DocumentFields
    by: Kind = Field(Kind.halves, strict=False, description="What a child has from whom.")
    mask: list[Row] | None = Field(
        None,
        min_length=1,
        max_length=MAX_SIDE,
        description="By mask: rows of A, B, and * for what is to be drawn, as `inheritance` in a child's lineage.",
    )
    mutate: float = Field(0.0, ge=0, le=1, description="This share of what is inherited is drawn anew.")
    cell: str | None = Field(
        None, max_length=200, description="What children are to be; else as the parent that gives more."
    )
    align: bool = Field(True, description="Whether b is moved over a, and turned.")
    new_colours: bool = Field(False, description="Whether what is drawn may have colours that no parent has.")
    seed: int = Field(0, ge=0, le=MAX_SEED, description="Decides all randomness.")
    n: int = Field(1, ge=1, le=MAX_CHILDREN, description="So many children: on one sheet, or as documents.")

    @property
    def cross(self) -> Cross:
        """As a breeder takes it."""
        if self.mask is not None and self.by != Kind.mask:
            raise Refused(422, f"mask must be given by mask alone, got it by {self.by}.")
        mask = None if self.mask is None else map_from_rows(self.mask)
        return Cross(self.by, self.mutate, self.cell, self.align, self.sampling, mask, self.new_colours)


ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A picture of the children, eight in a row, or their sprite documents.",
        "content": {
            MEDIA["png"]: {"schema": {"type": "string", "format": "binary"}},
            MEDIA["json"]: {
                "schema": {
                    "type": "object",
                    "required": ["sprites"],
                    "properties": {"sprites": {"type": "array", "items": {"type": "object"}}},
                }
            },
        },
    }
}


def routes(service: Service) -> APIRouter:
    """The route of this module."""
    router = APIRouter()
    breeder = Breeder(service.sampler, labeller_from(None))

    @router.post("/breed", response_class=Response, responses=ANSWERS, openapi_extra=body_of(Wanted))
    async def breed(form: Annotated[Form, Query()], request: Request) -> Response:
        """Breed two sprites: a child takes some pixels of each, and the model draws the seam between them."""
        kind = kind_wanted(form.format, request.headers.get("accept", ""), service.kinds)
        body = await request.body()
        job = await service.queue.aside(lambda: job_from(body, kind, form.scale, breeder))
        return Response(await service.queue.answered(job), media_type=MEDIA[kind])

    return router


def job_from(body: bytes, kind: str, scale: int, breeder: Breeder) -> Job:
    """What is to be drawn, and how it is handed out."""
    asked, raw = fields_from_body(body, Wanted)
    sampler, palette = breeder.sampler, breeder.sampler.weights.palette
    if kind == "png":
        check_size(asked.n, sampler.config.height, sampler.config.width, scale)
    a, b = (sprite_from_fields(raw[name], name) for name in ("a", "b"))
    children = breeder.planned(a, b, asked.cross, asked.n, asked.seed)

    def answer(grids: Grids) -> bytes:
        if kind == "png":
            return png_from_grids(grids, palette, sampler.config.ground, scale)
        sprites = [one.sprite(cells, palette) for one, cells in zip(children, grids, strict=True)]
        return json.dumps({"sprites": [fields_from_sprite(one) for one in sprites]}, allow_nan=False).encode()

    return Job(
        asked.n,
        lambda some: sampler.task([children[place].wanted for place in some], asked.seed),
        asked.sampling,
        answer,
    )
