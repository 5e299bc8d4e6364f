"""The wire format: bytes and values, nothing that waits, keeps or decides.

`codec` turns bytes into values and back, `bounds` says which values are let in, `schemas`
validates them by the files in `schemas/`, `times` reads and writes instants.
"""
