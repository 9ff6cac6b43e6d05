extends Node2D
## Turns the light of all sprites towards the pointer.

const MATERIAL: ShaderMaterial = preload("res://reef/relight.tres")
const NEAR := 0.7  # how far before the picture the light stands, in halves of the window's height


func _process(_delta: float) -> void:
	var half := get_viewport_rect().size / 2.0
	var away := (get_viewport().get_mouse_position() - half) / half.y
	MATERIAL.set_shader_parameter("direction", Vector3(away.x, -away.y, NEAR).normalized())
