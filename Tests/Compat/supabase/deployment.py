"""Two sets of clients in one deployment: one speaks the native API, the other is Supabase's, over the same users."""
import base64
import hmac
import json
import struct
import time
import uuid

from exchange import old_session
from lost import refresh
from official import phone_session
from raw import check_refused
from statements import client, refused, same, statement
from world import send


def native(world, phone):
    """Signs in by the native API, and returns its response."""
    before = len(world.messages(phone))
    same(send("POST", world.base + "/auth/otp/request", {"phoneNumber": phone}).status, 200)
    answer = send("POST", world.base + "/auth/otp/verify", {"phoneNumber": phone, "code": world.code(phone, before)})
    assert answer.status == 200, answer
    return answer.json


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


@statement("one user has one id in both: with prefix natively, as a UUID here", real=True)
def one_user(world):
    phone = world.phone()
    first, signing = native(world, phone), phone_session(world, phone)
    user = signing.get_user().user
    same("usr_" + uuid.UUID(user.id).hex, first["user"]["id"])
    access = signing.get_session().access_token
    same(send("GET", world.base + "/users/me", headers=bearer(access)).json["id"], first["user"]["id"])


@statement("your API behind the gateway gets the prefixed id and our role from both kinds of tokens", real=True)
def identity_headers(world):
    phone = world.phone()
    first, signing = native(world, phone), phone_session(world, phone)
    greetings = [send("GET", world.base + "/api/hello", headers=bearer(token)).json
                 for token in (first["tokens"]["accessToken"], signing.get_session().access_token)]
    same([(g["userId"], g["role"]) for g in greetings], [(first["user"]["id"], "user")] * 2)


@statement("a code counts only where it was requested", real=True)
def apart(world):
    phone = world.phone()
    same(send("POST", world.base + "/auth/otp/request", {"phoneNumber": phone}).status, 200)
    code = world.code(phone)
    check_refused(send("POST", world.auth + "/verify", {"phone": phone, "token": code, "type": "sms"}), (403, "otp_expired"))
    answer = send("POST", world.base + "/auth/otp/verify", {"phoneNumber": phone, "code": code})
    same(answer.status, 200)


@statement("global sign-out, a ban and a removal end the sessions of both", real=True)
def ended_in_both(world):
    phone = world.phone()
    first, signing = native(world, phone), phone_session(world, phone)
    signing.sign_out()
    same(send("POST", world.base + "/auth/refresh", {"refreshToken": first["tokens"]["refreshToken"]}).status, 401)
    first, signing = native(world, phone), phone_session(world, phone)
    world.control("users", "change", first["user"]["id"], "--active", "false")
    token = signing.get_session().refresh_token
    check_refused(send("POST", world.auth + "/token?grant_type=refresh_token", {"refresh_token": token}),
                  (400, "user_banned"), (400, "session_not_found"))
    same(send("POST", world.base + "/auth/refresh", {"refreshToken": first["tokens"]["refreshToken"]}).status in (401, 403), True)


def totp(secret, step=0):
    """The code of an authenticator app (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + step)
    digest = hmac.digest(base64.b32decode(secret + "=" * (-len(secret) % 8)), counter, "sha1")
    return f"{(struct.unpack_from('>I', digest, digest[-1] & 15)[0] & 0x7fffffff) % 1_000_000:06d}"


def require_second_factor(world, token):
    """Turns one-time passwords on for each sign-in of a user."""
    headers = bearer(token)
    secret = send("POST", world.base + "/users/me/mfa/totp", {}, headers).json["secret"]
    for method, path, body in (
            ("POST", "/users/me/mfa/totp/activate", {"code": totp(secret)}),
            ("POST", "/auth/reauthenticate", {"totp": totp(secret, 1)}), ("PATCH", "/users/me/mfa", {"required": True})):
        answer = send(method, world.base + path, body, headers)
        assert answer.status == 200, (path, answer)


@statement("a user who needs a second factor gets no session here, by no way of signing in", real=True)
def second_factor(world):
    user, old = old_session(world)
    phone = "+" + user["phone"]
    require_second_factor(world, native(world, phone)["tokens"]["accessToken"])
    refused(403, "insufficient_aal", phone_session, world, phone)
    answer = refresh(world, old)
    check_refused(answer, (403, "insufficient_aal"), (400, "insufficient_aal"))


@statement("an outage behind the gateway is 503 with Retry-After, and the same token and code go on afterwards", real=True)
def outage(world):
    phone, token = world.phone(), phone_session(world).get_session().refresh_token
    with world.paused("token"):
        answer = refresh(world, token)
        check_refused(answer, (503, "unexpected_failure"))
        assert "retry-after" in answer.headers, answer.headers
    with world.paused("redis"):
        answer = send("POST", world.auth + "/otp", {"phone": phone})
        check_refused(answer, (503, "unexpected_failure"))
    end = time.monotonic() + 20
    while refresh(world, token).status != 200:
        assert time.monotonic() < end, "no refresh within 20 s of the outage"
        time.sleep(0.2)
    phone_session(world, phone)


@statement("the native refusals keep their shape beside this dialect's", real=True)
def shapes(world):
    answer = send("GET", world.base + "/users/me")
    assert answer.status == 401 and "error_code" not in answer.json and "x-sb-error-code" not in answer.headers, answer
    check_refused(send("GET", world.auth + "/user"), (401, "no_authorization"))


@statement("no code, token or key of these statements is in a log", real=True)
def logs(world):
    signing = phone_session(world)
    session = signing.get_session()
    signing.refresh_session()
    try:
        client(world, key=world.admin_key).admin.list_users()
    finally:
        text = "".join(path.read_text(errors="replace") for path in (world.folder / "log").glob("*"))
    for name, secret in (("key", world.admin_key), ("refresh", session.refresh_token), ("access", session.access_token)):
        assert secret not in text, name
    assert json.dumps(session.user.phone) not in text
