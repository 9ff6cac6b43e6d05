"""Asking models through Inspect: eval sets, resume, cache, cost, the local server, and reading what came back.

    weights.py   the SmolLM2 weights, fetched once into a cache folder
    llama.py     the program of the local server's own process
    server.py    starting, watching and stopping that process
    models.py    model names, and the Inspect provider behind `local/…`
    prices.py    what a token costs
    budget.py    what was spent, and the stop at a limit
    ask.py       the one Inspect solver that a room's task needs: one question, one seeded reply
    plan.py      calls, tokens and cost before the first call
    run.py       an eval set: retried, resumed, bounded
    replies.py   the `Reply` record, as JSONL and parquet; needs the base install only
    logs.py      Inspect logs → replies

It knows no room: what is asked, and what a reply is worth, is decided by the task. Nothing here imports `inspect_ai`
or `xllamacpp` until a function that needs them is called.
"""
