"""Jellies of every kind: true jellyfishes, box and comb jellies, siphonophores."""
