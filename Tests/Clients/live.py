#!/usr/bin/env python3
"""Level 2: a driver against a running Latchkey, through a proxy that cuts, loses and refuses: live.py GATEWAY INBOX -- DRIVER...

Each response to a renewal is cut after every byte (`--every 1`), and each second time the app is killed as well. After that the app
must have a token that the gateway accepts, in the same session. Store and clock are the runner's, as at level 1.
"""
import argparse, json, random, socket, sys, threading, time, urllib.parse, urllib.request
from apps import App, Device


class Proxy:
    """Passes requests on to the gateway; `fault` is the fault of the next renewal."""

    def __init__(self, gateway):
        self.target = urllib.parse.urlsplit(gateway)
        self.fault, self.renewals, self.longest = None, 0, 0
        self.listener = socket.create_server(('127.0.0.1', 0))
        self.base = f'http://127.0.0.1:{self.listener.getsockname()[1]}'
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with client:
            try:
                # One request for each connection: FoundationNetworking repeats a request on a connection that it uses again
                # without its body, and waits.
                if (request := self.message(client)) and not self.is_down():
                    with socket.create_connection((self.target.hostname, self.target.port), 20) as gateway:
                        fault = None
                        if request.startswith(b'POST /auth/refresh '):
                            self.renewals += 1
                            fault = self.next_fault()
                        if fault == 'request': return
                        if fault == 'late request': time.sleep(random.uniform(1, 30))
                        gateway.sendall(request)
                        response = self.message(gateway).replace(b'\r\n', b'\r\nConnection: close\r\n', 1)
                    if fault == 'late response': time.sleep(random.uniform(1, 30))
                    elif fault not in (None, 'late request'):
                        if fault == '503': response = b'HTTP/1.1 503 X\r\nContent-Length: 0\r\nRetry-After: 1\r\n\r\n'
                        elif fault == 'portal': response = b'HTTP/1.1 401 X\r\nContent-Length: 6\r\n\r\n<html>'
                        else:
                            self.longest = max(self.longest, len(response))
                            return client.sendall(response[:fault])
                    return client.sendall(response)
            except OSError: pass

    def is_down(self): return False

    def next_fault(self):
        fault, self.fault = self.fault, None
        return fault

    @staticmethod
    def message(connection):
        """One message with a Content-Length; empty at the end of the connection."""
        data = b''
        while b'\r\n\r\n' not in data:
            part = connection.recv(65536)
            if not part: return b''
            data += part
        head, _, body = data.partition(b'\r\n\r\n')
        lengths = [line.split(b':')[1] for line in head.split(b'\r\n') if line.lower().startswith(b'content-length:')]
        length = int(lengths[0]) if lengths else 0
        while len(body) < length:
            part = connection.recv(65536)
            if not part: break
            body += part
        return head + b'\r\n\r\n' + body


class Person:
    """A new user with a device of their own."""

    def __init__(self, proxy, inbox, command, device=None):
        self.device, self.proxy, self.command, self.app = device or Device(), proxy, command, None
        self.device.wall = time.time()
        phone = f'+1555{random.randrange(2000000, 9999999)}'
        self.start()
        self.ask('sent', do='requestCode', phone=phone)
        self.ask('*', do='signIn', code=code(inbox, phone))

    def start(self):
        self.app = App(self.device, self.proxy.base, self.command)
        self.app.wait(self.app.call(do='start'))

    def call(self, **call):
        """The result of a call, or None if the process has ended."""
        try: return self.app.wait(self.app.call(**call))
        except SystemExit: return None

    def ask(self, wanted, **call):
        result = self.call(**call) or {}
        if wanted != '*' and result.get('ok') != wanted or 'ok' not in result:
            raise SystemExit(f'{call}: {result}, stored {self.device.stored()[:8]}, events {self.app.events}')
        return result['ok']

    def advance(self, seconds):
        self.device.now += seconds
        self.device.wall += seconds
        self.app.send({})

    def renew_with(self, fault, kill):
        """A renewal that goes wrong, and what follows."""
        self.advance(86400)
        before = self.device.stored()
        self.proxy.fault = fault
        self.call(do='accessToken')
        # FoundationNetworking on Linux ends the process where a head is cut off: as good as a kill.
        if kill or self.app.process.poll() is not None:
            self.app.kill()
            self.start()
        self.proxy.fault = None
        self.advance(70)
        self.ask('*', do='accessToken')
        end = time.monotonic() + 5
        while self.device.stored() == before:                # A token is given before it is stored.
            if time.monotonic() > end: raise SystemExit('nothing was renewed')
            self.call(do='state')
        self.ask('200', do='data', base=self.proxy.base, path='/api/hello')


