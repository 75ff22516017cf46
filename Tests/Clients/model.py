#!/usr/bin/env python3
"""Level 4: explores every interleaving of app processes that share one store, and asserts which rules of a client hold.

The server rotates as deploy/docs describes it. The network loses responses and delays requests, processes die, writes fail. A
rule "ends" if there is an interleaving in which a session is over without a sign-out, or in which a process says so.

A request does not live forever: its age is counted in rotations since it was *sent*. Rotations are 30 s apart and a request lives
for 20 s, so at most one rotation happens within its life. With `haste`, a rotation that the user's proof brings about may come
earlier, but 30 s pass before and after the two: a request whose token was followed by a second rotation in haste is dead at the third.
"""
import sys
from collections import deque
import model_signouts


class Rules:
    """The rules of a client (`key` and the flags), and the number of faults that it meets."""

    def __init__(self, key, processes=2, writes='atomic', waits_until_saved=True, reads_first=True, reads_at_401=True,
                 grace=True, says_superseded=False, retries=True, lives=1, generations=3, crashes=1, losses=1, failures=1, thief=None,
                 again=None, haste=False):
        self.key, self.processes, self.writes, self.waits_until_saved = key, processes, writes, waits_until_saved
        self.reads_first, self.reads_at_401, self.grace, self.lives = reads_first, reads_at_401, grace, lives
        self.says_superseded, self.retries = says_superseded, retries
        self.generations, self.crashes, self.losses, self.failures, self.thief = generations, crashes, losses, failures, thief
        self.again, self.haste = again, haste


def present(server, token, key, rules):
    """The server's answer to a refresh token. Its state: generation, key of the last rotation and of that before, ended."""
    generation, last, earlier, ended = server
    if ended: return server, ('refused',)
    if token == generation: return (generation + 1, key, last, False), ('tokens', generation + 1)
    if token == generation - 1 and key is not None and key == last: return server, ('tokens', generation)
    if rules.grace and token == generation - 2 and key is not None and key == earlier:
        return server, ('superseded' if rules.says_superseded else 'refused',)
    return (generation, last, earlier, True), ('refused',)


def explore(rules):
    """The number of states, and the first interleaving that breaks the rule, or None."""
    idle = ('idle', None, None, None, False)                  # phase, memory, request, response, unsaved
    first = ((0, None, None, False), (0, None), (idle,) * rules.processes, frozenset(), 0,
             rules.crashes, rules.losses, rules.failures, rules.again is not None)
    seen, todo, count = {first: None}, deque([first]), 0
    while todo:
        state = todo.popleft()
        count += 1
        broken = verdict(state)
        if broken: return count, path(seen, state) + [broken]
        for label, following in steps(rules, state):
            if following not in seen:
                seen[following] = state, label
                todo.append(following)
    return count, None


def verdict(state):
    if state[0][3]: return 'the session is over without a sign-out'
    if any(process[0] == 'out' for process in state[2]): return 'a process says "signed out" while the session lives'
    return None


def path(seen, state):
    labels = []
    while seen[state]:
        state, label = seen[state]
        labels.append(label)
    return labels[::-1]


