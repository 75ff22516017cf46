#!/usr/bin/env python3
"""Drives the example page against a real gateway: gateway.py GATEWAY INBOX PAGES PAGE [BROWSER...].

GATEWAY is `https://app.` and a host below `localhost`: its policy has `web`, and a route that serves the pages from the local port
PAGES. PAGE is the folder of the built page.
"""
import http.server, json, os, signal, sys, threading, time, types, urllib.parse, urllib.request
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import others
from drivers import Browser
from sites import page_file, reply

HOUR, numbers = 3600, iter(range(10000))


def serve(app, folder, port):
    """Serves the app's pages at its host, and an empty page at every other one."""
    class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            host = self.headers.get('X-Forwarded-Host') or self.headers['Host']
            found = page_file(folder, self.path) if f'https://{host}' == app else None
            headers, body = found or ({'Content-Type': 'text/html'}, b'<body>evil')
            reply(self, 200, headers.items(), body)

        def log_message(self, *_): pass

    server = http.server.ThreadingHTTPServer(('127.0.0.1', port), Pages)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()


def new_phone(): return f'+1555{time.time_ns() // 1000 % 900 + 100:03d}{next(numbers):04d}'


def codes(inbox, phone):
    """The codes sent to a phone, the newest first, without the notices that it gets about its account."""
    with urllib.request.urlopen(f'{inbox}/api/messages?to={urllib.parse.quote(phone)}') as response:
        return [message['code'] for message in json.load(response) if message.get('code')]


def code(inbox, phone, known=0):
    """The newest code to a phone, once there are more than are known."""
    for _ in range(200):
        found = codes(inbox, phone)
        if len(found) > known: return found[0]
        time.sleep(0.1)
    raise AssertionError('no code arrived')


def sign_in(browser, inbox):
    """Signs a new user in, and returns their id."""
    phone = new_phone()
    browser.sign_in(phone, lambda: code(inbox, phone), 'usr_')
    browser.call()
    return browser.text('name')


def visits(browser, sites, inbox):
    browser.open(sites.app)
    browser.until_shown('signedOut')
    browser.until('the reason', '', lambda: browser.text('reason'))


def reloads(browser, sites, inbox):
    browser.open(sites.app)
    user = sign_in(browser, inbox)
    browser.tell('/refresh')
    browser.until('the name', user, lambda: browser.text('name'))
    browser.run('localStorage.clear()')
    browser.tell('/refresh')
    browser.until('the name', user, lambda: browser.text('name'))
    browser.call()


def two_tabs(browser, sites, inbox):
    """Two tabs renew at once, again and again; one of them was frozen meanwhile; signing out in one signs out in both."""
    tabs = [browser.open(sites.app)]
    user = sign_in(browser, inbox)
    tabs.append(browser.open(sites.app))
    browser.until('the name', user, lambda: browser.text('name'))
    for _ in range(5):
        # If the date jumps during a request, the request times out, as it does in a tab that is frozen meanwhile.
        time.sleep(1)
        for tab in tabs:
            browser.show(tab)
            browser.later(2 * HOUR)
            browser.run('document.getElementById("message").textContent = ""; setTimeout(() => document.getElementById("hello").click(), 300)')
        for tab in tabs:
            browser.show(tab)
            browser.until('the message', 'The API says 200.', lambda: browser.text('message'))
    browser.show(tabs[0])
    browser.freeze()
    browser.show(tabs[1])
    for _ in range(2):
        browser.later(HOUR)
        browser.call()
    browser.show(tabs[0])
    browser.thaw()
    browser.later(3 * HOUR)
    browser.call()
    browser.press('signOut')
    for tab in tabs:
        browser.show(tab)
        browser.until_shown('signedOut')
    browser.run('localStorage.clear()')
    browser.tell('/refresh')
    browser.until_shown('signedOut')


def second_person(browser, sites, inbox):
    tabs = [browser.open(sites.app), browser.open(sites.app)]
    first = sign_in(browser, inbox)
    browser.press('signOut')
    browser.until_shown('signedOut')
    browser.show(tabs[0])
    second = sign_in(browser, inbox)
    assert first != second
    browser.show(tabs[1])
    browser.until('the name', second, lambda: browser.text('name'))
    browser.call()


def ends(browser, sites, inbox):
    """A session whose cookies are gone is over."""
    browser.open(sites.app)
    sign_in(browser, inbox)
    browser.tell('/cookie', 'DELETE')
    browser.later(2 * HOUR)
    browser.press('hello')
    browser.until_shown('signedOut')


def others_cannot(browser, sites, inbox):
    tab = browser.open(sites.app)
    user = sign_in(browser, inbox)
    for site in (sites.sibling, sites.stranger):
        browser.open(site)
        found = others.reach(browser, sites)
        assert found == ['', '{}', ''], found
        others.submit(browser, sites, '/auth/logout')
        browser.show(tab)
        browser.later(2 * HOUR)
        browser.call()
    browser.tell('/refresh')
    browser.until('the name', user, lambda: browser.text('name'))


TESTS = [visits, reloads, two_tabs, second_person, ends, others_cannot]


def stores_no_token(browser, sites):
    for tab in browser.tabs()[1:]:
        browser.show(tab)
        text = browser.readable() if browser.url() == sites.app + '/' else ''
        assert 'eyJ' not in text and 'rt_' not in text, text


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    app, inbox, port, folder = sys.argv[1:5]
    serve(app, folder, int(port))
    sites = types.SimpleNamespace(app=app, sibling=app.replace('//app.', '//evil.'), has_cookies=True,
                                  stranger='https://evil.localhost:' + app.rsplit(':', 1)[1])
    failed = 0
    for name in sys.argv[5:] or ['chromium']:
        browser = Browser(name)
        try:
            for test in TESTS:
                try:
                    test(browser, sites, inbox)
                    stores_no_token(browser, sites)
                except AssertionError as error:
                    failed += 1
                    print(f'failed: {name}: {test.__name__}: {error}', flush=True)
                browser.open(app)
                browser.tell('/cookie', 'DELETE')
                browser.run('localStorage.clear()')
                browser.close_tabs()
        finally: browser.close()
        print(f'{name}: {len(TESTS)} tests at the gateway, {failed} failed', flush=True)
    sys.exit(failed > 0)


if __name__ == '__main__': main()
