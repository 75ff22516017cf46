"""The long list of refusals: each in the shape of raw.py, with GoTrue's code, and never 501."""
import json
import uuid

from official import PASSWORD, email_session, phone_session
from raw import CLIENTS, VERSION, check_refused
from statements import statement
from world import send

BIG = "x" * 9_000
SOME = str(uuid.uuid4())
INVALID = (400, "validation_failed")
BAD_JSON = [(400, "bad_json"), INVALID]

# Method, path, body, pairs of status and code.
PUBLIC = [
    # Bodies that are none.
    *[("POST", path, body, BAD_JSON + [(422, "anonymous_provider_disabled")]) for path in ("/otp", "/verify", "/signup", "/recover", "/token?grant_type=password")
      for body in (b"", b"{", b"[]", b"null", b'"a"', b"\xff\xfe", b'{"phone":"\xc3"}', b'{"email":"a@b.example"', b"[" * 5000)],
    # NUL, halves of surrogate pairs, wrong types, 9 KB.
    *[("POST", "/otp", body, BAD_JSON) for body in (
        b'{"phone":"+1415555\\u00002671"}', b'{"phone":"\\ud800"}', b'{"email":"a\\u0000@example.com"}',
        b'{"email":"\\udc00@example.com"}', {"phone": 14155552671}, {"phone": ["+14155552671"]}, {"phone": {}},
        {"phone": "+1" + "5" * 9_000}, {"email": BIG + "@example.com"}, {"email": "no at sign"}, {"email": "a@"},
        {"phone": "12"}, {"phone": "+1"}, {"phone": ""}, {"email": ""}, {}, {"phone": None, "email": None})],
    *[("POST", "/verify", body, BAD_JSON + [(403, "otp_expired")]) for body in (
        {"phone": "+14155552671", "token": 123456, "type": "sms"}, {"phone": "+14155552671", "type": "sms"},
        {"phone": "+14155552671", "token": "123456"}, {"phone": "+14155552671", "token": "123456", "type": "fax"},
        {"token": "123456", "type": "sms"}, {"phone": "+14155552671", "token": BIG, "type": "sms"},
        {"phone": "+14155552671", "token": "12345\u0000", "type": "sms"},
        b'{"phone":"+14155552671","token":"\\ud83d","type":"sms"}', {"email": "a@example.com", "token": "1", "type": "sms"},
        {"token_hash": "abc", "type": "email"}, {"email": "a@example.com", "token": "123456", "type": "invite"})],
    # Unknown, and refused alike.
    ("POST", "/verify", {"phone": "+14155550000", "token": "123456", "type": "sms"}, [(403, "otp_expired")]),
    ("POST", "/verify", {"email": "nobody@example.com", "token": "123456", "type": "email"}, [(403, "otp_expired")]),
    ("POST", "/verify", {"email": "nobody@example.com", "token": "123456", "type": "recovery"}, [(403, "otp_expired")]),
    ("POST", "/verify", {"email": "nobody@example.com", "token": "123456", "type": "email_change"}, [(403, "otp_expired")]),
    # Grants.
    *[("POST", "/token" + query, {"refresh_token": "a"}, [(400, "invalid_credentials"), INVALID])
      for query in ("", "?grant_type=", "?grant_type=web3", "?grant_type=client_credentials")],
    *[("POST", "/token?grant_type=refresh_token", {"refresh_token": token}, [(400, "refresh_token_not_found"), *BAD_JSON])
      for token in ("", "a", "aaaaaaaaaaaa\u0000", BIG, "rt_" + "0" * 64)],
    *[("POST", "/token?grant_type=refresh_token", body, BAD_JSON + [(400, "refresh_token_not_found")])
      for body in ({}, {"refresh_token": None}, {"refresh_token": 1}, {"refresh_token": ["a"]}, b'{"refresh_token":"\\ud800"}')],
    *[("POST", "/token?grant_type=password", body, BAD_JSON + [(400, "invalid_credentials")]) for body in (
        {"email": "nobody@example.com", "password": PASSWORD}, {"email": "nobody@example.com", "password": ""},
        {"email": "nobody@example.com"}, {"password": PASSWORD}, {"email": "nobody@example.com", "password": BIG},
        {"email": "nobody@example.com", "password": "a\u0000b"}, b'{"email":"a@example.com","password":"\\udc00"}',
        {"email": ["a"], "password": PASSWORD})],
    ("POST", "/token?grant_type=password", {"phone": "+14155552671", "password": PASSWORD}, [(422, "phone_provider_disabled")]),
    *[("POST", "/token?grant_type=pkce", body, BAD_JSON + [(404, "flow_state_not_found")]) for body in (
        {"auth_code": "none", "code_verifier": "v" * 43}, {"auth_code": "", "code_verifier": "v" * 43},
        {"auth_code": BIG, "code_verifier": "v" * 43}, {"auth_code": SOME, "code_verifier": None}, {"code_verifier": "v" * 43})],
    *[("POST", "/token?grant_type=id_token", body, BAD_JSON + [(400, "bad_jwt"), (400, "provider_disabled")]) for body in (
        {"provider": "google", "id_token": "a.b.c"}, {"provider": "google", "id_token": ""}, {"provider": "google"},
        {"provider": "google", "id_token": BIG}, {"provider": "facebook", "id_token": "a.b.c"}, {"id_token": "a.b.c"},
        {"provider": "google\u0000", "id_token": "a.b.c"}, {"provider": 1, "id_token": 2})],
    # Registration and reset.
    ("POST", "/signup", {"data": {}}, [(422, "anonymous_provider_disabled")]),
    ("POST", "/signup", {"phone": "+14155552671", "password": PASSWORD}, [(422, "phone_provider_disabled")]),
    ("POST", "/signup", {"email": "weak@example.com", "password": "short"}, [(422, "weak_password")]),
    *[("POST", "/signup", body, BAD_JSON + [(422, "weak_password")]) for body in (
        {"email": "a@example.com", "password": BIG},
        b'{"email":"a@example.com","password":"\\ud800\\ud800aaaaaaaa"}', {"email": "a@example.com", "password": 12345678},
        {"email": "a@example.com"}, {"email": "no address", "password": PASSWORD})],
    *[("POST", "/recover", body, BAD_JSON) for body in ({}, {"email": 1}, {"email": "a\u0000@example.com"})],
    *[("POST", "/resend", body, BAD_JSON) for body in (
        {}, {"type": "fax", "email": "a@example.com"}, {"type": "sms"}, {"type": "signup", "phone": None})],
    # The browser.
    *[("GET", "/authorize" + query, None, [INVALID, (400, "provider_disabled")]) for query in (
        "", "?provider=google", "?provider=none&code_challenge=" + "c" * 43 + "&code_challenge_method=s256",
        "?provider=google&code_challenge=" + "c" * 43 + "&code_challenge_method=plain")],
    # Not offered.
    *[(method, path, {} if method != "GET" else None, [(404, "saml_provider_disabled")])
      for method, path in (("POST", "/sso"), ("GET", "/sso/saml/metadata"), ("POST", "/sso/saml/acs"))],
    *[("POST", path, {}, [(404, "passkey_disabled")])
      for path in ("/passkeys/authentication/options", "/passkeys/registration/options")],
    *[(method, path, None, [(404, "feature_disabled")]) for method, path in (
        ("GET", "/oauth/authorizations/" + SOME), ("POST", "/oauth/clients/register"), ("GET", "/admin/sso/providers"),
        ("GET", "/admin/oauth/clients"), ("GET", "/admin/audit"), ("GET", "/admin/custom-providers"),
        ("POST", "/admin/generate_link"), ("GET", "/scim/v2/Users"))],
]

