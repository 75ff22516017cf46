#!/usr/bin/env python3
"""Drives the example page in a browser, by W3C WebDriver: browse.py PAGE [BROWSER...]. BROWSER: chromium (the default), webkit.

PAGE is the folder of the built page. The page is served under its strict policy, over the scripted server of the suite.
"""
import json, os, socket, subprocess, sys, tempfile, time, urllib.error, urllib.request
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from server import Server
from front import Front

BROWSERS = {
    'chromium': (['chromedriver', '--port={port}'], lambda folder: {'goog:chromeOptions': {'args': [
        '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', f'--user-data-dir={folder}']}}),
    'webkit': (['WebKitWebDriver', '--port={port}'], lambda folder: {'webkitgtk:browserOptions': {
        'binary': '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser', 'args': ['--automation']}}),
}
HOUR = 3600


class Browser:
    """A browser, by the protocol of its driver."""

    def __init__(self, name, options=()):
        command, capabilities = BROWSERS[name]
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen([part.format(port=port) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.base = f'http://127.0.0.1:{port}'
        for _ in range(200):
            try: self.send('GET', '/status')
            except OSError: time.sleep(0.1)
            else: break
        wanted = capabilities(self.folder.name)
        if options:
            wanted['acceptInsecureCerts'] = True
            if 'goog:chromeOptions' in wanted: wanted['goog:chromeOptions']['args'] += options
        always = {'capabilities': {'alwaysMatch': wanted}}
        self.base += '/session/' + self.send('POST', '/session', always)['sessionId']

    def send(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == 'POST' else None
        request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response: return json.load(response)['value']
        except urllib.error.HTTPError as error: raise AssertionError(json.load(error)['value']['message'])

    def close(self):
        try: self.send('DELETE', '')
        finally:
            self.process.terminate()
            self.process.wait()
            self.folder.cleanup()

    # Tabs

    def open(self, url):
        """Opens a tab, and returns it."""
        tab = self.send('POST', '/window/new', {'type': 'tab'})['handle']
        self.show(tab)
        self.send('POST', '/url', {'url': url})
        return tab

    def show(self, tab): self.send('POST', '/window', {'handle': tab})

    def close_tabs(self):
        first, *others = self.send('GET', '/window/handles')
        for tab in others:
            self.show(tab)
            self.send('DELETE', '/window')
        self.show(first)

    # The page

    def run(self, script): return self.send('POST', '/execute/sync', {'script': script, 'args': []})

    def type(self, field, text):
        self.run(f'document.getElementById("{field}").value = {json.dumps(text)}')

    def submit(self, form): self.run(f'document.getElementById("{form}").requestSubmit()')

    def press(self, button): self.run(f'document.getElementById("{button}").click()')

    def shown(self): return self.run('return ["starting", "signedOut", "signedIn"].find((id) => !document.getElementById(id).hidden)')

    def text(self, place): return self.run(f'return document.getElementById("{place}").textContent')

    def until(self, what, wanted, read):
        for _ in range(200):
            if (found := read()) == wanted: return
            time.sleep(0.05)
        raise AssertionError(f'{what} is {found!r}, not {wanted!r}')

    def until_shown(self, section): self.until('the section', section, self.shown)

    def sign_in(self):
        self.until_shown('signedOut')
        self.type('phone', '+15551234567')
        self.submit('phoneForm')
        self.until('the form for the code', False, lambda: self.run('return document.getElementById("codeForm").hidden'))
        self.type('code', '123456')
        self.submit('codeForm')
        self.until_shown('signedIn')
        self.until('the name', 'Betty', lambda: self.text('name'))

    def call(self):
        self.run('document.getElementById("message").textContent = ""')
        self.press('hello')
        self.until('the message', 'The API says 200.', lambda: self.text('message'))

    def later(self, seconds):
        """The tab was asleep: its date has gone on, and it is looked at again."""
        self.run(f'const now = Date.now; Date.now = () => now() + {seconds * 1000};'
                 'document.dispatchEvent(new Event("visibilitychange"))')

    def page_text(self): return self.run('return document.body ? document.body.innerText : ""')

    def readable(self):
        """All that a script can read of what outlives the page."""
        return self.run('return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])')


def refreshes(server): return sum(request['path'] == '/auth/refresh' for request in server.seen)


def signs_in(browser, front, server):
    browser.open(front.base + page(front))
    browser.sign_in()
    browser.call()
    for secret in ('A0', 'A1', 'T0', 'T1', '"refreshToken"', '"accessToken"'):
        assert secret not in browser.readable(), browser.readable()


def renews(browser, front, server):
    signs_in(browser, front, server)
    before = refreshes(server)
    browser.later(2 * HOUR)
    browser.call()
    browser.call()
    assert refreshes(server) == before + 1, refreshes(server)
    assert not server.sessions[0].ended


def reloads(browser, front, server):
    signs_in(browser, front, server)
    browser.send('POST', '/refresh')
    if not front.has_cookies: return browser.until_shown('signedOut')
    browser.until_shown('signedIn')
    browser.until('the name', 'Betty', lambda: browser.text('name'))
    browser.run('localStorage.clear()')
    browser.send('POST', '/refresh')
    browser.until_shown('signedIn')
    browser.call()
    assert not server.sessions[0].ended


def two_tabs(browser, front, server):
    first = browser.open(front.base + page(front))
    browser.sign_in()
    second = browser.open(front.base + page(front))
    if front.has_cookies: browser.until_shown('signedIn')
    else: browser.sign_in()
    browser.call()
    # The first tab was frozen for an hour, and the second one goes on meanwhile.
    browser.later(HOUR)
    browser.call()
    browser.later(HOUR)
    browser.call()
    browser.show(first)
    browser.later(2 * HOUR)
    browser.call()
    assert not any(session.ended for session in server.sessions)
    browser.press('signOut')
    browser.until_shown('signedOut')
    browser.show(second)
    browser.until_shown('signedOut')
    browser.until('what the server knows', True, lambda: all(session.ended for session in server.sessions))


def ends(browser, front, server):
    signs_in(browser, front, server)
    server.sessions[0].ended = 'expired'
    browser.later(2 * HOUR)
    browser.press('hello')
    browser.until_shown('signedOut')
    browser.until('the reason', 'Your session has ended.', lambda: browser.text('reason'))


def back_and_forth(browser, front, server):
    """The back/forward cache ends nothing."""
    signs_in(browser, front, server)
    browser.send('POST', '/url', {'url': front.base + '/style.css'})
    browser.send('POST', '/back')
    # A browser that kept the page has its session in memory; one that did not has lost it, unless it is in a cookie.
    if front.has_cookies: browser.until_shown('signedIn')
    else: browser.until('a section', True, lambda: browser.shown() in ('signedIn', 'signedOut'))


def keeps_its_policy(browser, front, server):
    """Scripts that are no part of the page do not run."""
    signs_in(browser, front, server)
    browser.run('const script = document.createElement("script"); window.stolen = false;'
                'try { script.textContent = "window.stolen = true"; document.body.append(script) } catch {}')
    assert browser.run('return window.stolen') is False


def page(front): return '/' if front.has_cookies else '/?session=memory'


TESTS = [signs_in, renews, reloads, two_tabs, ends, back_and_forth, keeps_its_policy]


def main():
    folder, names = sys.argv[1], sys.argv[2:] or ['chromium']
    failed = 0
    for name in names:
        browser = Browser(name)
        try:
            for test in TESTS:
                for has_cookies in (False, True):
                    server = Server()
                    front = Front(server, folder, has_cookies)
                    try: test(browser, front, server)
                    except AssertionError as error:
                        failed += 1
                        requests = [(r['method'], r['path'], r['token']) for r in server.seen]
                        print(f'failed: {name}: {test.__name__}, cookies {has_cookies}: {error}\n    {requests}')
                    finally:
                        browser.close_tabs()
                        front.http.shutdown()
                        server.stop()
        finally: browser.close()
        print(f'{name}: {2 * len(TESTS)} tests, {failed} failed', flush=True)
    sys.exit(failed > 0)


if __name__ == '__main__': main()
