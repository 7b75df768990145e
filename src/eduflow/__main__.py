"""`python -m eduflow` is the `eduflow` command."""

from eduflow.cli import main

main()
