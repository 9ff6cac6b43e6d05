"""Our own providers of image models, alone: what they send, and what they make of what comes back."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest
from image_server import NO, image_server

from pixelreef.runs.models import register

pytestmark = [
    pytest.mark.inspect,
    pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning"),  # google-genai's
]

MASK = np.zeros((8, 8, 3), np.uint8)
PHOTOGRAPH = b"a photograph"


def asked(
    name: str, kind: str, path: str = "", config: dict[str, Any] | None = None, **options: Any
) -> tuple[Any, Any]:
    """The output of one call, and what the server was sent."""
    import anyio
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig, get_model

    register()
    uri = f"data:image/png;base64,{base64.b64encode(PHOTOGRAPH).decode()}"
    message = ChatMessageUser(content=[ContentImage(image=uri), ContentText(text="Paint.")])

    async def ask(address: str) -> Any:
        model = get_model(name, base_url=f"{address}{path}", api_key="none", memoize=False, **options)
        return await model.generate([message], config=GenerateConfig(max_retries=0, **(config or {})))

    with image_server({PHOTOGRAPH: (kind, MASK)}) as server:
        output = anyio.run(ask, server.address)
        ((_, fields),) = server.requests
    return output, fields


def pictures(output: Any) -> list[str]:
    return [part.image for part in output.message.content if part.type == "image"]


def test_an_edit_sends_prompt_pictures_and_known_options() -> None:
    from inspect_ai.model import ImageOutput

    options = {"quality": "high", "input_fidelity": "high", "aspect_ratio": "1:1"}
    config = {"modalities": [ImageOutput(options={"openai": options})], "max_tokens": 100}
    output, fields = asked("openai-edit/gpt-image-1", "right", "/v1", config)
    assert fields == {
        "model": "gpt-image-1",
        "prompt": "Paint.",
        "quality": "high",
        "input_fidelity": "high",
        "pictures": [PHOTOGRAPH],
    }
    (picture,) = pictures(output)
    assert picture.startswith("data:image/png;base64,iVBOR")
    assert (output.usage.input_tokens, output.usage.output_tokens) == (600, 1000)
    assert output.stop_reason == "stop"


def test_an_edit_that_is_refused_is_a_reply() -> None:
    output, _ = asked("openai-edit/gpt-image-1", "refused", "/v1")
    assert (output.stop_reason, output.completion) == ("content_filter", NO)


def test_an_address_is_kept_and_never_fetched() -> None:
    output, _ = asked("openai-edit/gpt-image-1", "address", "/v1")
    assert pictures(output) == ["data:text/uri-list,https%3A//example.org/mask.png"]


@pytest.mark.parametrize(
    ("model", "thinking"),
    [("gemini-3-pro-image-preview", {"include_thoughts": True}), ("gemini-2.5-flash-image", None)],
)
def test_google_is_asked_for_thoughts_only_where_there_are_any(model: str, thinking: Any) -> None:
    config = {"modalities": ["image"], "temperature": 0.5}
    output, fields = asked(f"google-image/{model}", "right", config=config, aspect_ratio="1:1")
    assert fields["config"].get("thinkingConfig") == thinking
    assert fields["config"]["imageConfig"] == {"aspectRatio": "1:1"}
    assert (fields["config"]["temperature"], fields["config"]["responseModalities"]) == (0.5, ["TEXT", "IMAGE"])
    assert len(pictures(output)) == 2  # a draft among the thoughts, and the answer


def test_a_google_model_without_options_is_sent_none() -> None:
    _, fields = asked("google-image/gemini-3-pro-image-preview", "words", config={"modalities": ["image"]})
    assert "imageConfig" not in fields["config"]


def test_signatures_of_redacted_thoughts_are_no_reasoning() -> None:
    from inspect_ai.model import ContentReasoning, ModelOutput

    from pixelreef.runs.logs import _reasoning

    output = ModelOutput.from_content("m", "x")
    output.choices[0].message.content = [
        ContentReasoning(reasoning="c2lnbmF0dXJl", redacted=True),
        ContentReasoning(reasoning="c2lnbmF0dXJl", summary="In short.", redacted=True),
        ContentReasoning(reasoning="At length."),
    ]
    assert _reasoning(output) == "In short.\nAt length."


def test_an_edit_waits_for_its_connection_while_the_run_is_busy() -> None:
    from pixelreef.runs.edits import CONNECT, edit_api

    client = edit_api()("gpt-image-1", api_key="none").client
    assert client.timeout.connect == CONNECT > 30  # Inspect can hold its loop for many seconds; the SDK gives up at 5
