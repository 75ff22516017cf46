"""Refresh tokens of an old server, which are exchanged once each; the old server is gotrue.py, which can be down or talk nonsense."""
import time
from concurrent.futures import ThreadPoolExecutor

from gotrue import NONSENSE
from lost import refresh
from official import phone_session
from raw import check_refused, check_session
from statements import admin, client, same, statement
from world import lose, send

HANG_SECONDS_MAX = 15


def old_session(world, *, imported=True):
    """A session at the old server; its user is imported, with the same id."""
    user = world.old.new_user(phone=world.phone().lstrip("+"), provider="phone")
    if imported:
        admin(world).create_user({"id": user["id"], "phone": "+" + user["phone"], "phone_confirm": True})
    return user, world.old.open(user, "otp")["refresh_token"]


def sign_outs(world):
    return sum(path == "/logout" for _, path, _, _ in world.old.seen)


@statement("an old refresh token is exchanged for a session here, and the old one ends only after its first refresh")
def exchanged(world):
    user, token = old_session(world)
    before, signing = sign_outs(world), client(world)
    session = signing.refresh_session(token).session
    same((session.user.id, session.user.phone), (user["id"], user["phone"]))
    same(signing.get_claims()["claims"]["sub"], user["id"])
    same(sign_outs(world), before)
    signing.refresh_session()
    end = time.monotonic() + 10
    while sign_outs(world) == before:
        assert time.monotonic() < end, "the old session has not ended within 10 s"
        time.sleep(0.1)
    same([query for _, path, query, _ in world.old.seen if path == "/logout"][-1], {"scope": "local"})


@statement("a lost response, a second tab and 20 tabs at once get the same session, though the old server rotates")
def exchanged_once(world):
    _, token = old_session(world)
    lose("POST", world.auth + "/token?grant_type=refresh_token", {"refresh_token": token})
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: refresh(world, token), range(20)))
    same(len({check_session(answer)["refresh_token"] for answer in answers}), 1)
    # Of two requests that came first at once, one has called the old server in vain.
    _, token = old_session(world)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: refresh(world, token), range(20)))
    assert {answer.status for answer in answers} <= {200, 503}, answers
    last = check_session(refresh(world, token))["refresh_token"]
    same({a.json["refresh_token"] for a in answers if a.status == 200} - {last}, set())


@statement("an old server that is down, hangs or responds with nonsense is 503 with Retry-After, and nobody is signed out")
def old_server_in_trouble(world):
    (_, token), mine, wrong = old_session(world), phone_session(world), []
    try:
        for mode in ("down", *NONSENSE):
            world.old.mode = mode
            answer = refresh(world, token)
            if answer.status != 503 or "retry-after" not in answer.headers:
                wrong.append((mode, answer))
            check_refused(answer)
            # Our own sessions do not depend on it.
            mine.refresh_session()
    finally:
        world.old.mode = "up"
    assert not wrong, wrong
    check_session(refresh(world, token))


@statement("an old server that hangs is given up in time, and does not slow our own refreshes", long=True, real=True)
def old_server_hangs(world):
    _, token = old_session(world)
    mine = phone_session(world)
    try:
        world.old.mode = "hang"
        with ThreadPoolExecutor(20) as pool:
            began = time.monotonic()
            waiting = [pool.submit(refresh, world, token) for _ in range(20)]
            mine.refresh_session()
            assert time.monotonic() - began < 2, "our own refresh waits"
            for answer in waiting:
                check_refused(answer.result())
                same(answer.result().status, 503)
        assert time.monotonic() - began < HANG_SECONDS_MAX, time.monotonic() - began
    finally:
        world.old.mode = "up"
    check_session(refresh(world, token))


@statement("a user who is not imported yet is 503; after the import the same token goes on")
def not_yet_imported(world):
    user, token = old_session(world, imported=False)
    answer = refresh(world, token)
    check_refused(answer)
    same(answer.status, 503)
    admin(world).create_user({"id": user["id"], "phone": "+" + user["phone"], "phone_confirm": True})
    same(check_session(refresh(world, token))["user"]["id"], user["id"])


@statement("a token that the old server refuses is 400, and tokens of ours and of other forms never reach it")
def not_exchanged(world):
    refused = refresh(world, "aaaabbbbcccc")
    check_refused(refused)
    same(refused.status, 400)
    mine = phone_session(world).get_session().refresh_token
    before = len(world.old.seen)
    for token in (mine, mine[:-1] + ("0" if mine[-1] != "0" else "1"), "a" * 11, "a" * 13, "aaaa-bbbcccc", "a" * 50, "a" * 64, ""):
        refresh(world, token)
    same(world.old.seen[before:], [])


@statement("a banned user's old token opens no session")
def exchanged_banned(world):
    user, token = old_session(world)
    admin(world).update_user_by_id(user["id"], {"ban_duration": "24h"})
    answer = refresh(world, token)
    check_refused(answer, (400, "user_banned"), (403, "user_banned"))
    same(send("GET", world.auth + "/health").status, 200)
