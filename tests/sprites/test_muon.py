from __future__ import annotations

import multiprocessing
import socket
from pathlib import Path

import pytest
import torch
from torch import distributed

from pixelreef.sprites.muon import Muon, all_orthogonal, orthogonal


def test_muon_steps_as_torch_does() -> None:
    """Theirs is in bfloat16, which has three digits."""
    torch.manual_seed(0)
    ours, theirs = (torch.nn.Parameter(torch.ones(6, 10)) for _ in range(2))
    mine = Muon([ours], 0.01, 0.1)
    other = torch.optim.Muon([theirs], lr=0.01, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    for _ in range(4):
        ours.grad = theirs.grad = torch.randn(6, 10)
        mine.step()
        other.step()  # type: ignore[no-untyped-call]
    moved = (theirs.detach() - 1).abs().mean()
    torch.testing.assert_close(ours, theirs, atol=0.05 * float(moved), rtol=0)


@pytest.mark.parametrize("shape", [(4, 9), (9, 4), (5, 5)])
def test_an_orthogonal_matrix_keeps_its_directions(shape: tuple[int, int]) -> None:
    torch.manual_seed(1)
    left, values, right = torch.linalg.svd(torch.randn(shape), full_matrices=False)
    found = orthogonal(left @ torch.diag(values) @ right)
    stretched = left.T @ found @ right.T
    assert float((stretched - torch.diag(stretched.diagonal())).abs().max()) < 1e-3
    assert 0.6 < float(stretched.diagonal().min()) <= float(stretched.diagonal().max()) < 1.3
    assert torch.equal(orthogonal(torch.zeros(shape)), torch.zeros(shape))


def matrices() -> list[torch.Tensor]:
    torch.manual_seed(2)
    return [torch.randn(shape) for shape in ((4, 9), (9, 4), (5, 5), (1, 7))]


def part(rank: int, port: int, out: Path) -> None:
    distributed.init_process_group("gloo", f"tcp://127.0.0.1:{port}", world_size=2, rank=rank)
    torch.save(all_orthogonal(matrices()), out / f"{rank}.pt")
    distributed.destroy_process_group()


def test_two_processes_share_the_work_and_have_the_same(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    context = multiprocessing.get_context("spawn")
    started = [context.Process(target=part, args=(rank, port, tmp_path)) for rank in range(2)]
    for one in started:
        one.start()
    for one in started:
        one.join(60)
    alone = [orthogonal(one) for one in matrices()]
    for rank in range(2):
        found = torch.load(tmp_path / f"{rank}.pt", weights_only=True)
        for left, right in zip(found, alone, strict=True):
            assert torch.equal(left, right)
