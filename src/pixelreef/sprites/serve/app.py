"""The application: its routes, and how it says no. One line for each module of routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from pixelreef import __version__
from pixelreef.errors import InputError, shown
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.serve import routes_about, routes_breed, routes_sample, routes_shade
from pixelreef.sprites.serve.limits import Refused, fault
from pixelreef.sprites.serve.queue import Full, Queue
from pixelreef.sprites.serve.service import Service

ROUTES = (routes_about.routes, routes_sample.routes, routes_shade.routes, routes_breed.routes)
_LISTED = 1000  # cells in the OpenAPI document


class Fault(BaseModel):
    """Why a request was refused, in one sentence."""

    error: str


def app_from_sampler(sampler: Sampler, origins: Sequence[str] = (), queue: Queue | None = None) -> FastAPI:
    """Everything that can be asked of a model. `origins`: sites whose pages may ask too."""
    service = Service(sampler, queue or Queue(sampler.engine))

    @asynccontextmanager
    async def open_queue(_: FastAPI) -> AsyncIterator[None]:
        service.queue.open()
        try:
            yield
        finally:
            service.queue.close()

    refusals: dict[int | str, dict[str, Any]] = {
        status: {"model": Fault} for status in (400, 404, 405, 406, 408, 413, 414, 421, 422, 431, 503)
    }
    app = FastAPI(
        title="Pixelreef sprites",
        version=__version__,
        lifespan=open_queue,
        docs_url=None,  # its page loads scripts from elsewhere; ours is at /
        redoc_url=None,
        responses=refusals,
        dependencies=[Depends(_once)],
    )
    for routes in ROUTES:
        app.include_router(routes(service))
    _say_no(app)
    _complete(app.openapi(), service)
    if origins:
        app.add_middleware(CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"])
    return app


async def _once(request: Request) -> None:
    """No name stands twice in an address: which of the two would count?"""
    names = [name for name, _ in request.query_params.multi_items()]
    for name in names:
        if names.count(name) > 1:
            raise Refused(422, f"{shown(name)[1:-1]} must be given once, got it again.")


def _say_no(app: FastAPI) -> None:
    """Every refusal as one sentence."""

    @app.exception_handler(Refused)
    async def refused(_: Request, error: Refused) -> Response:
        return _fault(error.status, error.sentence, error.headers)

    @app.exception_handler(Full)
    async def full(_: Request, error: Full) -> Response:
        return _fault(503, str(error), {"retry-after": str(error.seconds)})

    @app.exception_handler(InputError)
    async def wrong(_: Request, error: InputError) -> Response:
        return _fault(422, str(error).removeprefix("--"))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        return _fault(422, sentence_from(error.errors()[0]))

    @app.exception_handler(HTTPException)
    async def unknown(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404:
            return _fault(404, f"the path must be one that / lists, got {shown(request.url.path)}.")
        return _fault(error.status_code, f"{request.method} is not for this path.", error.headers)


def sentence_from(found: dict[str, Any]) -> str:
    """The first fault that pydantic found, as one line.

    >>> sentence_from({"type": "missing", "loc": ("query", "cell"), "msg": "Field required"})
    'cell must be given, got nothing.'
    """
    name = ".".join(str(part) for part in found["loc"][1:]) or "the body"
    name = name if name.isascii() and name.isprintable() and len(name) < 40 else shown(name)
    if found["type"] == "missing":
        return f"{name} must be given, got nothing."
    if found["type"] == "extra_forbidden":
        return f"{name} must not be asked for, got {shown(found['input'])}."
    rule = found["msg"].removeprefix("Input should ").removeprefix("be ").removeprefix("String should ")
    return f"{name} must {'be ' if not rule.startswith('have') else ''}{rule}, got {shown(found.get('input'))}."


def _fault(status: int, sentence: str, headers: Any = None) -> Response:
    return Response(fault(sentence), status, headers, "application/json")


def _complete(document: dict[str, Any], service: Service) -> None:
    """What FastAPI does not know: the cells of this model, and where bodies that it does not read are described."""
    for methods in document["paths"].values():
        for about in methods.values():
            for one in about.get("parameters", []):
                if one["name"] == "cell" and len(service.cells) <= _LISTED:
                    one["schema"]["enum"] = service.cells
            for one in about.get("requestBody", {}).get("content", {}).values():
                document["components"]["schemas"].update(one["schema"].pop("$defs", {}))
