"""The programs that are measured, ours and the plain ones, each in a process of its own."""
