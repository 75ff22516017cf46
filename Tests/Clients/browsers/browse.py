#!/usr/bin/env python3
"""Drives the example page in browsers: browse.py PAGE [BROWSER...]. BROWSER: chromium (the default), webkit, firefox.

PAGE is the folder of the built page. The page is served under its strict policy, over the scripted server of the suite.
"""
import os, re, signal, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
import flows, others
from drivers import Browser
from server import Server
from sites import Sites

TESTS = flows.TESTS + others.TESTS
TOKEN = re.compile(r'\bS?\d*[AT]\d+(\.\d+)?\b|[rR]efreshToken|accessToken')


def stores_no_token(browser, sites):
    """In no tab of the app can a script read a token, or a name of one, in what outlives the page."""
    for tab in browser.tabs()[1:]:
        browser.show(tab)
        if browser.url().split('#')[0] == flows.page(sites) and (found := TOKEN.search(browser.readable())):
            raise AssertionError(f'{found[0]} can be read')


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))       # No browser stays behind.
    folder, names = sys.argv[1], sys.argv[2:] or ['chromium']
    failed = 0
    for name in names:
        browser = Browser(name)
        try:
            for test in TESTS:
                for has_cookies in (False, True):
                    server = Server()
                    sites = Sites(server, folder, has_cookies)
                    try:
                        test(browser, sites, server)
                        stores_no_token(browser, sites)
                    except AssertionError as error:
                        failed += 1
                        requests = [(r['method'], r['path'], r['token']) for r in server.seen]
                        print(f'failed: {name}: {test.__name__}, cookies {has_cookies}: {error}\n    {requests}')
                    finally:
                        browser.close_tabs()
                        sites.stop()
                        server.stop()
        finally: browser.close()
        print(f'{name}: {2 * len(TESTS)} tests, {failed} failed', flush=True)
    sys.exit(failed > 0)


if __name__ == '__main__': main()