def steps(rules, state):
    server, store, processes, late, drawn, crashes, losses, failures, again = state
    found = []

    def go(label, index=None, process=None, server=server, store=store, late=late, drawn=drawn, crashes=crashes,
           losses=losses, failures=failures, again=again):
        after = processes if index is None else processes[:index] + (process,) + processes[index + 1:]
        found.append((label, (server, store, after, late, drawn, crashes, losses, failures, again)))

    def alive(request): return server[0] - request[0] <= 2 if rules.haste else server[0] - request[2] <= rules.lives

    for i, (phase, memory, request, response, unsaved) in enumerate(processes):
        def to(label, phase='idle', memory=memory, request=None, response=None, unsaved=unsaved, **more):
            go(f'{i} {label}', i, (phase, memory, request, response, unsaved), **more)

        if phase == 'idle':
            idle_steps(rules, server, store, memory, unsaved, drawn, to)
            if again: same_session_again(rules, server, memory or store, to)
        elif phase == 'sent' and not alive(request):
            to('gives the request up')
        elif phase == 'sent':
            after, answer = present(server, request[0], request[1], rules)
            to(f'gets {answer}', 'answered', request=request, response=answer, server=after)
            if losses:
                to(f'loses {answer}', server=after, losses=losses - 1)
                to('has a late request', late=late | {request}, losses=losses - 1)
        elif phase == 'answered':
            answered_steps(rules, store, memory, request, response, drawn, failures, to)
        elif phase == 'saving':
            to(f'writes T{memory[0]}', store=memory, unsaved=False)
        if crashes and phase != 'out':
            more = {'late': late | {request}} if phase == 'sent' else {}
            to('dies', memory=None, unsaved=False, crashes=crashes - 1, **more)
    for request in late:
        if alive(request):
            after, answer = present(server, request[0], request[1], rules)
            go(f'a late T{request[0]} gets {answer}', server=after, late=late - {request})
    if rules.thief: thief_steps(rules, server, store, go)
    return found


def idle_steps(rules, server, store, memory, unsaved, drawn, to):
    """A process begins a renewal, or saves what it could not save before."""
    if server[0] < rules.generations and not (unsaved and rules.waits_until_saved):
        record = memory if unsaved or (memory and not rules.reads_first) else store
        token, stored_key = record
        key, more = stored_key, {}
        if rules.key == 'none': key = None
        elif rules.key in ('derived', 'jar'): key = f'h{token}'
        elif rules.key == 'memory': key, more = f'r{drawn}', {'drawn': drawn + 1}
        elif rules.key == 'stored' and not stored_key:
            key, more = f'r{drawn}', {'drawn': drawn + 1}
            if not unsaved: more['store'] = (token, key)
        to(f'sends T{token} with {key}', 'sent', memory=record, request=(token, key, server[0]), **more)
    if unsaved:
        if rules.writes != 'last' and store[0] >= memory[0]: to(f'finds T{store[0]}', memory=store, unsaved=False)
        else: to(f'saves T{memory[0]} again', store=memory, unsaved=False)


def same_session_again(rules, server, known, to):
    """The response to the proof that has opened the session comes a second time, with the first refresh token.

    A client that knows its session by the proof keeps it. One that compares tokens takes it for another session once it has renewed,
    and ends "the session that it replaces", which is the same one.
    """
    is_known = {'record': True, 'token': known[0] == 0, 'replaces': False}[rules.again]
    to('knows the proof' if is_known else f'ends the session of T{known[0]}', again=False,
       server=server if is_known else server[:3] + (True,))


def answered_steps(rules, store, memory, request, response, drawn, failures, to):
    if response[0] == 'superseded':
        # The client waits, and reads its store again.
        to('waits', memory=None) if rules.retries else to('believes that it has no session', 'out')
        return
    if response[0] == 'refused':
        if rules.reads_at_401 and store[0] != request[0]: to(f'finds T{store[0]} instead', memory=store)
        else: to('believes the refusal', 'out')
        return
    record = (response[1], None)
    if rules.key == 'jar':
        # A browser writes what the response sets, in the order of arrival, and a page cannot compare.
        to(f'has the jar set T{record[0]}', memory=record, store=record, unsaved=False)
    elif rules.writes != 'last' and store[0] >= record[0]:
        to(f'finds T{store[0]}', memory=store, unsaved=False)
    elif rules.writes == 'two steps':
        to('compares', 'saving', memory=record)
    else:
        to(f'saves T{record[0]}', memory=record, store=record, unsaved=False)
        if failures: to(f'cannot save T{record[0]}', memory=record, unsaved=True, failures=failures - 1)


