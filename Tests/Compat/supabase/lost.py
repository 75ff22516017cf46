"""Responses that were lost at each call, 20 tabs with one refresh token, and a stolen parent token."""
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import jwt

from official import PASSWORD, email_session, password_session, phone_session
from raw import CLIENTS, check_refused, check_session
from statements import client, same, statement
from world import lose, send

HEADERS = {**CLIENTS["swift"][0], "User-Agent": "Sample/1 CFNetwork/1.0"}


def session_of(answer):
    return jwt.decode(check_session(answer)["access_token"], options={"verify_signature": False})["session_id"]


def refresh(world, token):
    return send("POST", world.auth + "/token?grant_type=refresh_token", {"refresh_token": token}, HEADERS)


def repeat(world, path, body):
    """Loses a response, and returns those of two repeats; a right one is in no way used up."""
    # Messages are repeated within the same ten seconds of the clock.
    while time.time() % 10 > 7:
        time.sleep(0.5)
    lose("POST", world.auth + path, body, HEADERS)
    return [send("POST", world.auth + path, body, HEADERS) for _ in range(2)]


@statement("a lost response of /otp, /recover and /resend sends no second message")
def lost_messages(world):
    number, email = world.phone(), world.email()
    password_session(world, email)
    mails = len(world.messages(email))
    for answer in repeat(world, "/otp", {"phone": number, "create_user": True}):
        same(answer.status, 200)
    for answer in repeat(world, "/recover", {"email": email}):
        same(answer.status, 200)
    world.newest(email, mails)
    time.sleep(1)
    same((len(world.messages(number)), len(world.messages(email))), (1, mails + 1))
    for answer in repeat(world, "/resend", {"type": "sms", "phone": number}):
        same(answer.status, 200)
    world.newest(number, 1)
    time.sleep(1)
    same(len(world.messages(number)), 2)


@statement("a lost response of /verify is repeated with the same session, for phone and mail")
def lost_verify(world):
    number, email = world.phone(), world.email()
    for to, kind, name in ((number, "sms", "phone"), (email, "email", "email")):
        send("POST", world.auth + "/otp", {name: to}, HEADERS)
        answers = repeat(world, "/verify", {name: to, "token": world.code(to), "type": kind})
        assert session_of(answers[0]) == session_of(answers[1])
        same(refresh(world, answers[1].json["refresh_token"]).status, 200)
    # A code that was used by someone else's client is not repeated.
    other = {**HEADERS, "User-Agent": "Other/2"}
    answer = send("POST", world.auth + "/verify", {"phone": number, "token": world.code(number), "type": "sms"}, other)
    if world.is_real:
        check_refused(answer, (403, "otp_expired"))


@statement("a lost response of a provider's token and of PKCE is repeated with the same session")
def lost_tokens(world):
    token = world.identity_token(secrets.token_hex(6), "n")
    body = {"provider": "google", "id_token": token, "nonce": "n"}
    answers = repeat(world, "/token?grant_type=id_token", body)
    same(session_of(answers[0]), session_of(answers[1]))
    signing, email = client(world, flow="pkce"), world.email()
    signing.sign_in_with_otp({"email": email, "options": {"email_redirect_to": world.redirect}})
    code = re.search(r"[?&]code=([^&]+)", send("GET", world.link(email)).headers["location"])[1]
    verifier = signing._storage.get_item(f"{signing._storage_key}-code-verifier")
    answers = repeat(world, "/token?grant_type=pkce", {"auth_code": code, "code_verifier": verifier})
    same(session_of(answers[0]), session_of(answers[1]))


@statement("a lost response of a recovery, of a new address and of a user's creation: a repeat has the same result, or tells of it")
def lost_changes(world):
    email, other = world.email(), world.email()
    signing = password_session(world, email)
    before = len(world.messages(email))
    send("POST", world.auth + "/recover", {"email": email}, HEADERS)
    answers = repeat(world, "/verify", {"email": email, "token": world.code(email, before), "type": "recovery"})
    same(session_of(answers[0]), session_of(answers[1]))
    signing.sign_in_with_password({"email": email, "password": PASSWORD})
    signing.update_user({"email": other})
    change = {"email": other, "token": world.code(other), "type": "email_change"}
    lose("POST", world.auth + "/verify", change, {**HEADERS, "Authorization": f"Bearer {signing.get_session().access_token}"})
    # The replaced address has ended the access token.
    signing.refresh_session()
    same(signing.get_user().user.email, other)
    created = {"email": world.email(), "email_confirm": True}
    key = {"apikey": world.admin_key, "Authorization": f"Bearer {world.admin_key}"}
    lose("POST", world.auth + "/admin/users", created, key)
    check_refused(send("POST", world.auth + "/admin/users", created, key), (422, "email_exists"))