SIGNED_IN = [
    *[("PUT", "/user", body, BAD_JSON) for body in (
        b"{", b"[]", {"data": []}, {"data": "a"}, {"data": {"a\u0000": 1}}, {"data": {"a": "\u0000"}},
        b'{"data":{"a":"\\ud800"}}', {"data": {"a": BIG}}, {"data": {BIG: 1}}, {"email": "no address"}, {"phone": "12"})],
    *[("PUT", "/user", {"password": password}, BAD_JSON + [(422, "weak_password")]) for password in ("short", BIG)],
    ("POST", "/factors", {"factor_type": "totp"}, [(422, "mfa_totp_enroll_not_enabled")]),
    ("POST", f"/factors/{SOME}/challenge", {}, [(422, "mfa_totp_enroll_not_enabled")]),
    ("POST", f"/factors/{SOME}/verify", {"code": "123456"}, [(422, "mfa_totp_enroll_not_enabled")]),
    ("DELETE", f"/factors/{SOME}", None, [(422, "mfa_totp_enroll_not_enabled")]),
    ("GET", "/user/identities/authorize?provider=google", None, [(404, "manual_linking_disabled")]),
    ("DELETE", f"/user/identities/{SOME}", None, [(404, "manual_linking_disabled")]),
    ("POST", "/logout?scope=everywhere", None, [INVALID]),
]

ADMIN = [
    ("GET", f"/admin/users/{SOME}", None, [(404, "user_not_found")]),
    ("PUT", f"/admin/users/{SOME}", {"user_metadata": {}}, [(404, "user_not_found")]),
    ("DELETE", f"/admin/users/{SOME}", {"should_soft_delete": False}, [(404, "user_not_found")]),
    *[("POST", "/admin/users", body, BAD_JSON) for body in (
        b"", b"{", {}, {"email": 1}, {"email": "no address"}, {"phone": "12"}, {"id": "usr_1", "email": "a@example.com"},
        {"email": "a@example.com", "user_metadata": {"a": BIG}}, {"email": "a@example.com", "app_metadata": {"\u0000": 1}},
        {"email": "a@example.com", "password_hash": "md5"}, b'{"email":"a@example.com","user_metadata":{"a":"\\ud800"}}')],
    *[("GET", "/admin/users/" + text, None, [INVALID, (404, "user_not_found"), (400, "user_not_found")])
      for text in ("1", "usr_" + "0" * 32, BIG[:500])],
    *[("GET", "/admin/users" + query, None, [INVALID]) for query in ("?page=-1", "?page=a", "?per_page=100000000000000000000")],
]


