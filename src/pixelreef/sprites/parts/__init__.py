"""The parts of a sprite that came without any: a small labeller of pixels, fitted on a corpus that knows them."""
