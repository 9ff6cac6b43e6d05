"""The command line: one file per room, each thin."""
