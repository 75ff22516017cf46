#!/usr/bin/env python3
"""Runs scenario files against a library's driver: run.py [-j JOBS] [--first] [--keychain FAULT] FILE... -- DRIVER...

A file is one scenario, or a table of them: the values of each row take the place of "$name". README.md has the words.
"""
import argparse, concurrent.futures, glob, json, queue, sys, time
from apps import App, Device
from keychain import KeychainDevice
from passkeys import MFA_TOKEN, RECOVERY_CODE, TOTP_CODE, TOTP_SECRET
from server import MERGE_CODE, MERGE_TOKEN, PAGE_CODE, RESTORE_TOKEN, Server

WORDS_OF_A_CALL = ('app', 'do', 'eventually', 'as', 'gives', 'refuses', 'times', 'keeps')


class Failure(Exception): pass


class Scenario:
    def __init__(self, steps, command, keychain=None):
        self.steps, self.command = steps, command
        self.device = KeychainDevice(keychain) if keychain else Device()
        self.server, self.apps, self.pending, self.last_token, self.old_logs, self.kept = Server(), {}, {}, None, [], {}

    def run(self):
        try:
            for number, step in enumerate(self.steps):
                try: self.perform(step)
                except (Failure, SystemExit) as failure: raise Failure(f'step {number} {json.dumps(step)[:200]}: {failure}')
            self.check_invariants()
        except (Failure, SystemExit) as failure:
            events = {name: app.events for name, app in self.apps.items()}
            requests = [f"{r['method']} {r['path']} {r['token'] or r['bearer']}" for r in self.server.seen]
            return f'{failure}\n    stored {self.device.stored()}, events {events}\n    requests {requests}'
        finally:
            self.server.stop()
            for app in self.apps.values(): app.kill()
            self.device.close()

    # Steps: the first word says which

    def perform(self, step):
        word = next(iter(step))
        handler = getattr(self, 'do_' + word, None)
        if not handler: raise Failure(f'unknown word: {word}')
        handler(step[word], step)

    def do_start(self, name, step):
        app = self.apps[name] = App(self.device, self.server.base, self.command)
        self.judge(app.wait(app.call(do='start', **({'told': True} if 'told' in step else {}))), step)

    def do_begin(self, name, step):
        """Starts an app, and does not wait until its session is known."""
        app = self.apps[name] = App(self.device, self.server.base, self.command)
        self.pending[step['as']] = app, [app.call(do='start')]

    def do_signIn(self, name, step):
        """Starts an app, and signs in there."""
        self.do_start(name, {})
        for call in ({'do': 'requestCode', 'phone': '+15551234567'}, {'do': 'signIn', 'code': '123456'}):
            app = self.apps[name]
            self.judge(app.wait(app.call(**call)), {'gives': '*'})

    def do_kill(self, name, step):
        app = self.apps.pop(name)
        app.kill()
        self.old_logs += app.log

    def settle(self):
        """Lets the store's answers arrive: a clock that jumps meanwhile would end the wait for them."""
        for _ in range(2):
            for app in self.apps.values():
                if not app.frozen: app.wait(app.call(do='state'), 1)

    def do_freeze(self, name, step): self.apps[name].freeze()

    def do_thaw(self, name, step): self.apps[name].thaw()

    def do_advance(self, seconds, step):
        self.settle()
        self.device.now += seconds
        self.do_wall(seconds, step)

    def do_wall(self, seconds, step):
        self.device.wall += seconds
        for app in self.apps.values(): app.send({})

    def do_device(self, changes, step):
        for name, value in changes.items(): setattr(self.device, name, value)

    def do_server(self, faults, step):
        with self.server.lock: self.server.faults += faults

    def do_set(self, values, step):
        for name, value in values.items(): setattr(self.server, name, set(value) if name == 'denied' else value)

    def do_life(self, seconds, step):
        for session in self.server.sessions: session.life = seconds

    def do_end(self, reason, step):
        for session in self.server.sessions: session.ended = reason

    def do_item(self, item, step): self.device.item = item if isinstance(item, str) or item is None else json.dumps(item)

    def do_addMembers(self, members, step): self.device.item = json.dumps({**json.loads(self.device.item), **members})

    def do_reached(self, name, step):
        try: found = self.server.reached.get(timeout=20)
        except queue.Empty: raise Failure('no such request came')
        if found != name: raise Failure(f'{found} was held instead')

    def do_release(self, name, step): self.server.held[name].set()

    def do_until(self, event, step):
        """Waits for an event."""
        app, count = self.apps[step.get('app', 'p1')], step.get('count', 1)
        with app.changed:
            if not app.changed.wait_for(lambda: sum(e.startswith(event) for e in app.events) >= count, 20):
                raise Failure(f'no such event; there were {app.events}')

    def do_do(self, call, step):
        app = self.apps[step.get('app', 'p1')]
        more = {k: v for k, v in step.items() if k not in WORDS_OF_A_CALL}
        if more.get('token') == '$last': more['token'] = self.last_token
        if 'kept' in more: more['kept'] = self.kept[more['kept']]
        # The server has two names, one of which is not the base URL's.
        if more.get('base') == 'server': more['base'] = self.server.base
        if more.get('base') == 'other name': more['base'] = self.server.base.replace('127.0.0.1', 'localhost')
        if 'cancels' in more: more['cancels'] = self.pending[more['cancels']][1][0]
        numbers = [app.call(do=call, **more) for _ in range(step.get('times', 1))]
        if 'as' in step: self.pending[step['as']] = app, numbers
        else: self.judge_all(app, numbers, step)

    def do_eventually(self, call, step):
        """Repeats a call until it gives what it should, for 5 seconds: the app may still be comparing its tokens with the store's."""
        end = time.monotonic() + 5
        while True:
            try: return self.do_do(call, step)
            except Failure:
                if time.monotonic() > end: raise
            time.sleep(0.02)

    def do_await(self, name, step):
        app, numbers = self.pending.pop(name)
        self.judge_all(app, numbers, step)

    def judge_all(self, app, numbers, step):
        for number in numbers: self.judge(app.wait(number), step)

    def judge(self, result, step):
        if result is None: raise Failure('no answer')
        ok, error = result.get('ok'), result.get('error')
        if step.get('do') in ('accessToken', 'refused') and ok: self.last_token = ok
        if 'keeps' in step: self.kept[step['keeps']] = ok
        if 'gives' in step:
            wanted = step['gives']
            if ok is None or not gives(ok, wanted):
                raise Failure(f'gave {ok}, refused {error}')
        if 'refuses' in step:
            wanted = step['refuses']
            if error is None or error != wanted and not error.startswith(wanted + ':'):
                raise Failure(f'gave {ok}, refused {error}')

    # Expectations

    def found(self, name, app):
        requests = self.server.seen
        refreshes = [r for r in requests if r['path'] == '/auth/refresh']
        if name.startswith('/'): return sum(r['path'] == name for r in requests)
        return {
            'refreshes': lambda: len(refreshes), 'keys': lambda: len({r['key'] for r in refreshes}),
            'ended': lambda: any(s.ended for s in self.server.sessions), 'stored': self.device.stored,
            'reasons': lambda: [s.ended for s in self.server.sessions], 'writes': lambda: self.device.writes,
            'unanswered': lambda: self.device.unanswered, 'kept': lambda: [k for u in json.loads(self.device.item or '{}').get('unconfirmed') or [] for k in sorted(u) if k not in ('since', 'origin')],
            'sessions': lambda: len(self.server.sessions), 'messages': lambda: self.server.code_messages,
            'events': lambda: list(app.events) if app else None, 'version': lambda: list(self.device.version(self.device.item)),
            'user': lambda: (app.wait(app.call(do='user')) or {}).get('ok'), 'record': lambda: json.loads(self.device.item or '{}'), 'bearers': lambda: [r['bearer'] for r in requests],
            'devices': lambda: [[r['device'], r['installation']] for r in requests if r['device'] or r['installation']],
            'own': lambda: [[r['own'], r['type']] for r in requests if r['path'].startswith('/api/')],
        }[name]()

    def do_expect(self, expected, step):
        """Waits until all of it holds, and until no request is on its way."""
        app, end = self.apps.get(step.get('app', 'p1')), time.monotonic() + 5
        while True:
            for each in self.apps.values():
                if not step.get('frozen'): each.wait(each.call(do='state'))
            wrong = {n: self.found(n, app) for n, v in expected.items() if not fits(self.found(n, app), v)}
            if not wrong: return
            if time.monotonic() > end: raise Failure(', '.join(f'{n} is {v!r}' for n, v in wrong.items()))
            with self.server.lock: self.server.lock.wait(0.02)

    def check_invariants(self):
        keys = {}
        for request in self.server.seen:
            if request['path'] == '/auth/refresh': keys.setdefault(request['token'], set()).add(request['key'])
            is_of_app = request['path'].startswith('/api') or request['path'].endswith('/authorize')
            if request['client'] is None and not is_of_app: raise Failure('no Latchkey-Client')
        for token, found in keys.items():
            if len(found) > 1 or None in found: raise Failure(f'{token} was sent with the keys {found}')
        if self.server.undocumented: raise Failure(f'not as in the API document: {self.server.undocumented[:3]}')
        if self.server.reuses: raise Failure('the server took a repeat for theft')
        if self.device.faults: raise Failure(self.device.faults[0])
        for app in self.apps.values(): app.kill()
        log = ''.join(self.old_logs + [line for app in self.apps.values() for line in app.log])
        secrets = {r[k] for r in self.server.seen for k in ('token', 'bearer', 'key') if r[k]}
        for secret in secrets | {'5551234567', '123456', '654321', PAGE_CODE, MERGE_CODE, MERGE_TOKEN, RESTORE_TOKEN, 'cursor=', 'other password', 'example.com',
                                 MFA_TOKEN, TOTP_SECRET, TOTP_CODE, RECOVERY_CODE, 'c2lnbmF0dXJl'}:
            if secret in log.replace(self.server.base, ''): raise Failure(f'the log contains {secret}')


