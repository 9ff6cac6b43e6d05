from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tune.small_models import four_pairs

from pixelreef.errors import FileError, InputError
from pixelreef.runs.weights import cached
from pixelreef.tune.base import find_base, load_tokeniser
from pixelreef.tune.pairs import Pair
from pixelreef.tune.tokenised import Tokeniser, check_vocabulary, tokenise
from pixelreef.tune.tokens import token_counts

WEIGHTS = cached("smollm2")


@pytest.fixture(scope="module")
def tokeniser(qwen: Path) -> Tokeniser:
    return load_tokeniser(find_base(str(qwen)))


def test_a_pair_is_the_chat_then_the_answer_then_its_end(tokeniser: Tokeniser) -> None:
    (pair, *_) = four_pairs()
    found = tokeniser.tokenised(pair)
    decode = tokeniser.tokenizer.decode
    assert decode(found.ids[: found.start]) == f"<|user|>{pair.prompt}<|end|><|assistant|>"
    assert decode(found.ids[found.start :]) == f"{pair.answer}<|end|>"
    assert found.answered > 24 * 24  # a digit is a token


def test_a_pair_that_is_too_long_is_named_or_left_out(tokeniser: Tokeniser) -> None:
    pairs = four_pairs(("rows", "runs"))
    longest = max(len(tokeniser.tokenised(pair).ids) for pair in pairs)
    assert tokenise(pairs, tokeniser, longest)[1] == 0
    with pytest.raises(InputError, match=rf"\(rows, .*\) must have at most {longest - 1:,} tokens, got {longest}"):
        tokenise(pairs, tokeniser, longest - 1)
    kept, cut = tokenise(pairs, tokeniser, longest - 1, leave_out=True)
    assert len(kept) + cut == len(pairs)
    assert cut >= 1


class Odd:
    """A tokenizer that is not made for this."""

    chat_template: str | None = "{{ messages[0]['content'] }}"
    eos_token_id: int | None = 0

    def apply_chat_template(self, chat: Any, **_: Any) -> str:
        return str(chat[0]["content"])

    def __call__(self, text: str, **_: Any) -> dict[str, list[int]]:
        return {"input_ids": [ord(sign) for sign in text]}

    def decode(self, ids: list[int]) -> str:
        return "".join(map(chr, ids)).replace("0", " ")


def test_a_tokenizer_that_loses_an_answer_is_refused() -> None:
    with pytest.raises(InputError, match="tokenizer of 'odd' must give an answer back as it was"):
        Tokeniser(Odd(), "odd").tokenised(Pair("s", "train", "rows", "p", "100"))
    assert Tokeniser(Odd(), "odd").tokenised(Pair("s", "train", "rows", "p", "1")).ids.tolist() == [112, 49, 0]


@pytest.mark.parametrize(("name", "told"), [("chat_template", "have a chat template"), ("eos_token_id", "ends a turn")])
def test_a_tokenizer_without_a_chat_is_refused(name: str, told: str) -> None:
    odd = Odd()
    setattr(odd, name, None)
    with pytest.raises(InputError, match=told):
        Tokeniser(odd, "odd")


def test_tokens_of_another_model_are_refused() -> None:
    found = Tokeniser(Odd(), "odd").tokenised(Pair("s", "train", "rows", "p", "1"))
    check_vocabulary([found], "odd", 113)
    with pytest.raises(InputError, match=r"tokens below the model's 112, got 112\. It is another model's"):
        check_vocabulary([found], "odd", 112)


def test_tokens_are_counted_by_encoding(tokeniser: Tokeniser) -> None:
    pairs = four_pairs(("rows", "runs"))
    rows, runs = token_counts(pairs, {"tiny": tokeniser})
    assert (rows.encoding, rows.pairs, runs.encoding) == ("rows", 4, "runs")
    sizes = [tokeniser.sizes(pair) for pair in pairs if pair.encoding == "rows"]
    assert rows.longest == max(sum(size) for size in sizes)
    assert rows.over == sum(sum(size) > 1024 for size in sizes)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere", "model 'nowhere' must exist"),
        ("./nowhere/at-all", "must exist"),
        ("nowhere.gguf", "must exist"),
        ("local/nowhere.gguf", "must exist"),
    ],
)
def test_a_model_that_is_not_there_is_one_line(name: str, told: str) -> None:
    with pytest.raises(FileError, match=told):
        find_base(name)


def test_a_folder_that_holds_no_model_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"have a config\.json"):
        find_base(str(tmp_path))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="hold a tokenizer that transformers reads") as caught:
        load_tokeniser(find_base(str(tmp_path)))
    assert "\n" not in str(caught.value)


def test_what_is_typed_finds_the_model(qwen: Path) -> None:
    assert find_base("Qwen/Qwen3-1.7B").place == "Qwen/Qwen3-1.7B"
    assert find_base(str(qwen)).name == "tiny-qwen3"
    assert len(find_base(str(qwen)).facts()["hash"]) == 64


@pytest.mark.slow
@pytest.mark.inspect
@pytest.mark.skipif(
    WEIGHTS is None, reason="the SmolLM2 weights are not in the cache; any run of local/smollm2 fetches"
)
def test_the_server_sees_the_tokens_that_were_taught() -> None:
    """llama.cpp's own template and tokenizer against transformers', on a whole prompt and answer."""
    import json
    import urllib.request

    from pixelreef.runs.server import LocalServer, local_from_name

    def ask(path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(f"{server.address}{path}", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    taught = load_tokeniser(find_base(str(WEIGHTS)))
    with LocalServer(local_from_name(f"local/{WEIGHTS}")) as server:
        for pair in four_pairs():
            chat = {"messages": [{"role": "user", "content": pair.prompt}]}
            text = ask("/apply-template", chat)["prompt"]
            prompt = ask("/tokenize", {"content": text, "add_special": False, "parse_special": True})["tokens"]
            answer = ask("/tokenize", {"content": pair.answer, "add_special": False})["tokens"]
            assert [*prompt, *answer] == taught.tokenised(pair).ids[:-1].tolist()
