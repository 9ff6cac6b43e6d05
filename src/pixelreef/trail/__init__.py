"""The trail: what was made of which corpus, by which recipe, and what became of it, iteration by iteration.

    append_record("trail.jsonl", Record("corpus", now(), corpus=facts.hash))
    story = story_from_trail(read_trail("trail.jsonl"))
    write_page(story, Path("trail"))

`record` is one line, `file` appends and reads them, `iterations` joins them by hashes, `comparison` says what became
better and finds ceilings, `story` is all of it as one document, `page` shows it. Nothing is recorded here: the command
line does that, with facts that the rooms return. Everything that is read back is untrusted.
"""
