"""Pure functions from arrays to numbers; no files, no pictures, no models."""
