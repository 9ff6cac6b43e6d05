"""The Inspect provider `openai-edit/…`: models behind OpenAI's image-edit call, which Inspect itself does not make.

    openai-edit/gpt-image-1

The pictures of a request are its input images, its text is the prompt; the picture that comes back is a data URI in the
reply, like those of Inspect's own providers. Options of the call (`size`, `quality`, `input_fidelity`, …) are those in
`GenerateConfig(modalities=[ImageOutput(options={"openai": …})])`. A service that speaks the same call is reached by
`base_url`. What the service refuses to make is a reply with the stop reason `content_filter`. A picture that is only
named by an address is never fetched: the reply then holds the address.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import quote

PROVIDER = "openai-edit"
OPTIONS = ("size", "quality", "input_fidelity", "background", "output_format", "output_compression", "moderation")
ADDRESS = "data:text/uri-list,"  # a data URI that holds an address, not a picture
ANSWER, CONNECT = 600, 60  # seconds; Inspect can be busy for longer than the SDK's five of connecting
_REFUSALS = ("moderation_blocked", "content_policy_violation")


def options_of(config: Any) -> dict[str, Any]:
    """The options of the call that a `GenerateConfig` names; unknown ones are left out."""
    named: dict[str, Any] = {}
    for modality in config.modalities or ():
        named |= (getattr(modality, "options", None) or {}).get("openai", {})
    return {name: named[name] for name in OPTIONS if name in named}


@cache
def edit_api() -> Any:
    """The provider's class, made on demand because its base class comes from Inspect."""
    from inspect_ai.model import GenerateConfig, ModelAPI, ModelCall

    unset = GenerateConfig()

    class EditAPI(ModelAPI):
        """One model; the SDK must not retry by itself: Inspect does, and counts it."""

        def __init__(
            self,
            model_name: str,
            base_url: str | None = None,
            api_key: str | None = None,
            config: GenerateConfig = unset,
            **model_args: Any,
        ) -> None:
            from openai import AsyncOpenAI, Timeout

            super().__init__(model_name, base_url, api_key, ["OPENAI_API_KEY"], config)
            settings = {"max_retries": 0, "timeout": Timeout(ANSWER, connect=CONNECT), **model_args}
            self.client = AsyncOpenAI(api_key=self.api_key, base_url=base_url, **settings)

        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: GenerateConfig) -> Any:
            from openai import BadRequestError

            prompt, pictures = _request(input)
            options = options_of(config)
            request = {"model": self.model_name, "prompt": prompt, "images": len(pictures), **options}
            call = ModelCall.create(request=request, response=None)
            try:
                response = await self.client.images.edit(
                    model=self.model_name, prompt=prompt, image=pictures, **options
                )
            except BadRequestError as error:
                if error.code in _REFUSALS:
                    return _output(self.model_name, [], _words(error), "content_filter", None), call
                raise
            uris = [uri for one in response.data or () if (uri := _uri(one, response.output_format))]
            return _output(self.model_name, uris, "", "stop", response.usage), call

        def should_retry(self, ex: Any) -> bool:
            from openai import APIConnectionError, APIStatusError

            if isinstance(ex, APIStatusError):
                return ex.status_code in (408, 409, 429) or ex.status_code >= 500
            return isinstance(ex, APIConnectionError)

        def connection_key(self) -> str:
            return f"{PROVIDER}/{self.model_name}"

        async def aclose(self) -> None:
            await self.client.close()

    return EditAPI


def _request(messages: Any) -> tuple[str, list[tuple[str, bytes, str]]]:
    """The prompt, and the input images as files."""
    from pixelreef.runs.replies import bytes_from_data_uri

    texts: list[str] = []
    pictures: list[tuple[str, bytes, str]] = []
    for message in messages:
        texts.append(str(message.text))
        for part in () if isinstance(message.content, str) else message.content:
            if part.type == "image":
                number = len(pictures) + 1
                pictures.append((f"picture-{number}.png", bytes_from_data_uri(part.image), "image/png"))
    return "\n\n".join(text for text in texts if text), pictures


def _words(error: Any) -> str:
    """What the service said; the SDK's own message has its representation around it."""
    body = error.body if isinstance(error.body, dict) else {}
    return str(body.get("message") or error.message)


def _uri(image: Any, container: str | None) -> str | None:
    if image.b64_json:
        return f"data:image/{container or 'png'};base64,{image.b64_json}"
    return ADDRESS + quote(image.url[:2000]) if image.url else None


def _output(model: str, uris: list[str], text: str, stop: Any, usage: Any) -> Any:
    from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput, ModelUsage
    from inspect_ai.model import ContentImage as Image
    from inspect_ai.model import ContentText as Text

    content: list[Any] = [*([Text(text=text)] if text else []), *(Image(image=uri) for uri in uris)]
    message = ChatMessageAssistant(content=content or "", model=model, source="generate")
    used = usage and ModelUsage(
        input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, total_tokens=usage.total_tokens
    )
    return ModelOutput(
        model=model, choices=[ChatCompletionChoice(message=message, stop_reason=stop)], usage=used or None
    )
