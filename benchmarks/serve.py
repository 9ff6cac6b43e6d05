"""`pixelreef sprites serve` under load, against the engine alone in the same run.

    python benchmarks/serve.py [WEIGHTS] [--clients N] [--seconds S]

Clients in a process of their own ask for one sprite after the other over connections that stay open. The engine draws
a batch of 64 in a thread for each core, before and after, in this process, while the server waits. One JSON line:

    requests, errors         answers within the time, and those that were not a picture
    per_second, engine       sprites a second of the server and of the engine, and their `ratio`
    processor_ratio          the same of processor time, without that of the clients: holds on a busy machine
    latency_ms               percentiles over all requests
    batch                    sprites in a batch, on average
    same                     the share of the first 200 answers that are the bytes that `sprites sample` writes
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from pixelreef.core.grid import Grid
from pixelreef.core.render import png_from_grid
from pixelreef.errors import FileError
from pixelreef.sprites.choose import uniforms
from pixelreef.sprites.engine import CHUNK, Engine, Task, cores
from pixelreef.sprites.sample import Sampler
from pixelreef.sprites.weights import Weights, weights_from, write_weights

BATCH = CHUNK * cores()
COMPARED = 200


def the_weights(path: Path | None) -> Weights:
    try:
        return weights_from(path)
    except FileError:
        if path is not None:
            raise
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from sprite_models import perturbed, weights

    from pixelreef.corpus.cells import REEF_FACTORS
    from pixelreef.sprites.config import Config

    return weights(perturbed(Config(factors=REEF_FACTORS), scale=0.05))


async def client(
    port: int, cells: list[str], number: int, clients: int, until: float, kept: dict[int, str]
) -> list[tuple[float, bool]]:
    """Ask, wait for the answer, ask again; seconds, and whether it was a picture. Hashes of the first are kept."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    found: list[tuple[float, bool]] = []
    while time.monotonic() < until:
        place = number + clients * len(found)
        path = f"/sample?cell={cells[place % len(cells)]}&number={place}"
        began = time.monotonic()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]))
        if place < COMPARED:
            kept[place] = hashlib.sha256(body).hexdigest()
        found.append((time.monotonic() - began, b" 200 " in head[:20] and body.startswith(b"\x89PNG")))
    writer.close()
    return found


async def load(port: int, cells: list[str], clients: int, seconds: float) -> dict[str, Any]:
    began, kept = time.monotonic(), dict[int, str]()
    asked = [client(port, cells, number, clients, began + seconds, kept) for number in range(clients)]
    done = await asyncio.gather(*asked, return_exceptions=True)
    took = time.monotonic() - began
    answers = [one for some in done if not isinstance(some, BaseException) for one in some]
    broken = [repr(some) for some in done if isinstance(some, BaseException)]
    times = np.array([taken for taken, _ in answers]) * 1000
    return {
        "requests": len(answers),
        "errors": sum(not good for _, good in answers) + len(broken),
        "broken": broken[:3],
        "kept": kept,
        "per_second": len(answers) / took,
        "latency_ms": {f"p{share}": round(float(np.percentile(times, share))) for share in (50, 90, 95, 99, 100)},
    }


def engine_rates(kept: Weights, seconds: float = 10.0) -> tuple[float, float]:
    """Sprites a second by the clock and of processor time, of the cells in turn, as the server is asked for."""
    engine, config = Engine(kept.config, kept.arrays), kept.config
    sizes = [len(values) for values in config.factors.values()]
    factors = np.stack(np.unravel_index(np.arange(BATCH) % int(np.prod(sizes)), sizes), axis=1) if sizes else None
    places = np.zeros((BATCH, 0), np.intp) if factors is None else factors.astype(np.intp)
    engine.draw(Task(places, *uniforms(0, np.arange(BATCH), config)))
    began, used, drawn = time.monotonic(), time.process_time(), 0
    while time.monotonic() - began < seconds:
        drawn += len(engine.draw(Task(places, *uniforms(0, np.arange(drawn, drawn + BATCH), config))))
    return drawn / (time.monotonic() - began), drawn / (time.process_time() - used)


def processor_seconds(process: int) -> float:
    """Of a process and those that it has begun."""
    server = psutil.Process(process)
    times = [one.cpu_times() for one in (server, *server.children(recursive=True))]
    return float(sum(one.user + one.system for one in times))


def asked(port: int, path: str) -> bytes:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    return body


def same(told: dict[str, str], kept: Weights, cells: list[str]) -> float:
    """The share of pictures, by the place they were asked for, that are those of the command line."""
    sampler = Sampler(kept)
    equal = 0
    for place, digest in told.items():
        (one,) = sampler.sample(cells[int(place) % len(cells)], 1, first=int(place))
        equal += hashlib.sha256(png_from_grid(Grid(one.cells), kept.palette)).hexdigest() == digest
    return equal / len(told)


def served(kept: Weights, given: argparse.Namespace) -> dict[str, Any]:
    cells = list(Sampler(kept).cells())
    with tempfile.TemporaryDirectory() as folder:
        file = write_weights(Path(folder, "w.safetensors"), kept)
        command = [sys.executable, "-m", "pixelreef", "sprites", "serve", "--port", "0", "--json", "--weights"]
        with subprocess.Popen([*command, str(file)], stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            port = int(json.loads(server.stdout.readline())["address"].rpartition(":")[2])
            before = engine_rates(kept)
            used = processor_seconds(server.pid)
            clients = [sys.executable, __file__, "--port", str(port), "--cells", json.dumps(cells)]
            clients += ["--clients", str(given.clients), "--seconds", str(given.seconds)]
            told = json.loads(subprocess.run(clients, stdout=subprocess.PIPE, text=True, check=True).stdout)
            used = processor_seconds(server.pid) - used
            health = json.loads(asked(port, "/health"))
            clock, own = (sum(pair) / 2 for pair in zip(before, engine_rates(kept), strict=True))
            told |= {"engine": clock, "batch": round(health["drawn"] / health["batches"], 1)}
            told["processor_ratio"] = round(told["requests"] / used / own, 3)
            told["same"] = same(told.pop("kept"), kept, cells)
            server.terminate()
            told["exit"] = server.wait(60)
    told["ratio"] = round(told["per_second"] / told["engine"], 3)
    return {name: round(value, 2) if name in ("per_second", "engine") else value for name, value in told.items()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("weights", type=Path, nargs="?")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--cells", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.port:
        print(json.dumps(asyncio.run(load(given.port, json.loads(given.cells), given.clients, given.seconds))))
        return
    figures = {"benchmark": "sprites serve against the engine", "clients": given.clients, "seconds": given.seconds}
    print(json.dumps({**figures, **served(the_weights(given.weights), given)}))


if __name__ == "__main__":
    main()
