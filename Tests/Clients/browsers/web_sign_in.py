#!/usr/bin/env python3
"""Signs people in with Apple and an OpenID Connect provider in a browser: web_sign_in.py GATEWAY PAGES [BROWSER...].

GATEWAY is https://api.example.test:PORT, as in cookies.py. Its policy names GATEWAY/signed-in among `webRedirects`, Apple's Services
ID and the provider `acme`; latchkey-fakes play both.
"""
import json, os, sys, urllib.parse
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cookies
from cookies import Browser, serve

BEGIN = '''
const base64url = data => btoa(String.fromCharCode(...new Uint8Array(data))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
sessionStorage.setItem('verifier', verifier);
const challenge = base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
const query = new URLSearchParams({ challenge, redirect: location.origin + '/signed-in' });
setTimeout(() => location.assign(`${PATH}/authorize?${query}`), 0);
'''


def begin(browser, path):
    """Goes to the provider's page."""
    browser.open(browser.gateway + cookies.PATH)
    browser.run(BEGIN.replace('${PATH}', path))
    browser.until('the provider', True, lambda: browser.url().startswith('http://127.0.0.1:'))


def press(browser, button, subject=None):
    """Presses a button of the provider, and returns what the app's page has got."""
    if subject: browser.run(f'document.querySelector("[name=subject]").value = "{subject}"')
    browser.run(f'setTimeout(() => document.getElementById("{button}").click(), 0)')
    start = browser.gateway + '/signed-in?'
    browser.until('the app', True, lambda: browser.url().startswith(start))
    return dict(urllib.parse.parse_qsl(browser.url()[len(start):]))


def verify(browser, path, code, verifier='sessionStorage.getItem("verifier")'):
    answer = browser.run(f'return await ask("POST", "{path}/verify", {{ code: {json.dumps(code)}, verifier: {verifier} }})')
    return answer['status'], answer['text']


def signs_in(browser, path):
    begin(browser, path)
    code = press(browser, 'continue', f'000123.{cookies.new_phone()[1:]}')['code']
    assert verify(browser, path, code, '"' + 'w' * 43 + '"')[0] == 401
    status, text = verify(browser, path, code)
    assert status == 200 and json.loads(text)['isNewUser'], (status, text)
    user = json.loads(text)['user']['id']
    assert set(browser.cookies_at_page()) == cookies.NAMES
    assert user in browser.ask('GET', '/api/hello')[1]
    assert verify(browser, path, code)[0] == 401, 'a code served twice'
    return user


def declines(browser, path):
    begin(browser, path)
    assert press(browser, 'cancel') == {'error': 'access_denied'}


def second_person(browser, path):
    """A person who signs in over another one's session, whose cookies the browser has, becomes the user of the page."""
    first = signs_in(browser, path)
    assert signs_in(browser, path) != first


class Visitor(Browser):
    def cookies_at_page(self):
        """Our cookies, as the driver sees them below the path of the refresh cookie."""
        own = self.tell('/window', 'GET')
        self.open(self.gateway + cookies.PATH)
        found = self.cookies()
        self.show(own)
        return found


TESTS = [signs_in, declines, second_person]


class Pages(cookies.Pages):
    """The app's pages, without the headers by which those of cookies.py attack cookies."""

    def do_GET(self):
        page = b'<!doctype html><meta charset="utf-8"><title>page</title><script>' + cookies.SCRIPT.encode() + b'</script>'
        self.send_response(200)
        for name, value in [('Content-Type', 'text/html'), ('Content-Length', str(len(page))), ('Cache-Control', 'no-store')]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)


def main():
    gateway, pages = sys.argv[1:3]
    serve(Pages, int(pages))
    failed = 0
    for name in sys.argv[3:] or ['chromium']:
        browser = Visitor(name, "cookies", gateway, None)
        try:
            for path in ('/auth/apple', '/auth/oidc/acme'):
                for test in TESTS:
                    try: test(browser, path)
                    except (AssertionError, KeyError) as error:
                        failed += 1
                        print(f'failed: {name}: {test.__name__} {path}: {error!r}', flush=True)
                    finally:
                        browser.open(gateway + cookies.PATH)
                        browser.tell('/cookie', 'DELETE')
                        browser.close_tabs()
        finally: browser.close()
        print(f'{name}: {2 * len(TESTS)} sign-ins with providers, {failed} failed', flush=True)
    sys.exit(failed > 0)


if __name__ == '__main__': main()