def code(inbox, phone):
    for _ in range(100):
        with urllib.request.urlopen(f'{inbox}/api/messages?to={urllib.parse.quote(phone)}') as response:
            messages = json.load(response)
        if messages: return messages[0]['code']
        time.sleep(0.05)                                     # The message is on its way through other processes.
    raise SystemExit('no code arrived')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--every', type=int, default=1, help='cut after each so many bytes')
    parser.add_argument('gateway')
    parser.add_argument('inbox')
    at = sys.argv.index('--')
    options, command = parser.parse_args(sys.argv[1:at]), sys.argv[at + 1:]
    proxy, begun = Proxy(options.gateway), time.monotonic()
    person, cut, cuts = None, 0, 0
    while cut <= max(proxy.longest, 1):
        # The server lets a user renew ten times a minute, so each person has four faults, of two renewals each.
        if cuts % 4 == 0:
            if person: finish(person)
            person = Person(proxy, options.inbox, command)
        person.renew_with(cut, kill=cuts % 2 == 1)
        cut, cuts = cut + options.every, cuts + 1
    finish(person)
    for fault in ('request', '503', 'portal'):
        person = Person(proxy, options.inbox, command)
        person.renew_with(fault, kill=False)
        person.renew_with(fault, kill=True)
        finish(person)
    many(Person(proxy, options.inbox, command), proxy)
    revoked(Person(proxy, options.inbox, command))
    print(f'{cuts} cuts of a response of {proxy.longest} bytes, {proxy.renewals} renewals, no user was signed out; '
          f'{time.monotonic() - begun:.0f} s')


def finish(person):
    """No second session, and a sign-out that the server confirms."""
    person.ask('1', do='sessions')
    sign_out(person)
    if any(e.startswith('signedOut') and e != 'signedOut:asked' for e in person.app.events): raise SystemExit(person.app.events)
    person.app.kill()


def sign_out(person):
    """A library that keeps sign-outs says after the state whether the store and the server have this one."""
    result = person.ask('*', do='signOut')
    if result not in ('signedOut:asked', 'signedOut:asked:stored:confirmed'): raise SystemExit(f'signOut: {result}')


def many(person, proxy):
    """Fifty callers share one renewal."""
    person.advance(86400)
    before = proxy.renewals
    numbers = [person.app.call(do='accessToken') for _ in range(50)]
    tokens = {(person.app.wait(number) or {}).get('ok') for number in numbers}
    if len(tokens) != 1 or None in tokens or proxy.renewals != before + 1: raise SystemExit('fifty callers did not share')
    finish(person)


def revoked(person):
    """A session that another copy of the record has ended is over here as well."""
    copy, item = Person.__new__(Person), person.device.item
    copy.device, copy.proxy, copy.command = Device(), person.proxy, person.command
    copy.device.item, copy.device.now, copy.device.wall = item, person.device.now, person.device.wall
    copy.start()
    sign_out(copy)
    copy.app.kill()
    person.advance(86400)
    result = person.call(do='accessToken') or {}
    if not result.get('error', '').startswith('signedOut'): raise SystemExit(f'a revoked session gave {result}')
    person.app.kill()


if __name__ == '__main__': main()
