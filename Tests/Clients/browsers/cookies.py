#!/usr/bin/env python3
"""Drives pages in a browser against a real gateway over https: cookies.py WEB GATEWAY INBOX PAGES CERTIFICATE KEY [BROWSER...].

GATEWAY is https://api.example.test:PORT, whose policy has `web: WEB` and a route that serves every page from the local port PAGES.
With `refreshCookie` the tabs that open at once are tried only. LATCHKEY_CLOCK_FILE is the file that moves the clock of the stack, and
LATCHKEY_ROUNDS says how often the tabs open (5). The browser finds the hosts of these tests on this machine. BROWSER: chromium (the
default), firefox, webkit; the last one needs the hosts in /etc/hosts (deploy/clients sees to it).
"""
import http.server, json, os, ssl, sys, threading, time, urllib.error, urllib.parse, urllib.request
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import drivers, tabs

HOSTS = ['api.example.test', 'evil.example.test', 'www.other.test']
TRUST_ALL = ssl._create_unverified_context()
REFRESH, PAGE, ACCESS = '__Secure-latchkey-refresh', '__Host-latchkey-page', '__Host-latchkey-access'
NAMES = {REFRESH, PAGE, ACCESS}
# A page below the path of the refresh cookie, so that the driver sees it.
PATH = '/auth/page'

# What every page has: requests, and their results as JSON.
SCRIPT = '''
async function ask(method, url, body, mode) {
  const init = { method, mode: mode || 'cors', credentials: 'include', cache: 'no-store' };
  if (body !== undefined) { init.body = JSON.stringify(body); if (!mode) init.headers = { 'Content-Type': 'application/json' }; }
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch (error) { return { status: 0, text: String(error) }; }
}
'''


class Pages(http.server.BaseHTTPRequestHandler):
    """The app's pages, which are the same at every host. They set a cookie of their own, and try to set and clear ours."""

    def do_GET(self):
        script = SCRIPT + (tabs.SCRIPT if self.path.startswith(tabs.PATH) else '')
        page = b'<!doctype html><meta charset="utf-8"><title>page</title><script>' + script.encode() + b'</script>'
        self.send_response(200)
        for name, value in [('Content-Type', 'text/html'), ('Content-Length', str(len(page))), ('Cache-Control', 'no-store'),
                            ('Set-Cookie', 'own=1; Path=/'), ('Set-Cookie', f'{ACCESS}=stolen; Path=/; Secure'),
                            ('Clear-Site-Data', '"cookies"'), ('X-Seen', self.headers.get('Cookie', ''))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_): pass


class Careless(http.server.BaseHTTPRequestHandler):
    """A front of the gateway without the check: it states the API's own origin, whoever asks. Cookies know no ports."""
    gateway = ''

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('Content-Length') or 0))
        headers = {'Cookie': self.headers.get('Cookie', ''), 'Origin': self.gateway}
        status, text, _ = send(self.gateway, 'POST', self.path, headers, body)
        self.send_response(status)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_): pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    # Twenty tabs connect at once.
    request_queue_size = 128


