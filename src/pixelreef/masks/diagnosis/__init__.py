"""Why a mask is wrong: faults told from the picture, repairs tried on its labels, nulls that a name must beat."""
