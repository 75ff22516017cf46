"""Two browsers without a window, by the same few calls: Chromium by chromedriver, and Firefox by its own Marionette.

Firefox needs no geckodriver, which Debian does not have: Marionette is what geckodriver talks to.
"""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.command import Command

LIMIT_SECONDS = 60
TAB, ENTER, SHIFT = '\ue004', '\ue007', '\ue008'


def wait(what, condition):
    """Returns the first value of condition() that is not empty."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise SystemExit(f'{what}: not within {LIMIT_SECONDS} seconds')
        time.sleep(0.1)


def newest_code(inbox, phone):
    """Waits for a code in the inbox, and returns the newest one of a number."""
    def newest():
        with urllib.request.urlopen(f'{inbox}/api/messages?to={urllib.parse.quote(phone)}') as answer:
            return next((message['code'] for message in json.load(answer) if message['code']), None)
    return wait('a code', newest)


class Chromium:
    def __init__(self, downloads):
        options = Options()
        options.binary_location = '/usr/bin/chromium'
        for option in ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--lang=en'):
            options.add_argument(option)
        options.add_experimental_option('prefs', {'download.default_directory': downloads})
        self.driver = webdriver.Chrome(options=options, service=Service('/usr/bin/chromedriver'))

    def open(self, url):
        self.driver.get(url)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def press(self, keys, held=''):
        self.driver.execute(Command.W3C_ACTIONS, {'actions': [key_actions(keys, held)]})

    def quit(self):
        self.driver.quit()


class Firefox:
    PREFERENCES = {
        'marionette.port': 0, 'intl.accept_languages': 'en', 'browser.download.folderList': 2,
        'browser.download.always_ask_before_handling_new_types': False, 'browser.shell.checkDefaultBrowser': False,
        'browser.download.alwaysOpenPanel': False, 'datareporting.policy.dataSubmissionEnabled': False,
    }

    def __init__(self, downloads):
        self.profile, self.number = tempfile.mkdtemp(), 0
        with open(os.path.join(self.profile, 'user.js'), 'w', encoding='utf-8') as file:
            for name, value in (self.PREFERENCES | {'browser.download.dir': downloads}).items():
                file.write(f'user_pref({json.dumps(name)}, {json.dumps(value)});\n')
        self.process = subprocess.Popen(
            ['/usr/bin/firefox-esr', '--headless', '--no-remote', '--marionette', '--profile', self.profile],
            env=os.environ | {'HOME': self.profile}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.connection = socket.create_connection(('127.0.0.1', wait('the port of Firefox', self.port)), LIMIT_SECONDS)
        self.stream = self.connection.makefile('rb')
        self.receive()
        self.call('WebDriver:NewSession', {'capabilities': {'alwaysMatch': {}}})

    def port(self):
        if self.process.poll() is not None:
            raise SystemExit('Firefox has ended')
        path = os.path.join(self.profile, 'MarionetteActivePort')
        if not os.path.exists(path):
            return 0
        with open(path, encoding='utf-8') as file:
            return int(file.read() or 0)

    def receive(self):
        """Reads one message: its length, a colon, and JSON."""
        length = b''
        while not length.endswith(b':'):
            byte = self.stream.read(1)
            if not byte:
                raise SystemExit('Firefox has closed the connection')
            length += byte
        return json.loads(self.stream.read(int(length[:-1])))

    def call(self, name, parameters):
        self.number += 1
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.connection.sendall(b'%d:%s' % (len(message), message))
        _, number, error, result = self.receive()
        assert number == self.number, 'an answer to another call'
        if error:
            raise RuntimeError(f'{name}: {error["error"]}: {error["message"]}')
        return result

    def open(self, url):
        self.call('WebDriver:Navigate', {'url': url})

    def run(self, script, *arguments):
        return self.call('WebDriver:ExecuteScript', {'script': script, 'args': list(arguments)})['value']

    def press(self, keys, held=''):
        self.call('WebDriver:PerformActions', {'actions': [key_actions(keys, held)]})

    def quit(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)


def key_actions(keys, held):
    """The keys one after the other while another is held, as WebDriver's actions."""
    strokes = [{'type': kind, 'value': key} for key in keys for kind in ('keyDown', 'keyUp')]
    if held:
        strokes = [{'type': 'keyDown', 'value': held}, *strokes, {'type': 'keyUp', 'value': held}]
    return {'type': 'key', 'id': 'keyboard', 'actions': strokes}


BROWSERS = {'chromium': Chromium, 'firefox': Firefox}
