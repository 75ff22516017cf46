"""Pages of other origins: a sibling of the app's host, whose requests have the app's cookies, and a page of another site."""
from flows import HOUR, page, refreshes, signs_in
from server import Session
from sites import PAGE, REFRESH

REACH = '''
    const seen = [];
    for (const [method, path] of [['POST', '/auth/refresh'], ['POST', '/auth/logout'], ['GET', '/users/me'], ['DELETE', '/users/me']]) {
      for (const mode of ['cors', 'no-cors']) {
        for (const headers of [{}, { 'Content-Type': 'application/json' }, { Authorization: 'Bearer A0.1' }]) {
          try {
            const response = await fetch(APP + path, { method, mode, headers, credentials: 'include' });
            seen.push(response.type === 'opaque' ? await response.text() : path);
          } catch {}
        }
      }
    }
    const frame = document.createElement('iframe');
    frame.src = APP;
    document.body.append(frame);
    // Firefox offers a refusal as a download: the frame's request ends, and nothing is loaded.
    await new Promise((resolve) => {
      frame.onload = resolve;
      const ended = (list) => list.getEntries().some((entry) => entry.initiatorType === 'iframe') && setTimeout(resolve, 1000);
      new PerformanceObserver(ended).observe({ type: 'resource', buffered: true });
    });
    try { seen.push(frame.contentWindow.document.body.textContent); } catch {}
    try { seen.push(...Object.keys(frame.contentWindow.localStorage)); } catch {}
    return [seen.join(''), JSON.stringify({ ...localStorage }), document.cookie];
'''


def reach(browser, sites): return browser.run(REACH.replace('APP', repr(sites.app)))


def sibling_and_stranger(browser, sites, server):
    """A page on a sibling host, or on another site, can neither read nor act."""
    tab = browser.open(page(sites))
    browser.sign_in()
    for site in (sites.sibling, sites.stranger):
        browser.open(site)
        before = refreshes(server)
        assert reach(browser, sites) == ['', '{}', ''], reach(browser, sites)
        submit(browser, sites, '/auth/logout')
        assert refreshes(server) == before
        assert not any(request['path'] == '/auth/logout' for request in server.seen)
        browser.show(tab)
        browser.later(2 * HOUR)
        browser.call()
    assert not server.sessions[0].ended


def submit(browser, sites, path):
    """Sends a form of the present page to the app's site, as a link or a button would."""
    browser.run('const form = document.createElement("form"); form.method = "post"; '
                f'form.action = "{sites.app}{path}"; document.body.append(form); form.submit()')
    browser.until('the address', sites.app + path, browser.url)


def hears_nothing(browser, sites, server):
    """No page of another origin hears what the app's tabs tell each other."""
    sibling = browser.open(sites.sibling)
    browser.run(f'window.heard = []; window.channel = new BroadcastChannel("latchkey default {sites.app}");'
                'channel.onmessage = (event) => heard.push(event.data)')
    signs_in(browser, sites, server)
    browser.press('signOut')
    browser.until_shown('signedOut')
    browser.show(sibling)
    assert browser.run('return heard.length') == 0


def without_the_check(browser, sites, server):
    """What the check of the origin is for: a sibling's page, whose requests have the cookies, could end the session."""
    signs_in(browser, sites, server)
    sites.checks_origin = False
    browser.open(sites.stranger)
    submit(browser, sites, '/auth/logout')
    assert not server.sessions[0].ended
    browser.open(sites.sibling)
    submit(browser, sites, '/auth/logout')
    assert server.sessions[0].ended == ('signed_out' if sites.has_cookies else None), server.sessions[0].ended


def tosses_a_cookie(browser, sites, server):
    """A cookie that a sibling's page has set for the whole site ends nothing."""
    tab = browser.open(page(sites))
    browser.sign_in()
    browser.open(sites.sibling)
    toss = f'; Domain={sites.site}; Secure; Path=/auth'
    browser.run(f'document.cookie = "{REFRESH}=T0{toss}"; document.cookie = "{PAGE}=x{toss}"')
    browser.show(tab)
    browser.later(2 * HOUR)
    browser.press('hello')
    if sites.has_cookies:
        # There are two of these cookies now, and the server takes neither.
        browser.until('the message', 'That did not work (refused).', lambda: browser.text('message'))
        assert browser.shown() == 'signedIn' and not server.sessions[0].ended


def tosses_to_a_visitor(browser, sites, server):
    """A visitor who has the cookie of somebody's session, by way of a sibling's page, is not signed in."""
    browser.open(page(sites))
    browser.until_shown('signedOut')
    server.sessions.append(Session(0, HOUR))
    browser.open(sites.sibling)
    toss = f'; Domain={sites.site}; Secure; Path='
    browser.run(f'document.cookie = "{REFRESH}=T0{toss}/auth"; document.cookie = "{PAGE}=x{toss}/"')
    # WebKitGTK does not know the prefix `__Host-`, so there a sibling's page can set both cookies for the whole site.
    if browser.name == 'webkit': return
    browser.open(page(sites))
    browser.until_shown('signedOut')
    assert not refreshes(server)


TESTS = [sibling_and_stranger, hears_nothing, without_the_check, tosses_a_cookie, tosses_to_a_visitor]