def collect(world, rows, headers):
    """Sends every row, and raises one error that lists those that were not refused as they should."""
    wrong = []
    for method, path, body, expected in rows:
        try:
            answer = send(method, world.auth + path, body, headers)
            check_refused(answer, *expected)
        except Exception as error:
            shown = body if isinstance(body, bytes) else json.dumps(body)
            wrong.append(f"{method} {path[:80]} {shown[:60]}: {type(error).__name__} {str(error)[:200]}")
    assert not wrong, f"{len(wrong)} of {len(rows)}:\n  " + "\n  ".join(wrong)


@statement("everything that is invalid, unknown or not offered before a sign-in is refused with GoTrue's code")
def public(world):
    # The simulation checks less than Latchkey: its rows are those that it has.
    rows = PUBLIC if world.is_real else [row for row in PUBLIC if row[0] != "GET" and len(row[3]) == 1]
    collect(world, rows, CLIENTS["auth-js"][0])


@statement("everything that is invalid or not offered after a sign-in is refused with GoTrue's code, and the user goes on")
def signed_in(world):
    signing = email_session(world)
    bearer = {**VERSION, "Authorization": f"Bearer {signing.get_session().access_token}"}
    collect(world, SIGNED_IN if world.is_real else [row for row in SIGNED_IN if len(row[3]) == 1], bearer)
    assert signing.get_user().user.id == signing.get_session().user.id


@statement("administration with a key refuses what is invalid or unknown")
def admin_refusals(world):
    bearer = {**VERSION, "apikey": world.admin_key, "Authorization": f"Bearer {world.admin_key}"}
    collect(world, ADMIN if world.is_real else ADMIN[:3], bearer)


@statement("administration needs the key: none, a wrong one, a user's token, and the key from a browser's origin are refused")
def admin_key(world):
    access = phone_session(world).get_session().access_token
    nearly = world.admin_key[:-1] + "x"
    key = {"apikey": world.admin_key, "Authorization": f"Bearer {world.admin_key}"}
    for headers, expected in (
            ({}, [(401, "no_authorization")]),
            ({"apikey": "sb_publishable_x", "Authorization": "Bearer sb_publishable_x"}, [(403, "bad_jwt"), (403, "not_admin"),
                                                                                         (401, "bad_jwt")]),
            ({"apikey": nearly, "Authorization": f"Bearer {nearly}"}, [(403, "bad_jwt"), (403, "not_admin"), (401, "bad_jwt")]),
            ({"Authorization": f"Bearer {access}"}, [(403, "not_admin")]),
            ({"apikey": world.admin_key, "Authorization": f"Bearer {access}"}, [(403, "not_admin")]),
            ({**key, "Origin": "https://app.example.com"}, [(403, "not_admin"), (401, "no_authorization")])):
        for method, path in (("GET", "/admin/users"), ("POST", "/admin/users"), ("POST", "/invite"),
                             ("DELETE", "/admin/users/" + SOME)):
            body = {"email": world.email()} if method == "POST" else None
            check_refused(send(method, world.auth + path, body, {**VERSION, **headers}), *expected)


@statement("users without a token: none, an old one's shape, a publishable key; each call tells them apart as GoTrue does")
def bearers(world):
    for headers, expected in (({}, (401, "no_authorization")), ({"Authorization": "Bearer sb_publishable_x"}, (403, "bad_jwt")),
                              ({"Authorization": "Bearer a.b.c"}, (403, "bad_jwt")),
                              ({"Authorization": "Bearer " + BIG[:4000]}, (403, "bad_jwt"))):
        for method, path, body in (("GET", "/user", None), ("PUT", "/user", {"data": {}}), ("GET", "/reauthenticate", None)):
            check_refused(send(method, world.auth + path, body, {**VERSION, **headers}), expected)


@statement("a body of 2 MB, an unknown path and an unknown method have GoTrue's shape too", real=True)
def edge(world):
    check_refused(send("POST", world.auth + "/otp", b'{"phone":"' + b"1" * (2 << 20) + b'"}'))
    for method, path in (("GET", "/nothing"), ("POST", "/otp/deeper"), ("DELETE", "/otp"), ("PATCH", "/token")):
        answer = send(method, world.auth + path)
        check_refused(answer)
        assert 400 <= answer.status < 500, answer
