"""What a bridge that is to be fuzzed knows at the beginning."""

TRIGGERS = [f"t{number}" for number in range(15)]
