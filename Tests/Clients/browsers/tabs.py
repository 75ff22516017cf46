"""Tabs that open at once, each of which refreshes, behind a network that holds some messages longer than others."""
import http.server, random, threading, time, urllib.parse

TABS = 20
# A page that refreshes as it opens, without the library's lock between tabs; below the path of the refresh cookie.
PATH = '/auth/page?tab'
SCRIPT = 'ask("POST", "/auth/refresh", {}).then((answer) => { window.refreshed = answer.status });'


class Slow(http.server.BaseHTTPRequestHandler):
    """A proxy in front of the gateway that holds each request and each response of a refresh."""
    protocol_version = 'HTTP/1.1'
    gateway, send, statuses, lock = '', None, [], threading.Lock()

    def do_GET(self): self.serve()

    def do_POST(self): self.serve()

    def serve(self):
        is_held = self.path == '/auth/refresh'
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0)) if self.command == 'POST' else None
        # The gateway knows its own origin only.
        own = f'https://{self.headers["Host"]}'
        headers = {name: value for name, value in self.headers.items() if name not in ('Host', 'Connection', 'Accept-Encoding')}
        if headers.get('Origin') == own: headers['Origin'] = self.gateway
        if is_held: self.hold()
        status, text, fields = Slow.send(self.gateway, self.command, self.path, headers, body)
        if is_held: self.hold()
        self.send_response(status)
        for name, value in fields.items():
            if name.lower() not in ('content-length', 'transfer-encoding', 'connection', 'date', 'server'): self.send_header(name, value)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)
        if is_held:
            with self.lock: self.statuses.append(status)

    @staticmethod
    def hold(): time.sleep(random.uniform(0, 0.9 if random.random() < 0.2 else 0.3))

    def log_message(self, *_): pass


class Clock:
    """The clock of the stack, which reads its error in seconds from a file (deploy/lib/clock-shift.c)."""

    def __init__(self, file): self.file = file

    def later(self):
        """An hour passes."""
        with open(self.file) as file: seconds = int(file.read())
        with open(self.file, 'w') as file: file.write(f'+{seconds + 3600}')
        time.sleep(0.5)


def two_tabs(browser):
    """Tabs that open at once sign nobody out, whichever cookie the jar keeps; an hour later the page is signed in."""
    for number in range(browser.rounds):
        if number: start_again(browser)
        browser.open(browser.slow + PATH)
        browser.until('the first refresh', True, lambda: browser.run('return window.refreshed') is not None)
        browser.sign_in(browser.new_phone())
        Slow.statuses.clear()
        browser.run(f'for (let tab = 0; tab < {TABS}; tab++) window.open("{PATH}&" + tab)')
        browser.until('the number of refreshes', TABS, lambda: len(Slow.statuses))
        statuses = sorted(Slow.statuses)
        time.sleep(0.5)
        browser.close_tabs()
        browser.clock.later()
        browser.open(browser.slow + PATH)
        browser.until('a refresh', True, lambda: browser.run('return window.refreshed') is not None)
        status = browser.run('return window.refreshed')
        assert status == 200, f'round {number + 1}: {status} after an hour, and {statuses} when {TABS} tabs opened'
        assert set(statuses) == {200}, f'round {number + 1}: {statuses}'


def start_again(browser):
    """Leaves the page as at a first visit."""
    browser.tell('/cookie', 'DELETE')
    browser.close_tabs()


def serve(serve_handler, send, gateway, certificate):
    """Starts the proxy at the gateway's host, and returns its URL."""
    Slow.gateway, Slow.send = gateway, staticmethod(send)
    port = serve_handler(Slow, certificate=certificate)
    host = urllib.parse.urlsplit(gateway).hostname
    return f'https://{host}:{port}'
