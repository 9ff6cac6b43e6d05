"""Photographs into sprites: the subject cut out, reduced as a pixel artist would, in the colours of a palette.

reading    one photograph of a camera, in bounded memory
isolate    which pixels are the subject: alpha, a mask, a plain background, what stands out
pixelise   the dominant colour of each cell, edges and thin parts kept
tidy       fewer colours, no orphan pixels
folder     a folder of photographs, one by one
download   photographs from Wikimedia Commons (`commons`) or from a list (`addresses`), with their `manifest`
"""
