"""What a user does with the page, and what happens to it: each test in memory and by cookie."""
HOUR = 3600


def page(sites): return sites.app + ('/' if sites.has_cookies else '/?session=memory')


def refreshes(server): return sum(request['path'] == '/auth/refresh' for request in server.seen)


def signs_in(browser, sites, server):
    browser.open(page(sites))
    browser.sign_in()
    browser.call()


def renews(browser, sites, server):
    signs_in(browser, sites, server)
    before = refreshes(server)
    browser.later(2 * HOUR)
    browser.call()
    browser.call()
    assert refreshes(server) == before + 1, refreshes(server)
    assert not server.sessions[0].ended


def reloads(browser, sites, server):
    signs_in(browser, sites, server)
    browser.tell('/refresh')
    if not sites.has_cookies: return browser.until_shown('signedOut')
    browser.until_shown('signedIn')
    browser.until('the name', 'Betty', lambda: browser.text('name'))
    browser.run('localStorage.clear()')
    browser.tell('/refresh')
    browser.until_shown('signedIn')
    browser.call()
    assert not server.sessions[0].ended


def two_tabs(browser, sites, server):
    first = browser.open(page(sites))
    browser.sign_in()
    second = browser.open(page(sites))
    if sites.has_cookies: browser.until_shown('signedIn')
    else: browser.sign_in()
    browser.call()
    # The first tab is frozen for two hours, and the second one goes on meanwhile.
    browser.show(first)
    browser.freeze()
    browser.show(second)
    browser.later(HOUR)
    browser.call()
    browser.later(HOUR)
    browser.call()
    browser.show(first)
    browser.thaw()
    browser.later(2 * HOUR)
    browser.call()
    assert not any(session.ended for session in server.sessions)
    browser.press('signOut')
    browser.until_shown('signedOut')
    browser.show(second)
    browser.until_shown('signedOut')
    browser.until('what the server knows', True, lambda: all(session.ended for session in server.sessions))


def ends(browser, sites, server):
    signs_in(browser, sites, server)
    server.sessions[0].ended = 'expired'
    browser.later(2 * HOUR)
    browser.press('hello')
    browser.until_shown('signedOut')
    browser.until('the reason', 'Your session has ended.', lambda: browser.text('reason'))


def back_and_forth(browser, sites, server):
    """The back/forward cache ends nothing."""
    signs_in(browser, sites, server)
    browser.go(sites.app + '/style.css')
    browser.tell('/back')
    # A browser that kept the page has its session in memory; one that did not has lost it, unless it is in a cookie.
    if sites.has_cookies: browser.until_shown('signedIn')
    else: browser.until('a section', True, lambda: browser.shown() in ('signedIn', 'signedOut'))


def keeps_its_policy(browser, sites, server):
    """Scripts that are no part of the page do not run."""
    signs_in(browser, sites, server)
    browser.run('const script = document.createElement("script"); window.stolen = false;'
                'try { script.textContent = "window.stolen = true"; document.body.append(script) } catch {}')
    assert browser.run('return window.stolen') is False


TESTS = [signs_in, renews, reloads, two_tabs, ends, back_and_forth, keeps_its_policy]
