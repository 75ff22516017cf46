"""Requests in the exact forms of auth-js, supabase-swift, gotrue-dart and supabase-kt, and what each of them requires of a response."""
import re
import time
import uuid

import jwt

from official import PASSWORD, REVOKED_SECONDS, phone_session
from statements import same, statement
from world import Answer, send

KEY = "sb_publishable_x"
VERSION = {"X-Supabase-Api-Version": "2024-01-01"}
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")

# The headers of a signed-out request, and the body of a phone's code request.
CLIENTS = {
    "auth-js": (
        {"apikey": KEY, "Authorization": f"Bearer {KEY}", "X-Client-Info": "supabase-js-web/2.112.2",
         "Content-Type": "application/json;charset=UTF-8", **VERSION},
        lambda phone: {"phone": phone, "data": {}, "create_user": True, "gotrue_meta_security": {}, "channel": "sms"}),
    "swift": (
        {"Apikey": KEY, "Authorization": f"Bearer {KEY}", "X-Client-Info": "supabase-swift/2.55.1",
         "Content-Type": "application/json", **VERSION},
        lambda phone: {"phone": phone, "create_user": True, "channel": "sms"}),
    "dart": (
        {"apikey": KEY, "Authorization": f"Bearer {KEY}", "X-Client-Info": "supabase-flutter/2.12.0",
         "Content-Type": "application/json; charset=utf-8", **VERSION},
        lambda phone: {"phone": phone, "data": {}, "create_user": True, "gotrue_meta_security": {"captcha_token": None},
                       "channel": "sms"}),
    "kotlin": (
        {"apikey": KEY, "X-Client-Info": "supabase-kt/3.7.0", "Content-Type": "application/json"},
        lambda phone: {"phone": phone, "create_user": True, "code_challenge": "c" * 43, "code_challenge_method": "s256"}),
    "bare": ({"Content-Type": "application/json"}, lambda phone: {"phone": phone}),
}
VERIFIES = {
    "dart": {"redirect_to": None, "gotrue_meta_security": {"captcha_token": None}},
    "auth-js": {"gotrue_meta_security": {}}, "kotlin": {"gotrue_meta_security": None},
}


def check_user(user):
    """What Python, Swift, Kotlin and Dart require of a user."""
    for name in ("id", "aud", "role", "email", "phone", "created_at", "updated_at"):
        assert isinstance(user[name], str), (name, user)
    same((str(uuid.UUID(user["id"])), user["aud"], user["is_anonymous"]), (user["id"], "authenticated", False))
    assert "+" not in user["phone"]
    for name in ("app_metadata", "user_metadata"):
        assert isinstance(user[name], dict), (name, user)
    for name, value in user.items():
        assert not name.endswith("_at") or STAMP.fullmatch(value), (name, value)
    assert "factors" not in user or user["factors"], "an empty list is left out"
    for identity in user["identities"]:
        assert uuid.UUID(identity["identity_id"]) and str(uuid.UUID(identity["user_id"])) == user["id"], identity
        assert isinstance(identity["identity_data"], dict) and isinstance(identity["provider"], str), identity
        assert isinstance(identity["id"], str) and STAMP.fullmatch(identity["created_at"]), identity


def check_session(answer):
    """What the clients require of a session: three statements of one end of life, and a whole user."""
    assert answer.status == 200 and answer.headers["content-type"].startswith("application/json"), answer
    assert "no-store" in answer.headers.get("cache-control", "no-store"), answer.headers
    session = answer.json
    claims = jwt.decode(session["access_token"], options={"verify_signature": False})
    same((session["token_type"], session["expires_at"]), ("bearer", claims["exp"]))
    assert abs(session["expires_at"] - time.time() - session["expires_in"]) < 5 and session["expires_in"] > 0, session
    assert isinstance(session["refresh_token"], str) and session["refresh_token"]
    check_user(session["user"])
    same((claims["sub"], claims["role"]), (session["user"]["id"], "authenticated"))
    assert isinstance(claims["amr"][0]["timestamp"], int) and claims["aal"] in ("aal1", "aal2"), claims
    return session


def check_refused(answer: Answer, *expected):
    """A refusal in the body that every client understands, with both headers; `expected` are pairs of status and code."""
    body = answer.json
    for name in ("code", "error_code", "message", "msg"):
        assert isinstance(body[name], str) and body[name], (name, answer)
    same((body["code"], body["message"]), (body["error_code"], body["msg"]))
    same(answer.headers.get("x-supabase-api-version"), "2024-01-01")
    same(answer.headers.get("x-sb-error-code"), body["code"])
    assert answer.headers["content-type"].startswith("application/json"), answer.headers
    assert answer.status != 501, answer
    if expected:
        assert (answer.status, body["code"]) in expected, f"expected {expected}, not {answer}"


