"""The pixel-art benchmark for language models: a reply is a palette and a 24×24 grid as JSON."""
