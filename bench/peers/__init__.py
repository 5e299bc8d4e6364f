"""Other people's schedulers, each run by the Python of its own environment."""
