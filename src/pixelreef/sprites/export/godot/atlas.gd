class_name ReefAtlas
extends RefCounted
## The sprites baked into `sprites.tres`, by cell and seed: for games that ship without a server.
##
## [codeblock]
## $Sprite2D.texture = ReefAtlas.sample("jellyfish/abyss", 7)
## $AnimatedSprite2D.play(ReefAtlas.animation("jellyfish/abyss", 7))
## [/codeblock]

const FRAMES: SpriteFrames = preload("res://reef/sprites.tres")


## Every cell that has sprites.
static func cells() -> PackedStringArray:
	var names: Dictionary = FRAMES.get_meta("cells")
	return PackedStringArray(names.keys())


## The name of the animation that a seed gives; seeds past the last sprite of the cell begin again.
## Empty where there is no such cell.
static func animation(cell: String, from_seed: int) -> StringName:
	var names: Dictionary = FRAMES.get_meta("cells")
	var of_cell: PackedStringArray = names.get(cell, PackedStringArray())
	if of_cell.is_empty():
		return &""
	return StringName(of_cell[posmod(from_seed, of_cell.size())])


## The first frame of that animation, or null where there is no such cell.
static func sample(cell: String, from_seed: int) -> Texture2D:
	var found := animation(cell, from_seed)
	return null if found.is_empty() else FRAMES.get_frame_texture(found, 0)
