"""`chat`: models that talk and return pictures, such as Gemini's image models and OpenAI's through their image tool.

They are shown the photograph, then the palette picture, then the text, and asked for pictures through Inspect's
`modalities`. Google's are asked through `runs.google_images`: `google/x` as `google-image/x`. Where a reply
holds several pictures (drafts among the thoughts), the last one is the mask.
"""

from pixelreef.masks.adapter import Adapter, as_it_came, photograph_and_palette, two_pictures
from pixelreef.runs.google_images import PROVIDER


def _called(model: str) -> str:
    provider, _, name = model.partition("/")
    return f"{PROVIDER}/{name}" if provider == "google" else model


ADAPTER = Adapter(
    name="chat",
    about="Photograph, palette picture and text in one message; a picture among the reply.",
    lead=two_pictures,
    pictures=photograph_and_palette,
    mask=as_it_came,
    called=_called,
)
