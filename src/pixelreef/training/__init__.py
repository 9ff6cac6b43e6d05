"""What any training run needs, whatever it trains.

    lock.py          one run at a time in a folder
    launch.py        one process, or several through Fabric; sums that come out the same again
    checkpoint.py    where a run stands, as a file that is whole or not there

It knows no model and no corpus: `sprites` and `tune` bring theirs.
"""
