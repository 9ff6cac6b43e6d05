"""A tiny model and tokenizer in transformers' layout, and pairs that they can learn; made, never fetched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from pixelreef.draw.find import find_subject
from pixelreef.tune.pairs import Pair, pairs_from_example
from pixelreef.tune.sources import Example
from pixelreef.tune.store import Stored, write_pairs

torch.set_num_threads(1)  # models this small wait for a second thread longer than they work

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SPECIAL = ["<|user|>", "<|assistant|>", "<|end|>"]


def four_pairs(encodings: Sequence[str] = ("rows",), split: str = "train") -> list[Pair]:
    """The references of four subjects, of which no test asks here."""
    found = []
    for name in ("heldout-900-1", "heldout-900-2", "heldout-900-3", "heldout-900-7"):
        subject = find_subject(name)
        assert subject is not None
        example = Example(subject.text, subject.reference, name)
        found += list(pairs_from_example(example, split, encodings))
    return found


def tiny_model(folder: Path, kind: str = "qwen3", width: int = 64) -> Path:
    """A random model of two layers, and a tokenizer that knows the prompts' words and every digit."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedTokenizerFast, Qwen3Config

    pairs = four_pairs(("rows", "grid-only", "runs", "shapes"))
    tokenizer = Tokenizer(models.BPE())
    digits = pre_tokenizers.Split(Regex(r"\d"), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [digits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([text for pair in pairs for text in (pair.prompt, pair.answer)], trainer)
    tokens: Any = PreTrainedTokenizerFast
    wrapped = tokens(tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>")
    wrapped.chat_template = TEMPLATE
    wrapped.save_pretrained(folder)
    sizes = {
        "vocab_size": len(wrapped),
        "hidden_size": width,
        "intermediate_size": 2 * width,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": width // 4,
        "max_position_embeddings": 4096,
        "tie_word_embeddings": False,
        "initializer_range": 0.2,  # else no odds over the vocabulary could ever become sure
        "bos_token_id": None,
        "eos_token_id": wrapped.eos_token_id,
    }
    config = {"qwen3": Qwen3Config, "llama": LlamaConfig}[kind](**sizes)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        models_of: Any = AutoModelForCausalLM
        models_of.from_config(config).save_pretrained(folder)
    return folder


def stored(folder: Path, encodings: Sequence[str] = ("rows",), *, held: bool = True) -> Stored:
    """Four pairs to teach, and the same four held back, so that a look says whether they were learned."""
    pairs = [*four_pairs(encodings), *(four_pairs(encodings, "held") if held else [])]
    return write_pairs(folder, pairs, {"test": "draw-1", "sources": [{"name": "references", "hash": ""}]})


def tune_once(model: Path, pairs: Path, out: Path, fields: dict[str, Any], told: Any = None, devices: int = 1) -> None:
    """In a process of its own: tune with one thread, saving all the time, and tell of every step."""
    from pixelreef.tune.base import find_base
    from pixelreef.tune.recipe import Recipe
    from pixelreef.tune.store import read_pairs
    from pixelreef.tune.train import tune

    tell = told.put if told else None
    tune(
        find_base(str(model)),
        read_pairs(pairs),
        Recipe.of(None, **fields),
        out,
        devices=devices,
        tell=tell,
        save_every=0,
    )


if __name__ == "__main__":
    import json
    import sys

    model, pairs, out = (Path(one) for one in sys.argv[1:4])
    tune_once(model, pairs, out, json.loads(sys.argv[4]), devices=int(sys.argv[5]))
