"""Children of two sprites: any mask of both, and the model draws what neither gives."""
