"""Where sprites come from: the procedural reef, photographs, sheets, folders, and a mix of them, kept as parquet."""
