"""Model names, constraints, and what is not imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pixelreef.errors import FileError, InputError
from pixelreef.runs.ask import attempt_seed
from pixelreef.runs.models import LARGEST_SEED, check_names, constraint, is_local, takes_seed
from pixelreef.runs.server import LocalServer, ServerSettings, local_from_name

pytestmark = pytest.mark.inspect

MODULES = ["ask", "budget", "llama", "logs", "models", "plan", "prices", "replies", "run", "server", "weights"]
SCHEMA = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "minItems": 2}}}


def test_importing_runs_imports_neither_inspect_nor_llama() -> None:
    code = "import sys\n" + "\n".join(f"import pixelreef.runs.{name}" for name in MODULES)
    code += "\nprint([m for m in sys.modules if m.split('.')[0] in ('inspect_ai', 'xllamacpp', 'pyarrow', 'openai')])"
    paths = ":".join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": paths}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("names", [[], ["gpt-4o"], ["/x"], ["x/"], ["a/b", "a/b"], ["a/b\n"]])
def test_bad_names_are_one_error(names: list[str]) -> None:
    with pytest.raises(InputError, match=r"^--model must "):
        check_names(names)


def test_names_are_kept_as_given() -> None:
    names = ["local/smollm2", "openai/gpt-4o", "hf/a/b", "local//tmp/m.gguf"]
    assert check_names(names) == tuple(names)
    assert [is_local(name) for name in names] == [True, False, False, True]
    assert [takes_seed(name) for name in names] == [True, False, False, True]


def test_local_names_are_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base, adapter, plus = (tmp_path / name for name in ("base.gguf", "lora.gguf", "a+b.gguf"))
    for path in (base, adapter, plus):
        path.write_bytes(b"GGUF")
    assert local_from_name(f"local/{base}").path == base
    both = local_from_name(f"local/{base}+{adapter}")
    assert (both.path, both.adapter) == (base, adapter)
    odd = local_from_name(f"local/{plus}")
    assert (odd.path, odd.adapter) == (plus, None)
    with pytest.raises(FileError, match="must exist"):
        local_from_name(f"local/{base}+{tmp_path / 'none.gguf'}")
    for name in ("local/", "smollm2"):
        with pytest.raises(InputError, match="local model must be named"):
            local_from_name(name)


def test_a_local_model_gets_the_whole_schema_and_others_what_inspect_can_say() -> None:
    local = constraint(SCHEMA, "local/smollm2")
    assert local["extra_body"]["response_format"]["json_schema"]["schema"] == SCHEMA
    other = constraint(SCHEMA, "openai/gpt-4o")["response_schema"].json_schema.model_dump(exclude_none=True)
    assert other == {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}


def test_seeds_fit_every_provider() -> None:
    seeds = {attempt_seed(seed, item, attempt) for seed in (0, 2**63 - 1) for item in ("a", 1) for attempt in (1, 2)}
    assert len(seeds) == 8
    assert all(0 <= seed < LARGEST_SEED for seed in seeds)


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    (tmp_path / "m.gguf").write_bytes(b"GGUF" + bytes(64))
    server = LocalServer(local_from_name(f"local/{tmp_path / 'm.gguf'}"), ServerSettings(log=tmp_path / "log"))
    with pytest.raises(InputError, match=r"must be served by llama\.cpp") as caught:
        server.start()
    assert "\n" not in str(caught.value)
    assert not server.alive()


@pytest.mark.parametrize("settings", [{"threads": 0}, {"context": 10}, {"context": 2**30}])
def test_bad_settings_are_one_error(settings: dict[str, int]) -> None:
    with pytest.raises(InputError, match=r"^--"):
        ServerSettings(**settings)  # type: ignore[arg-type]


def test_inspect_finds_the_provider_and_the_solver() -> None:
    from inspect_ai.model import get_model
    from inspect_ai.solver import Solver

    import pixelreef._registry  # noqa: F401
    from pixelreef.runs.ask import ask

    model = get_model("local/smollm2", memoize=False)
    assert str(model) == "local/smollm2"
    assert model.api.max_connections() == 1
    assert isinstance(ask(), Solver)
