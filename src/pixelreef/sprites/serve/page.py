"""The page at `/`: what can be asked for, from the OpenAPI document, and sprites of every cell; all of it from here."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from pixelreef.report.html import Html, attribute, joined, text
from pixelreef.sprites.serve.service import Service

_SHOWN = 60  # cells with pictures
_EACH = 4  # sprites of each
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem;
  background: #0b1220; color: #dbe7f0 }
h1, h2 { font-weight: 600 } a, code { color: #8fd3ff }
.cells { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: 1rem }
figure { margin: 0 } figcaption { font-size: .85rem } figcaption i { color: #ffb38a; font-style: normal }
img { image-rendering: pixelated; width: 12rem; height: 3rem; background: #131f35; display: block; object-fit: contain;
  object-position: left }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; vertical-align: top; border-bottom: 1px solid #22324d }
"""


def page(openapi: dict[str, Any], service: Service) -> Html:
    """The whole page."""
    cells = joined([_cell(cell, service) for cell in service.cells[:_SHOWN]])
    more = len(service.cells) - _SHOWN
    left = Html(f"<p>{text(f'{more:,} more cells are listed at /cells.')}</p>" if more > 0 else "")
    routes = joined(
        [_route(path, method, about) for path, methods in openapi["paths"].items() for method, about in methods.items()]
    )
    return Html(
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Pixelreef: sprites</title><style>{_STYLE}</style><h1>Sprites</h1>"
        '<p>What can be asked for, also as <a href="/openapi.json">OpenAPI</a>; '
        '<a href="/card">the card of the model</a>. The same seed and number give the same sprite.</p>'
        f'<div class="cells">{cells}</div>{left}{routes}</html>'
    )


def _cell(cell: str, service: Service) -> Html:
    address = f"/sample?{urlencode({'cell': cell, 'n': _EACH})}"
    word = service.sampler.failing(cell)
    said = f" <i>{text(word)}</i>" if word else ""
    return Html(
        f'<figure><a href="{attribute(address)}"><img loading="lazy" alt="" src="{attribute(address)}"></a>'
        f"<figcaption>{text(cell)}{said}</figcaption></figure>"
    )


def _route(path: str, method: str, about: dict[str, Any]) -> Html:
    rows = joined([_parameter(one) for one in about.get("parameters", [])])
    table = f"<table><tr><th>name<th>must be<th>unless given<th></tr>{rows}</table>" if rows else ""
    heading, body = text(f"{method.upper()} {path}"), " The body is JSON." if "requestBody" in about else ""
    return Html(
        f"<h2><code>{heading}</code></h2><p>{text(about.get('description', '').replace('`', '') + body)}</p>{table}"
    )


def _parameter(one: dict[str, Any]) -> Html:
    schema = one["schema"]
    rule = schema.get("type", "")
    if "enum" in schema and len(schema["enum"]) < 8:
        rule = " or ".join(map(str, schema["enum"]))
    elif "minimum" in schema:
        rule = f"{rule} from {schema['minimum']} to {schema['maximum']}"
    cells = (one["name"], rule, str(schema.get("default", "needed")), one.get("description", "").replace("`", ""))
    return Html("<tr>" + "".join(f"<td>{text(cell)}" for cell in cells) + "</tr>")
