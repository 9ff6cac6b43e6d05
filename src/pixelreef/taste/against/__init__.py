"""Samples held against real sprites: the stages that `judge_samples` runs, one file each.

    emptiness   is there anything to see
    copying     does it come straight from the corpus
    collapse    is it the same sprite again and again
    texture     do pixels lie beside each other as the real ones do
    fidelity    does it stand among the real, and everywhere among them
    accuracy    can it be told for what it should be, and does it teach what the real ones are

Each gives figures whose good value does not depend on the corpus: where that can't be known beforehand, real sprites
are held out and held against the rest, as many as there are samples, and the figure is taken against theirs.
"""
