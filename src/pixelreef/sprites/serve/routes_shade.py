"""`POST /shade`: a sprite document, lit inside its palette."""

from __future__ import annotations

import json
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from pixelreef.core.document import DocumentFields, fields_from_sprite, schema, sprite_from_fields
from pixelreef.sprites.serve.answers import MEDIA, check_size, kind_wanted, png_from_grids
from pixelreef.sprites.serve.questions import Form, body_of, fields_from_body
from pixelreef.sprites.serve.service import Service
from pixelreef.sprites.shade.light import Light
from pixelreef.sprites.shade.write import shaded, without_light

Amount = Annotated[float, Field(ge=0, le=1)]
_KINDS = ("png", "json")
_LIGHT = Light()


class LightFields(BaseModel):
    """Where the light stands, and how much of each kind there is."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    azimuth: float = Field(default=_LIGHT.azimuth, ge=-3600, le=3600, description="Degrees: 0 on the right, 90 above.")
    elevation: float = Field(default=_LIGHT.elevation, ge=0, le=90, description="Degrees: 90 at the viewer's eye.")
    light: Amount = _LIGHT.light
    shadow: Amount = _LIGHT.shadow
    occlusion: Amount = _LIGHT.occlusion
    edges: Amount = _LIGHT.edges
    rim: Amount = _LIGHT.rim


class Wanted(BaseModel):
    """The body of a question."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    sprite: DocumentFields
    light: LightFields = LightFields()
    flatten: float = Field(0.0, ge=0, le=1, description="Take out so much of the light it is drawn with first.")


ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A picture, frames side by side, eight in a row; or a sprite document.",
        "content": {
            MEDIA["png"]: {"schema": {"type": "string", "format": "binary"}},
            MEDIA["json"]: {"schema": {"type": "object", "required": schema()["required"]}},
        },
    }
}


def routes(service: Service) -> APIRouter:
    """The route of this module."""
    router = APIRouter()

    @router.post("/shade", response_class=Response, responses=ANSWERS, openapi_extra=body_of(Wanted))
    async def shade(form: Annotated[Form, Query()], request: Request) -> Response:
        """Light a sprite inside its palette: colours only move along its ramps, and the silhouette stays."""
        kind = kind_wanted(form.format, request.headers.get("accept", ""), _KINDS)
        body = await request.body()
        answer = await service.queue.aside(lambda: _answer(body, kind, form.scale))
        return Response(answer, media_type=MEDIA[kind])

    return router


def _answer(body: bytes, kind: str, scale: int) -> bytes:
    wanted, raw = fields_from_body(body, Wanted)
    sprite = sprite_from_fields(raw["sprite"], "sprite")
    if kind == "png":
        check_size(len(sprite.frames), sprite.grid.height, sprite.grid.width, scale)
    made = shaded(without_light(sprite, wanted.flatten), Light(**wanted.light.model_dump()))
    if kind == "json":
        return json.dumps(fields_from_sprite(made), allow_nan=False).encode()
    grids = np.stack([frame.grid.cells for frame in made.frames])
    return png_from_grids(grids, made.palette, made.palette.transparent or 0, scale)