@statement("auth-js, Swift, Dart, Kotlin and a bare client sign in, refresh, read the user and sign out, in their own forms")
def forms(world):
    for name, (headers, otp) in CLIENTS.items():
        number = world.phone()
        requested = send("POST", world.auth + "/otp", otp(number), headers)
        assert requested.status == 200 and isinstance(requested.json, dict), (name, requested)
        assert isinstance(requested.json.get("message_id"), (str, type(None))), requested
        body = {"phone": number, "token": world.code(number), "type": "sms", **VERIFIES.get(name, {})}
        session = check_session(send("POST", world.auth + "/verify", body, headers))
        session = check_session(send(
            "POST", world.auth + "/token?grant_type=refresh_token", {"refresh_token": session["refresh_token"]}, headers))
        bearer = {**headers, "Authorization": f"Bearer {session['access_token']}"}
        check_user(send("GET", world.auth + "/user", headers=bearer).json)
        check_user(send("PUT", world.auth + "/user", {"data": {"from": name}}, bearer).json)
        # JS sends an empty object, the others nothing.
        ended = send("POST", world.auth + "/logout?scope=local", {} if name == "auth-js" else None, bearer)
        same((name, ended.status, ended.text), (name, 204, ""))
        time.sleep(REVOKED_SECONDS)
        again = send("GET", world.auth + "/user", headers=bearer)
        check_refused(again, (403, "session_not_found"))


@statement("mail, password and PKCE in the forms of auth-js and Kotlin, with null members and unknown ones")
def mail_forms(world):
    for name in ("auth-js", "kotlin"):
        headers, email = CLIENTS[name][0], world.email()
        body = {"email": email, "password": PASSWORD, "data": {}, "gotrue_meta_security": {}, "code_challenge": None,
                "code_challenge_method": None, "channel": None, "unknown": {"a": [1]}}
        answer = send("POST", f"{world.auth}/signup?redirect_to={world.redirect}", body, headers)
        assert answer.status == 200, answer
        check_user(answer.json)
        assert "access_token" not in answer.json
        code = {"email": email, "token": world.code(email), "type": "signup", "gotrue_meta_security": None}
        check_session(send("POST", world.auth + "/verify", code, headers))
        login = {"email": email, "password": PASSWORD, "gotrue_meta_security": {}}
        check_session(send("POST", world.auth + "/token?grant_type=password", login, headers))
        before = len(world.messages(email))
        same(send("POST", world.auth + "/magiclink", {"email": email, "create_user": True}, headers).status, 200)
        code = {"email": email, "token": world.code(email, before), "type": "magiclink"}
        check_session(send("POST", world.auth + "/verify", code, headers))


@statement("a bearer that is no token, an unknown key and no key at all refuse no public call")
def keys(world):
    for headers in ({"Authorization": "Bearer x.y"}, {"Authorization": "Basic YQ=="}, {"apikey": ""}, {}, {"apikey": "wrong"}):
        assert send("POST", world.auth + "/otp", {"phone": world.phone()}, headers).status == 200, headers
        assert send("GET", world.auth + "/settings", headers=headers).status == 200, headers


@statement("pages of other origins may send the clients' headers, and read the headers of errors and pages")
def cors(world):
    origin = {"Origin": "https://app.example.com"}
    wanted = "apikey, authorization, content-type, x-client-info, x-supabase-api-version"
    for method, path in (("POST", "/token?grant_type=password"), ("PUT", "/user"), ("DELETE", "/admin/users/1")):
        answer = send("OPTIONS", world.auth + path, headers={
            **origin, "Access-Control-Request-Method": method, "Access-Control-Request-Headers": wanted})
        assert answer.status in (200, 204), answer
        allowed = [name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")]
        assert "*" in allowed or set(wanted.split(", ")) <= set(allowed), allowed
        assert method in answer.headers["access-control-allow-methods"], answer.headers
    refusal = send("GET", world.auth + "/user", headers={**origin, **VERSION})
    check_refused(refusal, (401, "no_authorization"))
    exposed = {name.strip().lower() for name in refusal.headers["access-control-expose-headers"].split(",")}
    assert {"x-total-count", "link", "x-supabase-api-version"} <= exposed, exposed


@statement("key set, discovery, health and settings: one issuer, no key that Python refuses, a set that is valid for ten minutes")
def discovery(world):
    keys = send("GET", world.auth + "/.well-known/jwks.json")
    for key in keys.json["keys"]:
        assert key["kty"] in ("EC", "RSA") and key["kid"] and key["alg"] and key["use"] == "sig", key
    assert int(re.search(r"max-age=(\d+)", keys.headers["cache-control"])[1]) >= 600, keys.headers
    document = send("GET", world.auth + "/.well-known/openid-configuration").json
    same((document["issuer"], send("GET", document["jwks_uri"]).json), (world.auth, keys.json))
    same(send("GET", world.auth + "/health").json["name"], "GoTrue")
    settings = send("GET", world.auth + "/settings").json
    same((settings["external"]["phone"], settings["external"]["email"], settings["external"]["anonymous_users"]),
         (True, True, False))
    same(settings["disable_signup"], False)


@statement("a sign-out is 204 for any well-signed token, and no client takes a refusal of it as an error")
def sign_out_twice(world):
    access = phone_session(world).get_session().access_token
    for scope in ("?scope=local", "?scope=global", "?scope=others", ""):
        same(send("POST", world.auth + "/logout" + scope, headers={"Authorization": f"Bearer {access}"}).status, 204)
    check_refused(send("POST", world.auth + "/logout"), (401, "no_authorization"))
    check_refused(send("POST", world.auth + "/logout", headers={"Authorization": f"Bearer {KEY}"}),
                  (403, "bad_jwt"), (401, "bad_jwt"))