def serve(handler, port=0, certificate=None):
    server = Server(('127.0.0.1', port), handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
        # The handshake is done by the connection's own thread: a browser opens connections before it uses them.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, kwargs={'poll_interval': 0.05}, daemon=True).start()
    return server.server_address[1]


def send(gateway, method, path, headers=(), body=None):
    """A request that is no browser's."""
    parts = urllib.parse.urlsplit(gateway)
    fields = {'Host': parts.netloc, **dict(headers)}
    if body is not None: fields['Content-Type'] = 'application/json'
    request = urllib.request.Request(f'https://127.0.0.1:{parts.port}{path}', body, fields, method=method)
    try:
        with urllib.request.urlopen(request, context=TRUST_ALL) as response: return response.status, response.read(), response.headers
    except urllib.error.HTTPError as error: return error.code, error.read(), error.headers


class Browser(drivers.Browser):
    """A browser at the gateway's pages."""

    new_phone = staticmethod(lambda: new_phone())

    def __init__(self, name, web, gateway, inbox):
        super().__init__(name, HOSTS)
        self.web, self.gateway, self.inbox = web, gateway, inbox

    def ask(self, method, url, body=None, mode=None):
        """Sends a request of the page, and returns its status and text."""
        arguments = ', '.join('undefined' if value is None else json.dumps(value) for value in (method, url, body, mode))
        answer = self.run(f'return ask({arguments})')
        return answer['status'], answer['text']

    def cookies(self):
        """Our cookies of the page's host, by name; scripts see none of them."""
        return {cookie['name']: cookie for cookie in self.tell('/cookie', 'GET') if cookie['name'] in NAMES}

    def at(self, host): return self.gateway.replace('api.example.test', host)

    def sign_in(self, phone):
        assert self.ask('POST', '/auth/otp/request', {'phoneNumber': phone})[0] == 200
        url = f'{self.inbox}/api/messages?to={urllib.parse.quote(phone)}'
        for _ in range(100):
            with urllib.request.urlopen(url) as response: messages = json.load(response)
            if messages: break
            time.sleep(0.05)
        status, text = self.ask('POST', '/auth/otp/verify', {'phoneNumber': phone, 'code': messages[0]['code']})
        assert status == 200, (status, text)
        assert sorted(json.loads(text)['tokens']) == ['accessToken'] * (self.web == 'refreshCookie') + ['expiresIn'], text
        return json.loads(text)['user']['id']

    def is_signed_in(self): return self.ask('GET', '/api/hello')[0] == 200

    def reload(self): self.tell('/refresh')


count = 0


def new_phone():
    global count
    count += 1
    return f'+1555{time.time_ns() // 1000 % 9_000_000 + 1_000_000 + count:07d}'


def signs_in(browser):
    browser.open(browser.gateway + PATH)
    user = browser.sign_in(new_phone())
    assert user in browser.ask('GET', '/api/hello')[1]
    assert set(browser.cookies()) == NAMES, browser.cookies()
    for cookie in browser.cookies().values(): assert cookie['httpOnly'] and cookie['secure'] and not cookie['domain'].startswith('.')
    assert browser.run('return document.cookie') == 'own=1', 'a script reads a cookie, or the page cleared its own'
    assert browser.readable().count('eyJ') == 0
    return user


def reloads(browser):
    user = signs_in(browser)
    before = browser.cookies()
    browser.reload()
    assert browser.cookies()[ACCESS] == before[ACCESS], 'an upstream has set or cleared a cookie of ours'
    assert user in browser.ask('GET', '/api/hello')[1]
    # Without the access cookie, as after its lifetime, one refresh brings the session back.
    browser.tell('/cookie/' + ACCESS, 'DELETE')
    assert not browser.is_signed_in()
    assert browser.ask('POST', '/auth/refresh', {})[0] == 200 and browser.is_signed_in()
    assert browser.cookies()[REFRESH]['value'] != before[REFRESH]['value']
    assert browser.cookies()[PAGE]['value'] == before[PAGE]['value']


def second_person(browser):
    first = signs_in(browser)
    old = '; '.join(f'{name}={cookie["value"]}' for name, cookie in browser.cookies().items())
    assert send(browser.gateway, 'GET', '/api/hello', {'Cookie': old})[0] == 200
    second = browser.sign_in(new_phone())
    assert second != first and second in browser.ask('GET', '/api/hello')[1]
    time.sleep(0.3)
    assert send(browser.gateway, 'GET', '/api/hello', {'Cookie': old})[0] == 401, 'the first session lives'


def signs_out(browser):
    signs_in(browser)
    other = browser.open(browser.gateway + PATH)
    old = '; '.join(f'{name}={cookie["value"]}' for name, cookie in browser.cookies().items())
    assert browser.ask('POST', '/auth/logout', {})[0] == 200
    assert browser.cookies() == {} and not browser.is_signed_in()
    assert browser.ask('POST', '/auth/refresh', {})[0] == 401
    time.sleep(0.3)
    assert send(browser.gateway, 'GET', '/api/hello', {'Cookie': old})[0] == 401
    browser.show(other)
    assert not browser.is_signed_in()


def others_cannot(browser):
    """A page on another host of the site, and one on another site, neither read nor act."""
    signs_in(browser)
    own = browser.tell('/window', 'GET')
    before = {name: cookie['value'] for name, cookie in browser.cookies().items()}
    for host in ('evil.example.test', 'www.other.test'):
        browser.open(browser.at(host) + '/')
        api = browser.gateway
        for mode in (None, 'no-cors'):
            status, text = browser.ask('GET', api + '/api/hello', None, mode)
            assert (status, text.startswith('TypeError')) == (0, True) or (status, text) == (0, ''), (host, status, text)
            for path in ('/auth/refresh', '/auth/logout', '/api/echo'):
                assert browser.ask('POST', api + path, {}, mode)[0] == 0, (host, path)
        browser.run(f'const form = document.createElement("form"); form.method = "post"; form.action = "{api}/auth/logout";'
                    'document.body.append(form); form.submit()')
        browser.until('the answer to a form', True, lambda: 'cross_site' in browser.page_text() or 'needed' in browser.page_text())
    browser.show(own)
    assert {name: cookie['value'] for name, cookie in browser.cookies().items()} == before
    assert browser.is_signed_in() and browser.ask('POST', '/auth/refresh', {})[0] == 200


def links_open_signed_in(browser):
    user = signs_in(browser)
    for host in ('evil.example.test', 'www.other.test'):
        browser.open(browser.at(host) + '/')
        browser.run(f'location.href = "{browser.gateway}/api/hello"')
        browser.until('the page behind a link', True, lambda: user in browser.page_text())


def tossed_cookies(browser):
    """A host of the site sets a refresh cookie for the whole domain: nobody is signed in by it."""
    signs_in(browser)
    attackers = browser.cookies()[REFRESH]['value']
    browser.tell('/cookie', 'DELETE')
    browser.open(browser.at('evil.example.test') + '/')
    browser.run(f'document.cookie = "{REFRESH}={attackers}; Domain=example.test; Path=/; Secure"')
    browser.open(browser.gateway + PATH)
    status, text = browser.ask('POST', '/auth/refresh', {})
    assert status == 401 and 'missing_token' in text, (status, text)
    # Over a session of one's own the name comes twice.
    status, text = browser.ask('POST', '/auth/otp/request', {'phoneNumber': new_phone()})
    assert status == 200
    browser.open(browser.at('evil.example.test') + '/')
    browser.run(f'document.cookie = "{REFRESH}=; Domain=example.test; Path=/; Secure; Max-Age=0"')
    browser.open(browser.gateway + PATH)
    signs_in(browser)
    browser.open(browser.at('evil.example.test') + '/')
    browser.run(f'document.cookie = "{REFRESH}={attackers}; Domain=example.test; Path=/; Secure"')
    own = browser.open(browser.gateway + PATH)
    status, text = browser.ask('POST', '/auth/refresh', {})
    assert status == 400 and 'ambiguous_cookie' in text, (status, text)
    assert browser.is_signed_in()
    browser.open(browser.at('evil.example.test') + '/')
    browser.run(f'document.cookie = "{REFRESH}=; Domain=example.test; Path=/; Secure; Max-Age=0"')
    browser.show(own)
    assert browser.ask('POST', '/auth/refresh', {})[0] == 200


def without_the_check(browser):
    """The control: behind a front that states the API's own origin, another host's page signs the user out."""
    signs_in(browser)
    own = browser.tell('/window', 'GET')
    browser.open(browser.at('evil.example.test') + '/')
    browser.ask('POST', f'https://api.example.test:{browser.careless}/auth/logout', {}, 'no-cors')
    browser.show(own)
    browser.until('the session', False, browser.is_signed_in)


TESTS = [signs_in, reloads, tabs.two_tabs, second_person, signs_out, others_cannot, links_open_signed_in, tossed_cookies,
         without_the_check]


def main():
    web, gateway, inbox, pages, certificate, key = sys.argv[1:7]
    tests = TESTS if web == 'cookies' else [tabs.two_tabs]
    serve(Pages, int(pages))
    Careless.gateway = gateway
    careless = serve(Careless, certificate=(certificate, key))
    slow = tabs.serve(serve, send, gateway, (certificate, key))
    clock = tabs.Clock(os.environ['LATCHKEY_CLOCK_FILE'])
    failed = 0
    for name in sys.argv[7:] or ['chromium']:
        browser = Browser(name, web, gateway, inbox)
        browser.careless, browser.slow, browser.clock = careless, slow, clock
        browser.rounds = int(os.environ.get('LATCHKEY_ROUNDS') or 5)
        try:
            for test in tests:
                try: test(browser)
                except AssertionError as error:
                    failed += 1
                    print(f'failed: {name}: {test.__name__}: {error}', flush=True)
                finally:
                    browser.open(gateway + PATH)
                    browser.tell('/cookie', 'DELETE')
                    browser.close_tabs()
        finally: browser.close()
        print(f'{name}: {len(tests)} tests with {web}, {failed} failed', flush=True)
    sys.exit(failed > 0)


if __name__ == '__main__': main()
