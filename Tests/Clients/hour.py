#!/usr/bin/env python3
"""Level 2, the long form: hour.py [--minutes 60] [--users 3] [--life 60] GATEWAY INBOX -- DRIVER...

Each user has three processes over one store, in real time. Responses are cut, delayed and lost, the network goes down, processes
are frozen and killed, all at random. In the end each user must have the session of the beginning and no other, and all of them
together at most 1.2 renewals for each life of an access token. The server's access tokens live for `--life` seconds. A late
response leaves less of a life, so lives much shorter than the default would measure the proxy.
"""
import argparse, json, random, sys, threading, time
from apps import App, Device
from live import Person, Proxy

BOUND = 1.2
# FoundationNetworking on Linux ends the process where the head of a response is cut off: as good as a kill.
KNOWN_CRASH = "there's no response"


class RealTime(Device):
    """A device whose clocks are the real ones."""

    now = property(lambda self: time.monotonic(), lambda self, value: None)
    wall = property(lambda self: time.time(), lambda self, value: None)


class Storm(Proxy):
    """A proxy that has a fault for many renewals, and is down from time to time."""

    def __init__(self, gateway):
        super().__init__(gateway)
        self.calm, self.down_until, self.faults = False, 0, {}

    def note(self, fault):
        self.faults[fault] = self.faults.get(fault, 0) + 1
        return fault

    def is_down(self):
        if self.calm or time.monotonic() > self.down_until + 120: self.down_until = 0
        if not self.calm and not self.down_until and random.random() < 0.01:
            self.note('outage')
            self.down_until = time.monotonic() + random.uniform(5, 60)
        return time.monotonic() < self.down_until

    def next_fault(self):
        if self.calm or random.random() < 0.4: return None
        kind = self.note(random.choice(('cut', 'cut', 'request', 'late request', 'late response', '503', 'portal')))
        return random.randrange(max(self.longest, 700)) if kind == 'cut' else kind


class Life(Person):
    """A user with three processes, each in the hands of a thread of its own."""

    def __init__(self, proxy, inbox, command, life):
        self.life, self.failures, self.counts, self.is_over, self.apps = life, [], {}, False, []
        super().__init__(proxy, inbox, command, RealTime())
        self.apps, self.begun = [self.app] + [self.started() for _ in range(2)], time.monotonic()
        threading.Thread(target=self.tick, daemon=True).start()
        self.threads = [threading.Thread(target=self.use, args=(number,), daemon=True) for number in range(3)]
        for thread in self.threads: thread.start()

    def start(self): self.app = self.started()

    def started(self):
        app = App(self.device, self.proxy.base, self.command)
        # A twelfth of the life, as 300 seconds are of an hour.
        app.wait(app.call(do='start', early=self.life / 12))
        return app

    def tick(self):
        """Tells the processes the time, for their timers."""
        while not self.is_over:
            for app in list(self.apps): app.send({})
            time.sleep(0.25)

    def note(self, what): self.counts[what] = self.counts.get(what, 0) + 1

    def use(self, number):
        try:
            while not self.is_over:
                time.sleep(random.uniform(0.1, 2))
                self.act(number, random.random())
        except Exception as failure: self.failures.append(repr(failure))

    def act(self, number, chance):
        app = self.apps[number]
        if chance < 0.02:
            self.note('kills')
            return self.replace(number)
        if chance < 0.04:
            self.note('freezes')
            app.freeze()
            time.sleep(random.uniform(0.5, random.choice((5, 45, 180))))
            return app.thaw()
        call = dict(do='accessToken') if chance < 0.8 else dict(do='data', base=self.proxy.base, path='/api/hello')
        try: result = app.wait(app.call(**call), 60)
        except SystemExit:
            if KNOWN_CRASH not in ''.join(app.log): self.failures.append(f'a process has ended: {app.log[-3:]}')
            self.note('crashes')
            return self.replace(number)
        if result is None: self.failures.append(f'{call} has no result after 60 s')
        elif 'signedOut' in (result.get('error') or ''): self.failures.append(f'{call}: {result}')
        self.note('results' if result and 'ok' in result else 'errors')

    def replace(self, number):
        self.close(self.apps[number])
        if not self.is_over: self.apps[number] = self.started()

    def close(self, app):
        app.kill()
        if ends := [e for e in app.events if e.startswith('signedOut')]: self.failures.append(f'unasked: {ends}')

    def finish(self):
        """Notes the last failures, and returns the number of renewals and the lives of an access token."""
        self.is_over = True
        for thread in self.threads: thread.join(240)
        elapsed = time.monotonic() - self.begun
        for app in self.apps: self.close(app)
        generation = self.device.version(self.device.item)[1]
        self.start()
        token = self.call(do='accessToken') or {}
        if 'ok' not in token: self.failures.append(f'no access token in the end: {token}')
        elif (sessions := (self.call(do='sessions') or {}).get('ok')) != '1': self.failures.append(f'{sessions} sessions')
        self.app.kill()
        return generation - 1, elapsed / self.life


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--minutes', type=float, default=60)
    parser.add_argument('--users', type=int, default=3)
    parser.add_argument('--life', type=float, default=120, help='the life of an access token in seconds')
    parser.add_argument('--seed', type=int, default=random.randrange(1 << 32))
    parser.add_argument('gateway')
    parser.add_argument('inbox')
    at = sys.argv.index('--')
    options, command = parser.parse_args(sys.argv[1:at]), sys.argv[at + 1:]
    random.seed(options.seed)
    storm = Storm(options.gateway)
    storm.calm = True
    users = [Life(storm, options.inbox, command, options.life) for _ in range(options.users)]
    storm.calm, end = False, time.monotonic() + options.minutes * 60
    while time.monotonic() < end and not any(user.failures for user in users): time.sleep(1)
    storm.calm = True
    renewals, lives = map(sum, zip(*(user.finish() for user in users)))
    failures = [failure for user in users for failure in user.failures]
    if renewals > BOUND * lives: failures.append(f'{renewals} renewals in {lives:.1f} lives of an access token')
    counts = {name: sum(user.counts.get(name, 0) for user in users) for name in ('results', 'errors', 'kills', 'freezes', 'crashes')}
    print(f'{options.minutes:g} minutes, {options.users} users with 3 processes each, seed {options.seed}: {counts}, '
          f'{storm.renewals} requests for renewals with {json.dumps(storm.faults)}; {len(failures)} failures; '
          f'{renewals / lives:.2f} renewals for each life of an access token')
    for failure in failures: print(f'failed: {failure}')
    sys.exit(bool(failures))


if __name__ == '__main__': main()