def gives(ok, wanted):
    """Whether a call has given what is wanted: a text, or JSON with the members of an object."""
    if isinstance(wanted, dict): return json.loads(ok) == wanted
    return wanted in ('*', ok) or ok.startswith((wanted + '.', wanted + ':'))


def fits(found, wanted):
    """A wanted object names the members that matter; "*" is anything but null."""
    if wanted == '*': return found is not None
    if isinstance(wanted, dict) and isinstance(found, dict): return all(fits(found.get(k), v) for k, v in wanted.items())
    return found == wanted


def fill(value, row):
    """Puts a row's values in the place of "$name"."""
    if isinstance(value, str):
        if value[:1] == '$' and value[1:] in row: return row[value[1:]]
        for name in row: value = value.replace('{' + name + '}', str(row[name]))
        return value
    if isinstance(value, list): return [fill(each, row) for each in value]
    if isinstance(value, dict): return {fill(k, row): fill(v, row) for k, v in value.items()}
    return value


def features(driver, device):
    """The features that the driver says it has, as README.md lists them."""
    app = App(device, 'http://127.0.0.1:9', driver)
    try: return set(((app.wait(app.call(do='features')) or {}).get('ok') or '').split(','))
    finally:
        app.kill()
        device.close()


def load(patterns, lacks=(), has=()):
    """All scenarios of the files: (file, name, steps), but those that need what the driver or its platform lacks."""
    for path in sorted({p for pattern in patterns for p in glob.glob(pattern)}):
        with open(path) as file: content = json.load(file)
        for each in content if isinstance(content, list) else [content]:
            if not each.get('shows') or 'pains' not in each: raise SystemExit(f'{path}: "shows" and "pains" are missing')
            if each.get('since', '') not in {'', *has} or each.get('before') in has: continue
            for row in each.get('rows', [{}]):
                if row.get('needs') not in lacks: yield path, fill(each['name'], row), fill(each['steps'], row)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('-j', type=int, default=4)
    parser.add_argument('--first', action='store_true', help='stop at the first failure')
    parser.add_argument('--only', help='run scenarios whose name contains this')
    parser.add_argument('--lacks', action='append', default=[], help='something that the driver\'s platform cannot do')
    parser.add_argument('--keychain', help='the store is the stub Keychain, and its faults are these: locked, hidden, or a status')
    parser.add_argument('files', nargs='+')
    at = sys.argv.index('--')
    options, driver = parser.parse_args(sys.argv[1:at]), sys.argv[at + 1:]
    device = KeychainDevice(options.keychain) if options.keychain else Device()
    scenarios = [s for s in load(options.files, options.lacks, features(driver, device)) if not options.only or options.only in s[1]]
    failed, begun = 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        results = {pool.submit(lambda s=steps: Scenario(s, driver, options.keychain).run()): name
                   for _, name, steps in scenarios}
        for done in concurrent.futures.as_completed(results):
            if done.cancelled(): continue
            if why := done.result():
                failed += 1
                print(f'failed: {results[done]}: {why}', flush=True)
                if options.first: [each.cancel() for each in results]
    print(f'{len(scenarios)} scenarios, {failed} failed, {time.monotonic() - begun:.1f} s')
    sys.exit(failed > 0 or not scenarios)


if __name__ == '__main__': main()
