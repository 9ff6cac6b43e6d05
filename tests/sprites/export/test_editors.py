"""Exports opened by the programs they are for, where those are installed: Godot 4 and Tiled."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from pixelreef.core import Frame, Grid, Sprite, reef_palette
from pixelreef.sprites.export import export

# What the engine itself finds in the folder, as JSON; a picture is its bytes in hexadecimal.
ASK_GODOT = """extends SceneTree
func _initialize() -> void:
	var frames: SpriteFrames = load("res://reef/sprites.tres")
	var seen := {}
	for name in frames.get_animation_names():
		seen[name] = []
		for number in frames.get_frame_count(name):
			var image := frames.get_frame_texture(name, number).get_image()
			image.convert(Image.FORMAT_RGBA8)
			var time := frames.get_frame_duration(name, number) / frames.get_animation_speed(name)
			seen[name].append([time, image.get_data().hex_encode()])
	var scene: Node = load("res://main.tscn").instantiate()
	var atlas: GDScript = load("res://reef/atlas.gd")
	var told := {
		"frames": seen,
		"children": scene.get_children().map(func(child): return [String(child.autoplay), child.material != null]),
		"cells": atlas.cells(),
		"third": atlas.animation("jelly", 2),
		"filter": ProjectSettings.get_setting("rendering/textures/canvas_textures/default_texture_filter"),
	}
	print("told ", JSON.stringify(told))
	scene.free()
	quit()
"""


def some() -> list[Sprite]:
    random = np.random.default_rng(3)
    made = []
    for number, frames in enumerate((1, 3)):
        cells = random.integers(0, 64, (frames, 9, 7), dtype=np.uint8)
        times = [80, 120, 200][:frames]
        shown = tuple(Frame(Grid(one), time) for one, time in zip(cells, times, strict=True))
        made.append(Sprite(reef_palette(), shown, f"s{number}", {"cell": "jelly", "seed": number}))
    return made


def godot() -> str:
    found = shutil.which("godot")
    version = subprocess.run([found, "--version"], capture_output=True, text=True).stdout if found else ""
    if found is None or not version.startswith("4."):
        pytest.skip("needs Godot 4 as the command `godot`")
    return found


@pytest.mark.slow
def test_godot_opens_the_folder_and_sees_every_pixel(tmp_path: Path) -> None:
    engine = godot()
    export(some(), "godot", tmp_path / "game")
    (tmp_path / "ask.gd").write_text(ASK_GODOT)
    base = [engine, "--headless", "--path", str(tmp_path / "game")]
    for options in (["--import"], ["--script", str(tmp_path / "ask.gd")]):
        done = subprocess.run([*base, *options], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0
        assert "ERROR" not in done.stdout + done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("told "))
    told = json.loads(line.removeprefix("told "))
    for sprite in some():
        for frame, (time, pixels) in zip(sprite.frames, told["frames"][sprite.name], strict=True):
            assert time * 1000 == pytest.approx(frame.milliseconds)
            shown = np.frombuffer(bytes.fromhex(pixels), np.uint8).reshape(9, 7, 4)
            assert np.array_equal(np.where(shown[..., 3:] > 0, shown, 0), sprite.palette.rgba[frame.grid.cells])
    assert told["children"] == [["s0", True], ["s1", True]]
    assert (told["cells"], told["third"], told["filter"]) == (["jelly"], "s0", 0)


@pytest.mark.slow
def test_tiled_reads_the_tileset_and_means_the_same_by_both_forms(tmp_path: Path) -> None:
    editor = shutil.which("tiled")
    if editor is None:
        pytest.skip("needs Tiled as the command `tiled`")
    export(some(), "tiled", tmp_path, name="reef")
    roots = []
    for ending in ("tsx", "tsj"):
        command = [editor, "--export-tileset", str(tmp_path / f"reef.{ending}"), str(tmp_path / f"by-{ending}.tsx")]
        subprocess.run(command, check=True, timeout=600, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        roots.append(ET.parse(tmp_path / f"by-{ending}.tsx").getroot())
    ours = ET.parse(tmp_path / "reef.tsx").getroot()
    for root in roots:
        root.attrib.pop("tiledversion")
        assert [(one.tag, one.attrib) for one in root.iter()] == [(one.tag, one.attrib) for one in ours.iter()]
