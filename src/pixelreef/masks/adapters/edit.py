"""`edit`: models behind an image-edit call, such as OpenAI's gpt-image family.

The pictures are those of `chat`; they go to the call as its input images, the text as its prompt. Inspect has no such
call, so `runs.edits` makes one a provider: `openai/gpt-image-1` is asked as `openai-edit/gpt-image-1`.
"""

from pixelreef.masks.adapter import Adapter, as_it_came, photograph_and_palette, two_pictures
from pixelreef.runs.edits import PROVIDER


def _called(model: str) -> str:
    provider, _, name = model.partition("/")
    return f"{PROVIDER}/{name}" if provider == "openai" else model


ADAPTER = Adapter(
    name="edit",
    about="Photograph and palette picture as the input images of an image-edit call, the text as its prompt.",
    lead=two_pictures,
    pictures=photograph_and_palette,
    mask=as_it_came,
    models=rf"^(openai/(gpt-image|chatgpt-image)|{PROVIDER}/)",
    called=_called,
)