def thief_steps(rules, server, store, go):
    """A thief of the whole record has secret and token, and presents the present token with the key that belongs to it."""
    token = server[0]
    if token < rules.generations and (rules.thief == 'greedy' or token == store[0]):
        after, answer = present(server, token, f'h{token}', rules)
        go(f'the thief sends T{token}, gets {answer}', server=after)


HOLDS, ENDS = 'holds', 'ends'
TABLE = [
    ('no key, one process', ENDS, Rules('none', processes=1)),
    ('a random key in memory, one process', ENDS, Rules('memory', processes=1)),
    ('a random key stored before sending (by-hand.md), one process', HOLDS, Rules('stored', processes=1, writes='last')),
    ('... renews although the last result is unsaved', ENDS, Rules('stored', processes=1, writes='last', waits_until_saved=False)),
    ('a random key stored before sending, two processes', ENDS, Rules('stored', writes='last')),
    ('... the newest wins, and the key is drawn and stored in one step', HOLDS, Rules('stored')),
    ('a derived key, the newest wins, one process', HOLDS, Rules('derived', processes=1, generations=6, crashes=3, losses=3, failures=2)),
    ('a derived key, the newest wins, two processes', HOLDS, Rules('derived', generations=4, crashes=2, losses=2, failures=2)),
    ('a derived key, the newest wins, three processes', HOLDS, Rules('derived', processes=3, crashes=0)),
    ('... the last write wins', ENDS, Rules('derived', writes='last')),
    ('... compares and writes in two steps', ENDS, Rules('derived', writes='two steps')),
    ('... renews although the last result is unsaved', ENDS, Rules('derived', waits_until_saved=False)),
    ('... does not read the store before a renewal', ENDS, Rules('derived', reads_first=False)),
    ('... does not read the store at a refusal', ENDS, Rules('derived', reads_at_401=False)),
    ('... a server without the rule for late copies', ENDS, Rules('derived', grace=False)),
    ('... does not read the store at a refusal, but the server says "superseded"', HOLDS, Rules('derived', reads_at_401=False, says_superseded=True)),
    ('... two rotations within a request\'s life', ENDS, Rules('derived', lives=2)),
    ('... but for one in haste, which none in haste follows', HOLDS, Rules('derived', haste=True, generations=4, crashes=2, losses=2, failures=2)),
    ('a cookie jar with a derived key, two tabs', HOLDS, Rules('jar', failures=0, says_superseded=True)),
    ('... three tabs', HOLDS, Rules('jar', processes=3, failures=0, crashes=0, says_superseded=True)),
    ('... a tab that does not try again after "superseded"', ENDS, Rules('jar', failures=0, retries=False, says_superseded=True)),
    ('... a server that does not say "superseded"', ENDS, Rules('jar', failures=0)),
    ('a cookie jar with a random key, two tabs', ENDS, Rules('memory', writes='last', failures=0, says_superseded=True)),
    ('the same session comes again: the record has its proof', HOLDS, Rules('derived', again='record')),
    ('... only refresh tokens are compared', ENDS, Rules('derived', again='token')),
    ('... the session before it is ended', ENDS, Rules('derived', again='replaces')),
    ('a thief of the whole record who renews in step with its owner is not noticed', HOLDS, Rules('derived', processes=1, thief='in step', generations=4)),
    ('a thief of the whole record who renews twice: the session ends', ENDS, Rules('derived', processes=1, thief='greedy', generations=4, says_superseded=True)),
]


def main():
    wrong = 0
    for name, expected, rules in TABLE + model_signouts.TABLE:
        count, broken = explore(rules) if isinstance(rules, Rules) else rules.explore()
        result = ENDS if broken else HOLDS
        wrong += result != expected
        print(f'{name:88} {count:8} states  {result}{"" if result == expected else f", but should be: {expected}"}')
        if broken and '-v' in sys.argv or result != expected: print('    ' + '; '.join(broken or []))
    sys.exit(wrong > 0)


if __name__ == '__main__': main()
