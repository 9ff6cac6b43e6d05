class_name ReefClient
extends Node
## Asks a running `pixelreef sprites serve` for sprites that no one has seen before.
##
## [codeblock]
## var texture := await $ReefClient.sample("jellyfish/abyss", 7)
## if texture == null:
##     texture = ReefAtlas.sample("jellyfish/abyss", 7)
## [/codeblock]

const ADDRESS := "http://127.0.0.1:8765"
const TIMEOUT := 30.0  # seconds


## One sprite of a cell, the same for the same seed; null, with a warning, where none is given.
func sample(cell: String, from_seed: int) -> Texture2D:
	return await _asked("/sample?cell=%s&seed=%d&n=1" % [cell.uri_encode(), from_seed])


## A child of two sprite documents, which are JSON text, by halves, checker, silhouette and so on; null as above.
func breed(a: String, b: String, by := "halves", from_seed := 0) -> Texture2D:
	var body := '{"a": %s, "b": %s, "by": "%s", "seed": %d}' % [a, b, by, from_seed]
	return await _asked("/breed", HTTPClient.METHOD_POST, body)


func _asked(question: String, method := HTTPClient.METHOD_GET, body := "") -> Texture2D:
	var request := HTTPRequest.new()
	request.timeout = TIMEOUT
	add_child(request)
	var headers := PackedStringArray(["Accept: image/png"])
	var texture: Texture2D = null
	if request.request(ADDRESS + question, headers, method, body) == OK:
		texture = _texture(await request.request_completed)
	if texture == null:
		push_warning("No sprite from %s%s" % [ADDRESS, question])
	request.queue_free()
	return texture


## From what `request_completed` says: result, status, headers and body.
func _texture(answer: Array) -> Texture2D:
	var image := Image.new()
	if answer[0] != HTTPRequest.RESULT_SUCCESS or answer[1] != 200:
		return null
	if image.load_png_from_buffer(answer[3]) != OK:
		return null
	return ImageTexture.create_from_image(image)
