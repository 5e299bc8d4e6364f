"""What figures do not say by themselves: what limits us now, and why a target is not met."""

from __future__ import annotations

LIMITS = """\
A request over HTTP costs the bridge three times what it costs a bare aiohttp handler, nearly all
of it Python on the one loop: the firing's way through the gates and into the record, its rows, its
line in the log, and a share of each commit. A single decision waits for one commit to be on the
disk, and for the two hops between the loop and the thread that writes. Ten thousand ticks at one
instant are decided as one batch and told after one commit, so the first of them is as late as the
last: what the rows of a tick cost is what the lag is.
"""
"""Three sentences, to be judged anew with the flame graph after each step."""

NOT_MET: dict[str, str] = {
    "durable decisions over HTTP": (
        "Four requests of the echo cost what one decision costs. Tried: a way of its own beside "
        "aiohttp's router, requests and responses, one look at headers that stay the same, a "
        "compiled validator, rows written on the loop and the commit alone on a thread, no JSON "
        "and back (400 us of processor time a skip before, about 210 now; the echo takes 70). "
        "uvloop and a rarer garbage collector did not stand out. In process the same decision "
        "with its commit takes 59 us, so what is left is ours of HTTP and the hand-over between "
        "threads. Next: one line of the log a commit in place of a record a decision, time-ordered "
        "firing ids (a random one touches another page of an index each time), columns updated "
        "in place of whole rows."
    ),
    "one decision at a time, round trip": (
        "It waits for a commit of several pages where the echo waits for 64 bytes, and for two "
        "hops between the loop and the store's thread. Tried: a thread pool replaced by a queue "
        "(40 us less of 710). Committing on the loop itself would save the hops, and a disk that "
        "stalls would then stall timers and streams, so it was left. Next: fewer pages a commit."
    ),
    "the core alone": (
        "APScheduler 3 skips 100,000 a second once its warnings are silenced, 43,000 with them. "
        "Tried: settling only where something was given back, one timer a trigger, the agenda in "
        "groups of what is due at one instant, no object for how a scope stands (8 us a tick at "
        "first, 3.0 now). Next: a tick that makes no request to fire."
    ),
    "10,000 triggers due in the same second": (
        "node-cron and croner decide nothing and keep nothing; ours makes each tick durable "
        "before it is offered. At one instant a single batch holds all, so the first is as late "
        "as the last. Next: batches bounded in size, the next one's rows made while one commits."
    ),
    "tick → first node": (
        "5 of 6.6 ms are not explained by two commits and three hops over the WebSocket. Not "
        "tried yet. Next: a timestamp at each station, from the timer to the first message."
    ),
    "stream: starts a second": (
        "Tried: plain frames read without a walk, claims and ends in the commit of what was "
        "decided before them; 32 frames in a turn of the loop. Next: no task for each frame, and "
        "one write for all frames of a commit."
    ),
    "idle with 1,000 triggers": (
        "A Node-RED at rest wakes once in 15 s, and a peer that vanished is to be noticed by pings "
        "every 15 s: one ping alone doubles what a Node-RED does at rest. Tried: one ping for both "
        "ways, whatever comes being a sign of life; the look at the wall clock at the instants of "
        "the pings; no timer for news that there are none (the nodes woke 3 times in 15 s more "
        "than Node-RED itself, the bridge 4 times; now once and a third, and twice). Next: pings "
        "that wait for as long as a client without runs can do without them."
    ),
    "tracking of runs": (
        "Of what a message without a run costs more, Node-RED takes 0.3 us for calling four hooks "
        "that do nothing. Tried: remembering such messages by id (4.6 us before, 0.8 now, at nodes "
        "that have had messages of runs). Next: hooks that tell of ends in place only during runs."
    ),
}
"""Of a row whose target is not met: what was tried, and what would be next."""
