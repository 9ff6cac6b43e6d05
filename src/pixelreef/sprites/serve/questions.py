"""What questions have in common: how sprites are chosen, how the answer is wanted, and how a body is read."""

from __future__ import annotations

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pixelreef.core.document import described
from pixelreef.core.strict_json import json_from_bytes
from pixelreef.sprites.choose import Sampling

Fields = TypeVar("Fields", bound=BaseModel)
_USUAL = Sampling()


class Chosen(BaseModel):
    """How the model chooses."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    temperature: float = Field(1.0, ge=0, le=10, description="Below 1 calmer, above 1 wilder; 0 takes the likeliest.")
    guidance: float = Field(_USUAL.guidance, ge=0, le=20, description="Above 1: more like its cell, and less varied.")
    top_k: int = Field(0, ge=0, le=256, description="Only so many of the likeliest colours; 0: all.")
    min_p: float = Field(
        0.0, ge=0, le=1, description="Only colours with this share of the likeliest one's probability."
    )
    certainty: float = Field(0.0, ge=0, le=1, description="Cooler where the choice is wide open.")
    steadiness: float = Field(_USUAL.steadiness, ge=0, le=1, description="How much cooler shapes are drawn.")

    @property
    def sampling(self) -> Sampling:
        """As the engine takes it."""
        return Sampling(self.temperature, self.top_k, self.min_p, self.guidance, self.certainty, self.steadiness)


class Form(BaseModel):
    """How the answer is wanted."""

    model_config = ConfigDict(extra="forbid")

    scale: int = Field(1, ge=1, le=32, description="Pixels of a PNG for each of a sprite.")
    format: Literal["auto", "png", "json"] = Field("auto", description="auto: as the Accept header says.")


def body_of(model: type[BaseModel]) -> dict[str, Any]:
    """The place of an OpenAPI document that describes a body, for routes that read it themselves, aside."""
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def fields_from_body(body: bytes, model: type[Fields]) -> tuple[Fields, dict[str, Any]]:
    """A body, checked; and as it came, for the sprite documents in it."""
    raw = json_from_bytes(body, "the body")
    try:
        return model.model_validate(raw), raw
    except ValidationError as error:
        raise described(error, "the body") from None
