"""Seeing a drawing without a judge: names of colours, background, regions, shapes and routes.

Nothing here knows a subject. Each file is one idea; the subject checks and the held-out kinds are built from them.
"""
