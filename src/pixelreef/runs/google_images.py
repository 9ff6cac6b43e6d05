"""The Inspect provider `google-image/…`: Inspect's own Google provider, with what image models need beside it.

    google-image/gemini-3-pro-image-preview      aspect_ratio="1:1", image_size="1K" as options of the model

Two things differ (Inspect 0.3.285). Its provider can't say the proportions and the size of the picture; here they go
into the request. And it asks every model from 2.5 on for its thoughts, which gemini-2.5-flash-image is reported to
refuse ("Thinking is not enabled for this model", github.com/anomalyco/models.dev/issues/576); it is asked without.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

PROVIDER = "google-image"
OPTIONS = {"aspect_ratio": "aspectRatio", "image_size": "imageSize"}
"""Options of a model → their names in the request."""
_THOUGHTLESS = re.compile(r"gemini-2\.[05].*image")


def thinks(model: str) -> bool:
    """Whether a model can be asked for its thoughts.

    >>> thinks("gemini-3-pro-image-preview"), thinks("gemini-2.5-flash-image")
    (True, False)
    """
    return not _THOUGHTLESS.search(model)


@cache
def google_image_api() -> Any:
    """The provider's class, made on demand because its base class comes from Inspect."""
    from inspect_ai.model import GenerateConfig
    from inspect_ai.model._providers.google import GoogleGenAIAPI

    unset = GenerateConfig()

    class GoogleImageAPI(GoogleGenAIAPI):
        """Adds to the request, and takes away from it; all else is Inspect's."""

        def __init__(
            self,
            model_name: str,
            base_url: str | None = None,
            api_key: str | None = None,
            config: GenerateConfig = unset,
            **model_args: Any,
        ) -> None:
            wanted = {sent: model_args.pop(name) for name, sent in OPTIONS.items() if name in model_args}
            super().__init__(model_name, base_url, api_key, config, **model_args)
            self.extra_body = {"generationConfig": {"imageConfig": wanted}} if wanted else None

        def chat_thinking_config(self, config: GenerateConfig) -> Any:
            return super().chat_thinking_config(config) if thinks(self.model_name) else None

        def _http_options(self, config: GenerateConfig | None = None) -> Any:
            options = super()._http_options(config)
            options.extra_body = self.extra_body
            return options

    return GoogleImageAPI
