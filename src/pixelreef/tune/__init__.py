"""Fine-tuning a language model to draw, and asking whether that helped.

    subject_text.py  what a sprite is a picture of, in words
    fitting.py       a sprite of any size and colours → a drawing of 24×24 in 2 to 10
    sources.py       drawings and their subjects from corpora, replies and the public dataset
    split.py         which subjects are taught, which are held back, which are the test's
    pairs.py         a prompt and its answer in one encoding
    store.py         pairs as a versioned file
    tokens.py        what pairs cost in tokens, by encoding and tokenizer
    recipe.py        everything that decides a run but the pairs and the model
    base.py          the model to begin with: a folder, a name on the hub, a GGUF file
    tokenised.py     pairs as tokens, with the answer marked
    answering.py     the loss on the answer's tokens
    train.py         steps, looks, checkpoints
    adapter.py       the adapter in peft's layout, with a card
    gguf_adapter.py  the same for llama.cpp
    compare.py       base against tuned, paired by subject
    report.py        the same as a page

torch, transformers and peft are imported only by the modules that train.
"""
