"""What a section of the page means, and how anybody repeats it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Section:
    """One kind of long run; `meaning` is a paragraph for a user, `command` repeats it."""

    heading: str
    meaning: str
    command: str


SECTIONS = {
    "crash": Section(
        "Killed and started again",
        "A real bridge under real traffic is killed with SIGKILL, at every boundary of its commits "
        "and at random moments, and started again on the same store. Afterwards all that its "
        "clients saw is compared with what its record says. *Lost* is an answered firing without "
        "its outcome, or a tick that neither fired nor was counted as missed; *doubled* is a "
        "firing decided twice or a run that two claims were confirmed for; *leaked* is a lock "
        "key, a place under a limit or a buffer's slot that stayed taken after every run had "
        "ended.",
        "npm run crash:long -- --record",
    ),
    "crash-postgresql": Section(
        "Killed and started again on PostgreSQL",
        "The same with the record in PostgreSQL, where the bridge is killed at random moments "
        "while its commits are under way. The next life takes over when the lease of the one "
        "before has run out. What is on record is read from the file that `schedule-bridge move` "
        "makes of the database.",
        "npm run crash:long -- --database postgresql --record",
    ),
    "upheavals": Section(
        "Several bridges, and whatever can befall them",
        "Three bridges share a PostgreSQL and four workspaces, whose traffic goes to any of them, "
        "while one after the other is killed, stands still for longer than its lease, is stopped "
        "in order, is cut off from the database, or has what it sent there held back until "
        "its lease is over; while the database is started again, at once or in order; and while "
        "workspaces are handed over at any moment. Then all that clients saw is compared with "
        "what is on record, as of one bridge. A witness of triggers in the database has seen "
        "under which lease each write was made: a write of an owner that was before, or two "
        "owners at a time, count as *doubled*. *Decided again after* is the median and the "
        "longest time from what befell the owner of a workspace to the first answer that decides "
        "something there. A request without an answer was refused with 503 or cut off, and "
        "asked again if it had to be known.",
        "npm run upheaval:long -- --minutes 5 --record",
    ),
    "network": Section(
        "A network that loses, doubles and breaks",
        "Two clients with triggers of every policy and the real bridge, with a network between "
        "them that delays, doubles, reorders and loses what crosses it, cuts and resets its "
        "connections, swallows bytes without a word and answers 502, while processes at both ends "
        "are killed. In rounds of a minute, each with a bridge of its own. *Lost* is a run that "
        "ended as completed and never came out, one without an end, an answered firing that is "
        "not in the record, or a tick that neither fired nor was counted as missed; *doubled* is "
        "a run that came out twice or a tick that fired twice; *ended, but started* is a run that "
        "came out after its end had been told.",
        "npm run network:long -- --record",
    ),
    "fuzz": Section(
        "Malformed requests",
        "Every route is sent what its schema allows and what it does not, and the decoders are "
        "sent bytes that mean nothing. An answer has to be one that is documented.",
        "npm run fuzz:long -- --record",
    ),
    "soak": Section(
        "A long time under load",
        "Fifty triggers of all policies fire every second in a real Node-RED, through flows that "
        "wait, fail, throw, fan out, call others and hang up, while flows are deployed in every "
        "way, triggers are taken out and put back, runs are ended by an operator and the bridge is "
        "stopped and killed. Afterwards every firing must have one outcome, every tick be a firing "
        "or counted as missed, every run have ended and none have come out twice; and what "
        "Node-RED keeps for its schedule nodes must be as small as before. A *fault* is any "
        "exception to that.",
        "npm run soak -- --record",
    ),
}
"""By the name that `record` is given. A harness that keeps figures adds itself here."""
