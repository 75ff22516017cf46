"""Does the tasks of the console in one browser, by keyboard, as an administrator who signs in.

console_tasks.py BROWSER CONSOLE INBOX PHONE: chromium or firefox, and an administrator's phone number.
"""
import glob
import json
import os
import random
import shutil
import sys
import tempfile
import time
import urllib.request

from browsers import BROWSERS, ENTER, SHIFT, TAB, newest_code, wait

BROWSER, CONSOLE, INBOX, PHONE = sys.argv[1:5]
API = CONSOLE.removesuffix('/console')
# More than the fields and links of the longest page.
TABS_MAX = 400
NAME = '<script>document.title="owned"</script> 😀 Ann'
downloads = tempfile.mkdtemp()
browser = BROWSERS[BROWSER](downloads)


def call(path, body, token=None):
    headers = {'Content-Type': 'application/json'} | ({'Authorization': f'Bearer {token}'} if token else {})
    request = urllib.request.Request(API + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def fresh_phone():
    return f'+1555{random.randint(1000, 9999)}{random.randint(100, 999)}'


def sign_in_person(phone):
    call('/auth/otp/request', {'phoneNumber': phone})
    return call('/auth/otp/verify', {'phoneNumber': phone, 'code': newest_code(INBOX, phone), 'name': NAME})


# MARK: - The keyboard

def is_true(expression, *arguments):
    """Waits until an expression is true on the page, which may be another one meanwhile."""
    def check():
        try:
            return browser.run(f'return document.readyState === "complete" && Boolean({expression})', *arguments)
        except Exception:
            return False
    try:
        wait(expression, check)
    except SystemExit as error:
        raise SystemExit(f'{error}\n{browser.run("return location.href + document.body.innerText")}') from None


def tab_to(selector, held=''):
    """Goes to an element by the tab key, backwards with shift. It must show that it has the focus."""
    is_true('document.querySelector(arguments[0])', selector)
    for _ in range(TABS_MAX):
        browser.press(TAB, held)
        if browser.run('return document.activeElement.matches(arguments[0])', selector):
            style = 'getComputedStyle(document.activeElement)'
            shown = browser.run(f'return {style}.outlineStyle !== "none" && {style}.outlineWidth !== "0px"')
            assert shown, f'{selector}: no outline'
            return
    raise SystemExit(f'{selector}: not reached by the tab key')


def enter(selector, held=''):
    """Follows a link or presses a button, and waits for the page after it."""
    tab_to(selector, held)
    browser.run('window.isOld = true')
    browser.press(ENTER)
    is_true('!window.isOld')


def fill(selector, text):
    """Types into a field in place of its text."""
    tab_to(selector)
    browser.run('document.activeElement.select()')
    browser.press(text)


def submit():
    browser.run('window.isOld = true')
    browser.press(ENTER)
    is_true('!window.isOld')


def has(text):
    is_true('document.querySelector("main").innerText.includes(arguments[0])', text)


def is_done():
    is_true('document.querySelector("[role=status]") && !document.querySelector("[role=alert]")')


def count(selector):
    return browser.run('return document.querySelectorAll(arguments[0]).length', selector)


def change(act, fields=()):
    """Opens the line of a task, fills its form, and submits it with a reason."""
    line = f'details:has(form[action$="/{act}"])'
    tab_to(f'{line} summary')
    browser.press(ENTER)
    is_true('document.querySelector(arguments[0]).open', line)
    for selector, text in fields:
        fill(selector, text)
    fill(f'#reason-{act}', 'ticket 4711')
    submit()
    is_done()


def downloaded(pattern, text):
    def content():
        for path in glob.glob(os.path.join(downloads, pattern)):
            with open(path, encoding='utf-8') as file:
                return text in file.read()
    wait(f'{pattern} with {text}', content)


# MARK: - The tasks

def sign_in():
    browser.open(CONSOLE)
    # The fields have the focus.
    is_true('document.activeElement.id === "to"')
    browser.press(PHONE)
    submit()
    is_true('document.activeElement.id === "code"')
    browser.press(newest_code(INBOX, PHONE))
    submit()
    is_true('document.querySelector("nav")')


def today():
    for part in ('gateway', 'user', 'token', 'otp'):
        row = f'[...document.querySelectorAll("tr")].some((row) => row.cells[0].innerText === "{part}")'
        is_true(row)
    assert count('svg[role=img][aria-label]') == 14, 'seven charts over 24 hours, and over 30 days'


def find(phone, person):
    """Nobody is found by characters that mean something to a URL, a database or a page; people type a number with blanks."""
    for text in ("O'Brien & Co", '%_', '<b>x', '(foo'):
        fill('.find input', text)
        submit()
        has('No person found')
    fill('.find input', f'{phone[:2]} {phone[2:5]} {phone[5:]}')
    began = time.monotonic()
    submit()
    is_true('location.pathname.endsWith(arguments[0])', person)
    assert time.monotonic() - began < 10, 'two seconds, and time for a machine with other work'
    has(NAME)
    assert browser.run('return document.title') != 'owned' and count('main script') == 0
    has('signed in')


def sessions():
    assert count('form[action$="/end-session"]') == 3
    enter('form[action$="/end-session"] button')
    is_done()
    assert count('form[action$="/end-session"]') == 2
    enter('form[action$="/end-sessions"] button')
    is_done()
    assert count('form[action$="/end-session"]') == 0


def changes(phone):
    change('deactivate')
    is_true('document.querySelector(".bad").innerText === "deactivated"')
    change('activate')
    is_true('document.querySelector(".good")')
    other = fresh_phone()
    change('replace-number', [('#number', other)])
    has(f'waits: {other}')
    change('keep-number')
    change('delete')
    has('The data are removed at')
    change('restore')
    assert 'The data are removed at' not in browser.run('return document.body.innerText')
    tab_to('main a[href$="/export"]')
    browser.press(ENTER)
    downloaded('*', phone)


def number(phone):
    enter('dd a[href*="/number?to="]', SHIFT)

    def arrived():
        if browser.run('return document.body.innerText.includes("code entered")'):
            return True
        # Traces are written behind the response.
        browser.open(browser.run('return location.href'))
        return False
    wait('the way of the code', arrived)
    has(phone)
    has('inbox')
    change('unlock')
    has('There are none.')


def review_access():
    """A number of nobody, whose code signs in although nothing is sent to it."""
    phone = fresh_phone()
    enter('nav a[href$="/number"]')
    fill('#to', phone)
    submit()
    has('Nothing was sent to this recipient')
    # The field of the last day has a day already.
    change('give-review-access')
    has('has review access until')
    code = browser.run('return document.querySelector("main strong").innerText')
    call('/auth/otp/request', {'phoneNumber': phone})
    signed_in = call('/auth/otp/verify', {'phoneNumber': phone, 'code': code})
    assert signed_in['user']['phoneNumber'] == phone
    change('end-review-access')
    is_true('document.querySelector("form[action$=\'/give-review-access\']") && !document.querySelector("main strong")')


def money():
    enter('nav a[href$="/money"]')
    is_true('document.querySelector("tbody tr") || document.querySelector("section p")')
    assert count('[role=alert]') == 0


def audit(person):
    enter('nav a[href$="/audit"]')
    fill('#user', person)
    submit()
    for event in ('user.looked_up', 'user.rights_changed', 'user.deletion_requested'):
        has(event)
    assert '4711' in browser.run('return document.body.innerText'), 'the reason'
    for path in glob.glob(os.path.join(downloads, '*')):
        os.remove(path)
    tab_to('main a[href*="/audit/export?"]')
    browser.press(ENTER)
    downloaded('*', 'user.rights_changed')


def sign_out():
    enter('form[action$="/sign-out"] button', SHIFT)
    is_true('!document.querySelector("nav")')
    browser.open(CONSOLE + '/money')
    is_true('document.activeElement.id === "to"')


def end_oneself():
    """Administrators who deactivate themselves see that they are signed out, and no error."""
    sign_in()
    fill('.find input', PHONE)
    submit()
    change('deactivate')
    is_true('document.querySelector("#to")')
    assert not browser.run('return document.cookie')


try:
    phone = fresh_phone()
    person = [sign_in_person(phone) for _ in range(3)][0]['user']['id']
    sign_in()
    today()
    find(phone, person)
    sessions()
    changes(phone)
    number(phone)
    review_access()
    money()
    audit(person)
    sign_out()
    end_oneself()
finally:
    browser.quit()
    shutil.rmtree(downloads)
print(f'{BROWSER}: every task done by keyboard')
