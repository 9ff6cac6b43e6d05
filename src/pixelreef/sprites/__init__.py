"""A small model that draws sprites, and an engine that samples it without torch."""
