"""What figures do not say by themselves: what limits us now, and why a target is not met."""

from __future__ import annotations

LIMITS = """\
A request over HTTP costs the bridge over twice what it costs a bare aiohttp handler, nearly all
of it Python on the one loop: the firing's way through the gates and into the record, its rows, its
line in the log, and a share of each commit. A single decision waits for one commit to be on the
disk, and for the two hops between the loop and the thread that writes. Ten thousand ticks at one
instant are decided and written one after the other on the one loop, a batch at a time, so that the
last one's lag is what all of them cost.
"""
"""Three sentences, to be judged anew with the flame graph after each step."""

NOT_MET: dict[str, str] = {
    "http": (
        "A decision takes more than twice the processor time of an echo. Tried: a way of its own "
        "beside aiohttp's router, requests and responses, heads that stay the same parsed once, "
        "a compiled validator, rows written on the loop and the commit alone on a thread, one "
        "commit for all who ask again, firing ids side by side in their index, rows of runs "
        "changed in place, one record of the log a commit, no task between a request and its "
        "answer (400 us of processor time a skip at first, about 110 now; the echo takes 50). "
        "uvloop gains nothing: a bare protocol takes 10 us on either loop. The core takes 7 us and "
        "SQLite's row 10; what is left is spread over 250 calls of Python (340 before). Next: a "
        "body judged and read in one go, one event in place of an event, a decision and a row."
    ),
    "round-trip": (
        "It waits for a commit of six pages where the echo waits for 64 bytes, and for two "
        "hops between the loop and the store's thread. Tried: a thread pool replaced by a queue "
        "(40 us less of 710), the answer sent from the commit itself, the clock's page left out, "
        "the log folded in four times as rarely, which one commit in a hundred had to wait for. "
        "Committing on the loop itself would save the hops, and a disk that "
        "stalls would then stall timers and streams, so it was left. Next: no number that is kept "
        "apart for decisions, one page less; fewer turns of the loop after the commit."
    ),
    "due": (
        "node-cron and croner decide nothing and keep nothing; ours makes each tick durable "
        "before it is offered. Tried: batches of 64, the next one decided while one commits, which "
        "halves the median (730 ms before, 340 since) and hardly moves the last; rows written on "
        "the loop, as a thread that writes beside a busy loop waits for its turn at every row (690 "
        "of 1,000 ms when spread over the second); a collector of garbage that searches seldom "
        "(100 to 120 ms of 700 before, 20 since). Spread over the second, 10,000 ticks take the "
        "loop 0.65 to 0.8 s of it, so that each pause is a queue. Next: fewer microseconds of a "
        "tick's rows (24 of 65), one statement for the rows of a batch, whose steps need no turn "
        "of Python's."
    ),
    "tick": (
        "A timestamp at each station told where 5 of 6.5 ms went: 0.8 ms until the timer rang, as "
        "Linux ends a wait a thousandth of it late and epoll in whole milliseconds (0.1 now: the "
        "end of a wait is waited for by itself, by select); 0.4 ms of log lines before the offer "
        "left (now after it); 0.5 ms of status before the claim left (now after it); 0.3 ms of "
        "tasks that a frame waited for (none now). What is left besides both commits, each three "
        "times as long on a machine at rest as in a row of many, is Python and Node.js finding "
        "their caches cold, and two hops between the loop and the store's thread a commit. The "
        "commits and the round trip that it is held against are made once a second since, as the "
        "ticks are; in a row of many they take 232 and 152 us, and against these the ratio would "
        "be 5.7. Next: the commit of a single decision on the loop where the disk has been quick."
    ),
    "stream": (
        "Tried: plain frames read without a walk, claims and ends in the commit of what was "
        "decided before them; 32 frames in a turn of the loop; no task for a frame, answers from "
        "the commit that holds them, one write for all frames of a commit. Three decisions, four "
        "rows and six frames of one start are Python on one loop, where the echo has two rows and "
        "four frames; the echo's own figure was 22,000 in one quiet run and 46,000 in another. "
        "Next: fewer microseconds a decision, and a reader that takes all frames of what came at "
        "once from aiohttp's buffer."
    ),
    "idle": (
        "A Node-RED at rest wakes once in 15 s, and a peer that vanished is to be noticed by pings "
        "every 15 s: one ping alone doubles what a Node-RED does at rest. Tried: one ping for both "
        "ways, whatever comes being a sign of life; the look at the wall clock at the instants of "
        "the pings; no timer for news that there are none (the nodes woke 3 times in 15 s more "
        "than Node-RED itself, the bridge 4 times; now once and a third, and twice). Next: pings "
        "that wait for as long as a client without runs can do without them."
    ),
}
"""Of a row whose target is not met, by its name: what was tried, and what would be next."""
