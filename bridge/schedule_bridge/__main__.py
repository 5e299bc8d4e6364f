"""`python -m schedule_bridge` is the command line."""

from schedule_bridge.cli import main

main()
