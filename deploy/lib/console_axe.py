"""Opens each page of the console in Chromium, and looks for findings of axe-core.

console_axe.py CONSOLE INBOX PHONE PERSON [FOLDER]: an administrator's phone number and another person's id; the folder for pictures.
"""
import os
import sys
import tempfile
import urllib.parse

import axe_playwright_python
from selenium.webdriver.common.by import By

from browsers import Chromium, newest_code

CONSOLE, INBOX, PHONE, PERSON = sys.argv[1:5]
FOLDER = sys.argv[5] if len(sys.argv) > 5 else ''
BYTES_MAX = 50_000
WINDOWS = {'desk': (1200, 'light'), 'phone': (360, 'dark')}
PAGES = {
    'today': '', 'find': '/find?q=%2B1555', 'person': f'/person/{PERSON}',
    'number': f'/number?to={urllib.parse.quote(PHONE)}', 'money': '/money', 'audit': '/audit', 'unknown': '/unknown',
}
with open(os.path.join(os.path.dirname(axe_playwright_python.__file__), 'axe.min.js'), encoding='utf-8') as script:
    AXE = script.read()
problems = []


def judge(browser, name):
    """Notes what is wrong with the page that is open, with every line of it that opens open."""
    browser.execute_script("document.querySelectorAll('details').forEach((line) => { line.open = true; })")
    browser.execute_script(AXE)
    found = browser.execute_async_script('axe.run().then(arguments[arguments.length - 1])')
    for finding in found['violations']:
        problems.extend(f"{name}: {finding['id']}: {node['html']}" for node in finding['nodes'])
    if browser.execute_script('return document.documentElement.scrollWidth > innerWidth'):
        problems.append(f'{name}: wider than the window')
    if len(browser.page_source.encode()) > BYTES_MAX:
        problems.append(f'{name}: more than {BYTES_MAX} bytes')
    if FOLDER:
        browser.save_screenshot(os.path.join(FOLDER, f'console-{name}.png'))


def sign_in(browser):
    browser.get(CONSOLE)
    judge(browser, 'sign-in')
    browser.find_element(By.ID, 'to').send_keys(PHONE)
    browser.find_element(By.CSS_SELECTOR, 'main button').click()
    code = browser.find_element(By.ID, 'code')
    judge(browser, 'code')
    code.send_keys(newest_code(INBOX, PHONE))
    browser.find_element(By.CSS_SELECTOR, 'main button').click()
    if not browser.find_elements(By.TAG_NAME, 'nav'):
        raise SystemExit(f'the sign-in failed: {browser.page_source}')


chromium = Chromium(tempfile.gettempdir()).driver
# A click may return before the next page is there.
chromium.implicitly_wait(30)
try:
    sign_in(chromium)
    for window, (width, colors) in WINDOWS.items():
        chromium.execute_cdp_cmd(
            'Emulation.setDeviceMetricsOverride',
            {'width': width, 'height': 800, 'deviceScaleFactor': 1, 'mobile': width < 500})
        chromium.execute_cdp_cmd(
            'Emulation.setEmulatedMedia', {'features': [{'name': 'prefers-color-scheme', 'value': colors}]})
        for page, path in PAGES.items():
            chromium.get(CONSOLE + path)
            judge(chromium, f'{page}-{window}')
finally:
    chromium.quit()
print('\n'.join(problems) or f'{len(PAGES) * len(WINDOWS) + 2} pages without a finding')
sys.exit(bool(problems))
