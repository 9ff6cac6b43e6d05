"""Is this corpus the right shape, and did the model learn this cell? Per cell, in minutes, without torch."""