@statement("a lost response of a password opens another session, of a registration nothing, and both go on")
def lost_password(world):
    email = world.email()
    for answer in repeat(world, "/signup", {"email": email, "password": PASSWORD}):
        assert answer.status == 200 and "access_token" not in answer.json, answer
    time.sleep(1)
    send("POST", world.auth + "/verify", {"email": email, "token": world.code(email), "type": "signup"}, HEADERS)
    answers = repeat(world, "/token?grant_type=password", {"email": email, "password": PASSWORD})
    for answer in answers:
        same(refresh(world, check_session(answer)["refresh_token"]).status, 200)


@statement("a lost response of a refresh is repeated with the same successor, as often as it is lost")
def lost_refresh(world):
    token = phone_session(world).get_session().refresh_token
    for _ in range(3):
        answers = repeat(world, "/token?grant_type=refresh_token", {"refresh_token": token})
        successors = {check_session(answer)["refresh_token"] for answer in answers}
        assert len(successors) == 1 and token not in successors, successors
        token = successors.pop()


@statement("lost responses of /user and /logout: a repeat has the same result")
def lost_user(world):
    access = email_session(world).get_session().access_token
    headers = {**HEADERS, "Authorization": f"Bearer {access}"}
    lose("PUT", world.auth + "/user", {"data": {"a": 1}}, headers)
    same(send("PUT", world.auth + "/user", {"data": {"a": 1}}, headers).json["user_metadata"], {"a": 1})
    lose("POST", world.auth + "/logout?scope=local", None, headers)
    same(send("POST", world.auth + "/logout?scope=local", None, headers).status, 204)


@statement("20 tabs that refresh with one token at once get one successor, which is the live one")
def tabs(world):
    token = phone_session(world).get_session().refresh_token
    for _ in range(3):
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda _: refresh(world, token), range(20)))
        successors = {check_session(answer)["refresh_token"] for answer in answers}
        assert len(successors) == 1, f"{len(successors)} successors"
        token = successors.pop()


@statement("a slow tab with the parent's parent is refused, and the session goes on")
def slow_tab(world):
    tokens = [phone_session(world).get_session().refresh_token]
    for _ in range(2):
        tokens.append(check_session(refresh(world, tokens[-1]))["refresh_token"])
    check_refused(refresh(world, tokens[0]), (400, "refresh_token_already_used"))
    same(refresh(world, tokens[2]).status, 200)


def reused(world, user):
    """The user's records of a reuse in the audit."""
    lines = world.control("audit", "list", "--service", "token", "--user", "usr_" + user.replace("-", ""), "--limit", "50")
    return lines.count("session.reused")


@statement("a thief of the parent gets the live token; once the owner rotates, the theft is refused, audited, and ends the session")
def theft(world):
    signing = phone_session(world)
    stolen, user = signing.get_session().refresh_token, signing.get_session().user.id
    live = check_session(refresh(world, stolen))["refresh_token"]
    same(check_session(refresh(world, stolen))["refresh_token"], live)
    for _ in range(2):
        live = check_session(refresh(world, live))["refresh_token"]
    check_refused(refresh(world, stolen), (400, "refresh_token_already_used"))
    check_refused(refresh(world, live), (400, "session_not_found"))
    if world.is_real:
        assert reused(world, user) >= 1


@statement("the parent's parent more than ten seconds after the last rotation is a theft", long=True)
def late_theft(world):
    stolen = phone_session(world).get_session().refresh_token
    live = check_session(refresh(world, check_session(refresh(world, stolen))["refresh_token"]))["refresh_token"]
    time.sleep(11)
    check_refused(refresh(world, stolen), (400, "refresh_token_already_used"))
    check_refused(refresh(world, live), (400, "session_not_found"))


@statement("a parent that comes late gets the successor, with an access token of five minutes", long=True, real=True)
def late_parent(world):
    token = phone_session(world).get_session().refresh_token
    successor = check_session(refresh(world, token))["refresh_token"]
    time.sleep(62)
    late = check_session(refresh(world, token))
    same(late["refresh_token"], successor)
    assert late["expires_in"] <= 320, late["expires_in"]
    same(refresh(world, successor).status, 200)
