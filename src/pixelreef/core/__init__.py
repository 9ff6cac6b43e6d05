"""The ground floor: grids, palettes, colour, images, documents, seeds and files. Imports no other room."""
