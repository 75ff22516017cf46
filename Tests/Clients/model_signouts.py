"""Level 4, second half: a user signs out, and may sign in again, while requests are lost and processes die. model.py prints its table.

The first session is 1, the one of the later sign-in 2. A sign-out is kept until the server has confirmed it, with a token that
names its session, or as a mark where a cookie has the session: its request then ends the session whose cookie the browser has. A
rule "ends" if the later session is over, or if the first one lives on although its user has signed out and nobody will tell the
server.
"""
from collections import deque, namedtuple

Stored = namedtuple('Stored', 'epoch session kept')
World = namedtuple('World', 'alive jar store processes flying crashes losses signed_in')


class SignOuts:
    """The rules of a client, and the number of faults that it meets."""

    def __init__(self, by_cookie=False, keeps=True, carries=True, drops=True, looks=True, waits_for_answer=True, in_one_step=True,
                 processes=2, crashes=1, losses=2):
        self.by_cookie, self.keeps, self.carries, self.drops, self.looks = by_cookie, keeps, carries, drops, looks
        self.waits_for_answer, self.in_one_step = waits_for_answer, in_one_step
        self.processes, self.crashes, self.losses = processes, crashes, losses

    def explore(self):
        """The number of states, and the first interleaving that breaks the rule, or None."""
        known = Stored(1, 1, False)
        first = World(frozenset({1}), 1, known, (known,) * self.processes, frozenset(), self.crashes, self.losses, False)
        seen, todo, count = {first: None}, deque([first]), 0
        while todo:
            world = todo.popleft()
            count += 1
            if broken := verdict(world): return count, labels(seen, world) + [broken]
            for label, following in self.steps(world):
                if following not in seen:
                    seen[following] = world, label
                    todo.append(following)
        return count, None

    def steps(self, world):
        for i, known in enumerate(world.processes):
            def to(label, known, **more):
                return f'{i} {label}', world._replace(processes=world.processes[:i] + (known,) + world.processes[i + 1:], **more)

            if known != world.store: yield to('reads the store', world.store)
            if world.crashes: yield to('dies, and starts again', world.store, crashes=world.crashes - 1)
            if known.session == 1 and known.epoch == world.store.epoch:
                stored = Stored(known.epoch + 1, None, self.keeps)
                # What is not kept is sent once, by a process that lives.
                yield to('signs out', stored._replace(kept=True), store=stored)
            if known.kept: yield from self.send(world, known, to, i)
            if known.session is None and known.epoch == world.store.epoch: yield from self.sign_in(world, known, to)
        for target, i in world.flying:
            yield from self.arrive(world, target, i)

    def send(self, world, known, to, i):
        if self.by_cookie and self.looks and world.store.epoch > known.epoch: return
        target = world.jar if self.by_cookie else 1
        after = known if self.keeps and self.waits_for_answer else known._replace(kept=False)
        store = world.store if self.waits_for_answer else world.store._replace(kept=False)
        yield to(f'sends the sign-out of {target}', after, flying=world.flying | {(target, i)}, store=store)

    def sign_in(self, world, known, to):
        """The server ends a session whose cookie it replaces."""
        stays = known.kept and (not self.drops if self.by_cookie else self.carries)
        stored = Stored(known.epoch + 1, 2, stays)
        alive = (world.alive - {1} if self.by_cookie and world.jar == 1 else world.alive) | {2}
        if world.signed_in and world.jar == 2 and 2 in world.alive: yield to('stores the session', stored, store=stored)
        elif not world.signed_in and self.in_one_step: yield to('signs in', stored, store=stored, alive=alive, jar=2, signed_in=True)
        elif not world.signed_in: yield to('gets a session', known, alive=alive, jar=2, signed_in=True)

    def arrive(self, world, target, i):
        left = world._replace(flying=world.flying - {(target, i)})
        ended = left._replace(alive=world.alive - {target})
        if world.losses:
            yield f'the sign-out of {target} is lost', left._replace(losses=world.losses - 1)
            yield f'the answer to the sign-out of {target} is lost', ended._replace(losses=world.losses - 1)
        known = world.processes[i]._replace(kept=False)
        processes = world.processes[:i] + (known,) + world.processes[i + 1:]
        yield f'{i} hears that {target} is over', ended._replace(processes=processes, store=world.store._replace(kept=False))


def verdict(world):
    if world.signed_in and 2 not in world.alive: return 'the session of the later sign-in is over'
    is_told = world.store.kept or world.flying or any(known.kept for known in world.processes)
    if 1 in world.alive and world.store.session != 1 and not is_told: return 'the first session lives on'
    return None


def labels(seen, world):
    found = []
    while seen[world]:
        world, label = seen[world]
        found.append(label)
    return found[::-1]


HOLDS, ENDS = 'holds', 'ends'
TABLE = [
    ('a sign-out is kept with its token, and sent later', HOLDS, SignOuts()),
    ('... three processes', HOLDS, SignOuts(processes=3)),
    ('... it is not kept', ENDS, SignOuts(keeps=False)),
    ('... a request counts as heard without its answer', ENDS, SignOuts(waits_for_answer=False)),
    ('... a sign-in lets go of it', ENDS, SignOuts(carries=False)),
    ('a page with cookies keeps a mark, two tabs', HOLDS, SignOuts(by_cookie=True)),
    ('... a sign-in keeps the mark', ENDS, SignOuts(by_cookie=True, drops=False)),
    ('... a tab that comes back does not look before it sends the mark', ENDS, SignOuts(by_cookie=True, looks=False)),
    ('... a tab sends the mark between another one\'s new cookie and its hint', ENDS, SignOuts(by_cookie=True, in_one_step=False)),
]
