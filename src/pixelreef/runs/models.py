"""Model names, and the Inspect provider behind `local/…`.

    local/smollm2                     SmolLM2-135M-Instruct, fetched once (weights.py)
    local/PATH.gguf                   any GGUF file
    local/BASE.gguf+ADAPTER.gguf      with a LoRA adapter in GGUF form
    openai-edit/gpt-image-1           OpenAI's image-edit call (edits.py)
    google-image/gemini-…-image       Google's image models (google_images.py)
    openai/…  anthropic/…  google/…   and every other name: Inspect's own providers, passed on as they are

`register` makes the first three kinds providers that Inspect knows by name, so an entrant keeps the name it was asked
for by, in logs and on boards. The local provider hands each request to Inspect's own `openai-api` provider,
pointed at the loopback server of that model (server.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from pixelreef.errors import InputError
from pixelreef.extras import require
from pixelreef.runs.server import PREFIX, address_of

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig

# Providers that send a request's seed on to the model (Inspect 0.3.285). The others ignore it: nothing is recorded.
SEEDED = frozenset(
    {"local", "openai-api", "openrouter", "vllm", "sglang", "ollama", "llama-cpp-python", "together", "fireworks"}
    | {"perplexity", "groq", "grok", "mistral", "azureai", "sagemaker", "mockllm"}
)
LARGEST_SEED = 2**31 - 1  # llama.cpp takes 32 bits and means 'any' by the last one; some vendors take a signed 32-bit


def provider(name: str) -> str:
    """The part of a model's name that says who runs it.

    >>> provider("local/smollm2"), provider("openai-api/service/model")
    ('local', 'openai-api')
    """
    return name.partition("/")[0]


def is_local(name: str) -> bool:
    """Whether a model runs in a server process of ours."""
    return name.startswith(PREFIX)


def takes_seed(name: str) -> bool:
    """Whether the seed of a request reaches the model."""
    return provider(name) in SEEDED


def check_names(names: Sequence[str]) -> tuple[str, ...]:
    """Model names as given, each once and each with a provider.

    >>> check_names(["local/smollm2", "gpt-4o"])
    Traceback (most recent call last):
    pixelreef.errors.InputError: --model must be named provider/model, got 'gpt-4o'. For example openai/gpt-4o-mini \
or local/smollm2.
    """
    if not names:
        raise InputError("--model", "be given at least once", "none", verbatim=True)
    for name in names:
        before, slash, after = name.partition("/")
        if not (before and slash and after) or not name.isprintable():
            do = "For example openai/gpt-4o-mini or local/smollm2."
            raise InputError("--model", "be named provider/model", name, do)
    if len(set(names)) < len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise InputError("--model", "name each model once", twice)
    return tuple(names)


def constraint(
    schema: Mapping[str, Any], model: str, name: str = "reply", grammar: str | None = None
) -> dict[str, Any]:
    """Generation options that hold a model's reply to a JSON schema, where its provider can.

    A `grammar` (GBNF) says what a schema can't; a local model gets it instead of the schema.

    A local model gets the schema whole: llama.cpp's grammar honours `pattern`, `minItems` and the rest, so a finished
    reply is valid by construction. Others get what Inspect's own schema type can say, which has no `minItems` and no
    `maxItems`; vendors may honour less, and the reply must be read like any other.
    """
    if is_local(model) and grammar:
        return {"extra_body": {"grammar": grammar}}
    if is_local(model):
        shape = {"name": name, "schema": dict(schema), "strict": True}
        return {"extra_body": {"response_format": {"type": "json_schema", "json_schema": shape}}}
    require("bench", "inspect_ai")
    from inspect_ai.model import ResponseSchema
    from inspect_ai.util import JSONSchema

    return {"response_schema": ResponseSchema(name=name, json_schema=JSONSchema.model_validate(schema), strict=True)}


@cache
def register() -> None:
    """Make our own providers known to Inspect in this process; once is enough."""
    require("bench", "inspect_ai")
    from inspect_ai.model import ModelAPI, modelapi

    from pixelreef.runs import edits, google_images

    @modelapi(name="local")
    def local() -> type[ModelAPI]:
        return _local_api()  # type: ignore[no-any-return]

    @modelapi(name=edits.PROVIDER)
    def openai_edit() -> type[ModelAPI]:
        return edits.edit_api()  # type: ignore[no-any-return]

    @modelapi(name=google_images.PROVIDER)
    def google_image() -> type[ModelAPI]:
        return google_images.google_image_api()  # type: ignore[no-any-return]


@cache
def _local_api() -> Any:
    """The provider's class, made on demand because its base class comes from Inspect."""
    import anyio
    from inspect_ai.model import GenerateConfig, ModelAPI, get_model

    unset = GenerateConfig()

    class LocalAPI(ModelAPI):
        """One local model; requests go through Inspect's `openai-api` provider to the model's loopback server."""

        def __init__(
            self,
            model_name: str,
            base_url: str | None = None,
            api_key: str | None = None,
            config: GenerateConfig = unset,
        ) -> None:
            super().__init__(model_name=model_name, base_url=base_url, api_key=api_key, config=config)
            self._model: tuple[str, Any] = ("", None)

        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> Any:
            address = await anyio.to_thread.run_sync(address_of, f"{PREFIX}{self.model_name}")
            if self._model[0] != address:  # the first call, or the server had to be started again
                self._model = (address, _loopback_model(address))
            return await self._model[1].api.generate(input, tools, tool_choice, config)

        def should_retry(self, ex: Any) -> Any:
            return self._model[1].api.should_retry(ex) if self._model[1] else False

        def max_connections(self) -> int:
            return 1  # the server runs one request at a time

        def connection_key(self) -> str:
            return self.model_name

    def _loopback_model(address: str) -> Any:
        # The SDK must not retry by itself: Inspect does, and counts it.
        return get_model(
            "openai-api/pixelreef/local", base_url=f"{address}/v1", api_key="none", memoize=False, max_retries=0
        )

    return LocalAPI
