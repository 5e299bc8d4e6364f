"""The pure core: what happens when a trigger fires (rules R1 to R22).

No I/O, no clock, no asyncio, no chance. Instants are handed in as integers,
microseconds since the Unix epoch in UTC; durations are microseconds too.
Commands go in, events come out.
"""
