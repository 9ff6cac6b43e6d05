"""The program of the local server's own process: `python -m pixelreef.runs.llama`.

One line of JSON on standard input says what to serve. Standard input then stays open: when it ends, the process that
started this one has ended too, however it ended, and so does this one. The address is printed as one line of JSON on
standard output once the model is loaded; everything llama.cpp has to say goes to standard error.

llama.cpp's own HTTP server does the work (through xllamacpp): OpenAI's chat completions, JSON schema and grammar
constraints, LoRA. It runs one request at a time and does not reuse the prompt of the request before, because either
would let the order of requests change a reply: the same seed gives the same text.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

HOST = "127.0.0.1"

# The model's own distribution, nothing cut off: what a request does not say, hosted models default to as well.
NEUTRAL_SAMPLING = {"temp": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "typ_p": 1.0, "penalty_repeat": 1.0}


def serve(order: dict[str, Any]) -> Any:
    """Load the model and start listening; returns the running server."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = order["model"]
    if order.get("adapter"):
        params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(order["adapter"], 1.0)]
    params.hostnames = [HOST]
    params.port = 0  # the system picks a free one
    params.n_ctx = order["context"]
    params.n_parallel = 1
    params.cpuparams.n_threads = order["threads"]
    params.cpuparams_batch.n_threads = order["threads"]
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.ctx_shift = False  # a reply that fills the context ends there
    params.ui = False
    params.model_alias = [order["alias"]]
    for name, value in NEUTRAL_SAMPLING.items():
        setattr(params.sampling, name, value)
    params.sampling.seed = order["seed"]
    return xllamacpp.Server(params)


def main() -> None:
    """Serve until standard input ends."""
    order = json.loads(sys.stdin.readline())
    server = serve(order)
    print(json.dumps({"address": server.listening_address}), flush=True)
    while sys.stdin.read(4096):
        pass
    os._exit(0)  # at once: a request that is still running has nobody left to answer


if __name__ == "__main__":
    main()
