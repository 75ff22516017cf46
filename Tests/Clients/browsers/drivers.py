"""Browsers, each by the protocol that it speaks: Chromium and WebKit by W3C WebDriver, Firefox by Marionette.

All three speak the same words: `tell('/url', url=…)` is a command of WebDriver, and Marionette has a name of its own for each.
"""
import atexit, json, os, socket, subprocess, tempfile, time, urllib.error, urllib.request

CHROMIUM = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--user-data-dir={folder}']
WEBKIT = {'webkitgtk:browserOptions': {
    'binary': '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser', 'args': ['--automation']}}
# Seconds until something has surely failed; a busy machine is slow.
PATIENCE = 120
# The certificate of the tests is nobody's.
ALWAYS = {'acceptInsecureCerts': True, 'timeouts': {'script': 1000 * PATIENCE}}


class WebDriver:
    """A browser that has a driver beside it."""

    def __init__(self, driver, capabilities):
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen([driver, f'--port={port}'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.process.terminate)
        self.base = f'http://127.0.0.1:{port}'
        for _ in range(10 * PATIENCE):
            try: self.tell('/status', 'GET')
            except OSError: time.sleep(0.1)
            else: break
        wanted = json.loads(json.dumps({**ALWAYS, **capabilities}).replace('{folder}', self.folder.name))
        self.base += '/session/' + self.tell('/session', capabilities={'alwaysMatch': wanted})['sessionId']

    def tell(self, path, method='POST', **body):
        data = json.dumps(body).encode() if method == 'POST' else None
        request = urllib.request.Request(self.base + path, data, {'Content-Type': 'application/json'}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response: return json.load(response)['value']
        except urllib.error.HTTPError as error: raise AssertionError(json.load(error)['value']['message'])

    def close(self):
        try: self.tell('', 'DELETE')
        finally:
            self.process.terminate()
            self.process.wait()
            self.folder.cleanup()


class Marionette:
    """Firefox, which needs no driver: each message is an array of JSON after its length."""

    NAMES = {
        'POST /window/new': 'NewWindow', 'POST /window': 'SwitchToWindow', 'DELETE /window': 'CloseWindow',
        'GET /window/handles': 'GetWindowHandles', 'POST /url': 'Navigate', 'GET /url': 'GetCurrentURL', 'POST /refresh': 'Refresh',
        'POST /back': 'Back', 'DELETE /cookie': 'DeleteAllCookies', 'POST /execute/async': 'ExecuteAsyncScript',
        'GET /window': 'GetWindowHandle', 'GET /cookie': 'GetCookies',
    }

    def __init__(self, hosts):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with open(f'{self.folder.name}/user.js', 'w') as file:
            file.write('user_pref("marionette.port", 0);\n'
                       'user_pref("dom.disable_open_during_load", false);\nuser_pref("dom.popup_maximum", 1000);\n'
                       f'user_pref("network.dns.localDomains", "{",".join(hosts)}");\n')
        self.process = subprocess.Popen(['firefox-esr', '--headless', '--marionette', '--profile', self.folder.name],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.process.terminate)
        port = f'{self.folder.name}/MarionetteActivePort'
        for _ in range(10 * PATIENCE):
            if os.path.exists(port): break
            time.sleep(0.1)
        with open(port) as file: self.connection = socket.create_connection(('127.0.0.1', int(file.read())), PATIENCE)
        self.messages, self.last = self.connection.makefile('rb'), 0
        self.receive()
        self.command('WebDriver:NewSession', **ALWAYS)

    def receive(self):
        length = b''
        while (digit := self.messages.read(1)) not in (b':', b''): length += digit
        return json.loads(self.messages.read(int(length)))

    def command(self, name, /, **parameters):
        self.last += 1
        data = json.dumps([0, self.last, name, parameters]).encode()
        self.connection.sendall(b'%d:%b' % (len(data), data))
        _, _, error, result = self.receive()
        if error: raise AssertionError(error['message'])
        return result['value'] if isinstance(result, dict) and 'value' in result else result

    def tell(self, path, method='POST', **body):
        if path.startswith('/cookie/'): return self.command('WebDriver:DeleteCookie', name=path.removeprefix('/cookie/'))
        return self.command('WebDriver:' + self.NAMES[f'{method} {path}'], **body)

    def close(self):
        try: self.command('Marionette:Quit', flags=['eForceQuit'])
        finally:
            self.process.wait()
            self.folder.cleanup()


BROWSERS = {
    'chromium': lambda hosts: WebDriver('chromedriver', {'goog:chromeOptions': {'args': [
        *CHROMIUM, '--host-resolver-rules=' + ','.join(f'MAP {host} 127.0.0.1' for host in hosts)]}}),
    'webkit': lambda _: WebDriver('WebKitWebDriver', WEBKIT),
    'firefox': Marionette,
}


class Browser:
    """A browser with its tabs, and the example page in the tab that is shown."""

    def __init__(self, name, hosts=()):
        """Chromium and Firefox find `hosts` on this machine."""
        self.name = name
        self.driver = BROWSERS[name](hosts)
        self.tell = self.driver.tell
        self.close = self.driver.close

    # Tabs

    def open(self, url):
        """Opens a tab, and returns it."""
        tab = self.tell('/window/new', type='tab')['handle']
        self.show(tab)
        self.go(url)
        return tab

    def go(self, url): self.tell('/url', url=url)

    def url(self): return self.tell('/url', 'GET')

    def show(self, tab): self.tell('/window', handle=tab)

    def tabs(self): return self.tell('/window/handles', 'GET')

    def close_tabs(self):
        first, *others = self.tabs()
        for tab in others:
            self.show(tab)
            self.tell('/window', 'DELETE')
        self.show(first)

    # The page

    def run(self, script):
        """Runs the body of an asynchronous function in the page, and returns its result: None in Firefox if the page is left."""
        found = self.tell('/execute/async', args=[], script=(
            'const done = arguments[arguments.length - 1];'
            f'(async () => {{ {script} }})().then((value) => done([value]), (error) => done(String(error)))'))
        if found is None: return None
        if not isinstance(found, list): raise AssertionError(found)
        return found[0]

    def type(self, field, text): self.run(f'document.getElementById("{field}").value = {json.dumps(text)}')

    def submit(self, form): self.run(f'document.getElementById("{form}").requestSubmit()')

    def press(self, button): self.run(f'document.getElementById("{button}").click()')

    def shown(self): return self.run('return ["starting", "signedOut", "signedIn"].find((id) => !document.getElementById(id).hidden)')

    def text(self, place): return self.run(f'return document.getElementById("{place}").textContent')

    def until(self, what, wanted, read):
        for _ in range(20 * PATIENCE):
            if (found := read()) == wanted: return
            time.sleep(0.05)
        raise AssertionError(f'{what} is {found!r}, not {wanted!r}')

    def page_text(self): return self.run('return document.body ? document.body.innerText : ""') or ''

    def until_shown(self, section): self.until('the section', section, self.shown)

    def sign_in(self, phone='+15551234567', code=lambda: '123456', name='Betty'):
        self.until_shown('signedOut')
        self.type('phone', phone)
        self.submit('phoneForm')
        self.until('the form for the code', False, lambda: self.run('return document.getElementById("codeForm").hidden'))
        self.type('code', code())
        self.submit('codeForm')
        self.until_shown('signedIn')
        self.until('the name', True, lambda: self.text('name').startswith(name))

    def call(self):
        self.run('document.getElementById("message").textContent = ""')
        self.press('hello')
        self.until('the message', 'The API says 200.', lambda: self.text('message'))

    def later(self, seconds):
        """The tab was frozen: its date has gone on, and it is looked at again. A renewal that had begun has ended before."""
        self.run('for (let n = 0; n < 100 && (await navigator.locks.query()).held.length; n++) await new Promise((go) => setTimeout(go, 20));'
                 f'const now = window.Date.now; window.Date.now = () => now() + {seconds * 1000};'
                 'document.dispatchEvent(new window.Event("visibilitychange"))')

    def freeze(self): self.lifecycle('frozen')

    def thaw(self): self.lifecycle('active')

    def lifecycle(self, state):
        """Chromium alone can be told to freeze a tab. In the other two a frozen tab is one whose date has gone on."""
        if self.name == 'chromium':
            self.tell('/goog/cdp/execute', cmd='Page.setWebLifecycleState', params={'state': state})

    def readable(self):
        """All that a script can read of what outlives the page."""
        return self.run('''
            const databases = await indexedDB.databases(), caches_ = await caches.keys();
            return JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, databases, caches_, window.name])''')
