"""What the bridge and its nodes cost, beside others, in one run on one machine."""
