"""Statements: functions with a sentence each, which print `ok NAME: sentence` or `not so NAME: sentence: why`."""
import itertools
import traceback

from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError, AuthError

ALL = []
DEVICES = itertools.count(1)


def statement(words, *, long=False, real=False):
    """Declares a statement: `long` ones wait, `real` ones need a Latchkey."""
    def declare(function):
        ALL.append((function, words, long, real))
        return function
    return declare


def run(world, *, short):
    """Runs all that apply, and returns the number of failed ones."""
    failed = shown = 0
    for function, words, long, real in ALL:
        if (long and short) or (real and not world.is_real):
            continue
        name = function.__name__
        shown += 1
        try:
            function(world)
            print(f"ok {name}: {words}", flush=True)
        except Exception as error:
            failed += 1
            place = traceback.extract_tb(error.__traceback__)
            lines = " < ".join(f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in reversed(place[1:]))
            print(f"not so {name}: {words}: {type(error).__name__} {str(error)[:500]} ({lines})", flush=True)
    print(f"supabase_auth: {shown - failed} of {shown} statements hold", flush=True)
    return failed


def client(world, *, flow="implicit", key="sb_publishable_x"):
    """The official client as `createClient` makes it: with a key in two headers.

    Each has a User-Agent of its own, as if on another device, since the same request within ten seconds is a repeat.
    """
    headers = {"apikey": key, "Authorization": f"Bearer {key}", "User-Agent": f"python-httpx/{next(DEVICES)}"}
    return SyncGoTrueClient(url=world.auth, headers=headers, flow_type=flow, auto_refresh_token=False)


def admin(world):
    return client(world, key=world.admin_key).admin


def refused(status, code, call, *arguments):
    """The error that the official client raises; status and code are as expected."""
    try:
        result = call(*arguments)
    except AuthApiError as error:
        assert (error.status, error.code) == (status, code), f"expected {status} {code}, not {error.status} {error.code}"
        return error
    except AuthError as error:
        found = getattr(error, "status", None), error.code
        assert found == (status, code), f"expected {status} {code}, not {type(error).__name__} {found} {error}"
        return error
    raise AssertionError(f"expected {status} {code}, not {result}")


def same(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"
