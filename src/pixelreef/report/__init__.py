"""The parts of one self-contained HTML page. Knows no other room than `core` and `metrics`."""
