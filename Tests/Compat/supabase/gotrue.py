"""A small GoTrue in memory: the old server of the exchange, and a server on which the statements are tried themselves.

As the old server it can be down, hang, or respond with nonsense. With a spoiled answer the statements have to fail.
"""
import base64
import hashlib
import http.server
import json
import re
import secrets
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import jwt
from cryptography.hazmat.primitives.asymmetric import ec

REDIRECT = "https://app.example.com/signed-in"
ADMIN_KEY = "sb_secret_" + secrets.token_urlsafe(30)
NOT_OFFERED = [
    (r"/sso(/.*)?", 404, "saml_provider_disabled"), (r"/passkeys/.*", 404, "passkey_disabled"),
    (r"/factors(/.*)?", 422, "mfa_totp_enroll_not_enabled"), (r"/user/identities(/.*)?", 404, "manual_linking_disabled"),
    (r"/oauth/.*|/scim.*|/admin/(sso|oauth|custom-providers|audit|generate_link).*|/admin/users/[^/]+/factors.*", 404,
     "feature_disabled")]


class Refused(Exception):
    def __init__(self, status, code, message="refused"):
        self.status, self.code, self.message = status, code, message


def stamp(at=None):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + ".000000Z"


class Server(http.server.ThreadingHTTPServer):
    # 20 tabs connect at once.
    request_queue_size = 128

    def handle_error(self, *_):
        """A client that closes its connection early is what some statements do."""


class GoTrue:
    """Users, sessions and messages; `mode` is up, down, hang or the name of a nonsense, `spoil` the name of a wrong member."""

    def __init__(self, spoil=None, previous=None):
        self.previous = previous
        self.key, self.spoil, self.mode, self.seen = ec.generate_private_key(ec.SECP256R1()), spoil, "up", []
        self.users, self.sessions, self.codes, self.flows, self.messages = {}, {}, {}, {}, []
        self.lock, self.results = threading.RLock(), {}
        self.server = Server(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    # What a user and a session look like.

    def new_user(self, **members):
        user = {"id": str(uuid.uuid4()), "email": "", "phone": "", "password": None, "data": {}, "app": {}, "banned": False,
                "at": time.time(), "confirmed": True, "provider": "email", **members}
        self.users[user["id"]] = user
        return user

    def find(self, **members):
        return next((u for u in self.users.values() if all(v and u.get(k) == v for k, v in members.items())), None)

    def user(self, user):
        app = {"provider": user["provider"], "providers": [user["provider"]], **user["app"]}
        at = stamp(user["at"])
        identity = {"identity_id": str(uuid.uuid5(uuid.NAMESPACE_URL, user["id"])), "id": user["id"], "user_id": user["id"],
                    "identity_data": {"sub": user["id"]}, "provider": user["provider"], "created_at": at, "updated_at": at}
        shown = {"id": user["id"], "aud": "authenticated", "role": "authenticated", "email": user["email"],
                 "phone": user["phone"], "app_metadata": app, "user_metadata": user["data"], "identities": [identity],
                 "created_at": at, "updated_at": at, "is_anonymous": False}
        for pending in ("new_email", "new_phone"):
            if user.get(pending):
                shown[pending] = user[pending]
        if self.spoil == "date":
            shown["created_at"] = at.replace("T", " ")
        return shown

    def open(self, user, method):
        if user["banned"]:
            raise Refused(403, "user_banned")
        session = {"id": str(uuid.uuid4()), "user": user["id"], "amr": [{"method": method, "timestamp": int(time.time())}],
                   "tokens": [self.token()], "rotated": 0.0}
        self.sessions[session["id"]] = session
        return self.answer(session)

    def token(self):
        # Version 1 of GoTrue's form, or one of our own that is no exchangeable one.
        letters = "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(12))
        return "rt_" + letters if self.previous else letters

    def answer(self, session):
        now, user = int(time.time()), self.users[session["user"]]
        shown = self.user(user)
        claims = {"iss": self.base + "/auth/v1", "sub": user["id"], "aud": "authenticated", "role": "authenticated",
                  "iat": now, "exp": now + 3600, "email": user["email"], "phone": user["phone"], "aal": "aal1",
                  "app_metadata": shown["app_metadata"], "user_metadata": user["data"], "amr": session["amr"],
                  "session_id": session["id"], "is_anonymous": False}
        if self.spoil == "role":
            claims["role"] = "user"
        access = jwt.encode(claims, self.key, algorithm="ES256", headers={"kid": "k1"})
        answer = {"access_token": access, "token_type": "bearer", "expires_in": 3600, "expires_at": now + 3600,
                  "refresh_token": session["tokens"][-1], "user": shown}
        if self.spoil == "expires_at":
            del answer["expires_at"]
        return answer

    # Codes.

    def send(self, to, kind, **more):
        sent = {"code": f"{secrets.randbelow(900_000) + 100_000}", "kind": kind, "tries": 0, **more}
        self.codes[to, kind] = sent
        link = None
        if more.get("challenge"):
            link = f"{self.base}/auth/v1/verify?token={secrets.token_hex(8)}&type={kind}&redirect_to={REDIRECT}"
            self.flows["link", link.split("token=")[1].split("&")[0]] = (to, kind, more["challenge"])
        self.messages.append({"to": to, "text": "code " + sent["code"], "code": sent["code"], "link": link})

    def check(self, to, kinds, code):
        for kind in kinds:
            sent = self.codes.get((to, kind))
            if sent and sent["tries"] < 5:
                if sent["code"] == code:
                    return self.codes.pop((to, kind))
                sent["tries"] += 1
        raise Refused(403, "otp_expired")

    # Calls.

    def otp(self, body, _):
        email, phone = body.get("email"), body.get("phone")
        if not isinstance(email or phone, str) or "\0" in (email or phone) or not ("@" in (email or "") or phone):
            raise Refused(400, "validation_failed")
        if phone and not re.fullmatch(r"\+?[0-9]{8,15}", phone):
            raise Refused(400, "validation_failed")
        if body.get("create_user") is False and not self.find(email=email, phone=phone and phone.lstrip("+")):
            return {}
        if email:
            self.send(email, "email", challenge=body.get("code_challenge"), data=body.get("data"))
        else:
            self.send(phone.lstrip("+"), "sms", data=body.get("data"))
        return {}

    def verify(self, body, _):
        kind, token = body.get("type"), body.get("token")
        to = body.get("email") or (body.get("phone") or "").lstrip("+")
        kinds = {"sms": ["sms"], "email": ["email", "signup"], "magiclink": ["email"], "signup": ["signup", "email"],
                 "recovery": ["recovery"], "email_change": ["email_change"], "phone_change": ["phone_change"]}.get(kind)
        if not kinds or not isinstance(token, str) or not to:
            raise Refused(400, "validation_failed")
        sent = self.check(to, kinds, token)
        if kind.endswith("_change"):
            user = self.users[sent["user"]]
            user[kind.split("_")[0]] = to
            user.pop("new_" + kind.split("_")[0], None)
            return self.open(user, "otp")
        name = "phone" if kind == "sms" else "email"
        user = self.find(**{name: to}) or self.new_user(**{name: to, "provider": name, "data": sent.get("data") or {}})
        user["confirmed"] = True
        answer = self.open(user, "recovery" if kind == "recovery" else "otp")
        if kind == "recovery":
            user["may_set"] = True
        return answer

    def password(self, body, _):
        if body.get("phone"):
            raise Refused(422, "phone_provider_disabled")
        user = self.find(email=body.get("email"))
        if not user or not user["confirmed"] or not user["password"] or user["password"] != body.get("password"):
            raise Refused(400, "invalid_credentials")
        return self.open(user, "password")

    def refresh(self, body, _):
        token = body.get("refresh_token")
        if not isinstance(token, str):
            raise Refused(400, "validation_failed")
        session = next((s for s in self.sessions.values() if token in s["tokens"]), None)
        if not session and self.previous and re.fullmatch(r"[a-z0-9]{12}|[A-Za-z0-9_-]{51,63}", token):
            return self.exchange(token)
        if not session:
            raise Refused(400, "refresh_token_not_found")
        if session.get("ended"):
            raise Refused(400, "session_not_found")
        age = len(session["tokens"]) - 1 - session["tokens"].index(token)
        if age == 0:
            session["tokens"].append(self.token())
            session["rotated"] = time.time()
            if session.get("old"):
                self.call_previous("/logout?scope=local", None, session.pop("old"))
        elif age > 1 or self.spoil == "parent":
            session["ended"] = age > 2 or time.time() - session["rotated"] > 10
            raise Refused(400, "refresh_token_already_used")
        return self.answer(session)

    def call_previous(self, path, body, bearer=None):
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {bearer}"} if bearer else {})}
        data = b"" if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.previous.base + "/auth/v1" + path, data, headers)
        return urllib.request.urlopen(request, timeout=5).read(1 << 20)

    def exchange(self, token):
        """Exchanges a refresh token of `previous` for a session, as the dialect does."""
        try:
            answer = json.loads(self.call_previous("/token?grant_type=refresh_token", {"refresh_token": token}))
            user, access = self.users[answer["user"]["id"]], answer["access_token"]
        except urllib.error.HTTPError as error:
            if error.code == 400:
                raise Refused(400, "refresh_token_not_found") from None
            raise Refused(503, "unexpected_failure") from None
        except Exception:
            raise Refused(503, "unexpected_failure") from None
        answer = self.open(user, "otp")
        session = next(s for s in self.sessions.values() if answer["refresh_token"] in s["tokens"])
        session["tokens"], session["old"] = [token, *session["tokens"]], access
        return answer

    def pkce(self, body, _):
        flow = self.flows.get(("code", body.get("auth_code")))
        if not flow:
            raise Refused(404, "flow_state_not_found")
        user, challenge = flow
        verifier = body.get("code_verifier") or ""
        if base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode() != challenge:
            raise Refused(400, "bad_code_verifier")
        del self.flows["code", body["auth_code"]]
        return self.open(self.users[user], "otp")

    def id_token(self, body, _):
        if body.get("provider") not in ("apple", "google"):
            raise Refused(400, "provider_disabled")
        if not str(body.get("id_token")).startswith("good."):
            raise Refused(400, "bad_jwt")
        subject = body["id_token"].split(".")[1]
        return self.open(self.find(subject=subject) or self.new_user(subject=subject, provider=body["provider"]), "oauth")

    def signup(self, body, _):
        if not body.get("email") and not body.get("phone"):
            raise Refused(422, "anonymous_provider_disabled")
        if body.get("phone"):
            raise Refused(422, "phone_provider_disabled")
        if not isinstance(body.get("password"), str) or len(body["password"]) < 8:
            raise Refused(422, "weak_password")
        if "@" not in body["email"]:
            raise Refused(400, "validation_failed")
        user = self.find(email=body["email"])
        if user:
            return {**self.user(user), "id": str(uuid.uuid4()), "identities": []}
        user = self.new_user(email=body["email"], password=body["password"], confirmed=False, data=body.get("data") or {})
        self.send(user["email"], "signup")
        return self.user(user)

    def recover(self, body, _):
        if not isinstance(body.get("email"), str):
            raise Refused(400, "validation_failed")
        if self.find(email=body["email"]):
            self.send(body["email"], "recovery", challenge=body.get("code_challenge"))
        return {}

    def resend(self, body, _):
        kind, to = body.get("type"), body.get("email") or (body.get("phone") or "").lstrip("+")
        if kind not in ("sms", "signup", "email_change", "phone_change") or not to:
            raise Refused(400, "validation_failed")
        if (to, kind) in self.codes:
            self.send(to, kind, **{k: v for k, v in self.codes[to, kind].items() if k == "user"})
        return {}

    def signed_in(self, headers):
        bearer = (headers.get("authorization") or "").removeprefix("Bearer ")
        if not bearer:
            raise Refused(401, "no_authorization")
        try:
            claims = jwt.decode(bearer, self.key.public_key(), ["ES256"], audience="authenticated")
        except jwt.PyJWTError:
            raise Refused(403, "bad_jwt") from None
        return self.sessions[claims["session_id"]]

    def live(self, headers):
        session = self.signed_in(headers)
        if session.get("ended") or session["user"] not in self.users:
            raise Refused(403, "session_not_found")
        return session, self.users[session["user"]]

    def get_user(self, _, headers):
        return self.user(self.live(headers)[1])

    def put_user(self, body, headers):
        session, user = self.live(headers)
        if body.get("password") and session["amr"][0]["method"] == "recovery" and not user.pop("may_set", False):
            raise Refused(400, "reauthentication_needed")
        for name in ("email", "phone"):
            value = (body.get(name) or "").lstrip("+")
            if value and self.find(**{name: value}):
                raise Refused(422, name + "_exists")
            if value:
                user["new_" + name] = value
                self.send(value, name + "_change", user=user["id"])
        if body.get("password"):
            if len(body["password"]) < 8:
                raise Refused(422, "weak_password")
            user["password"] = body["password"]
        for key, value in (body.get("data") or {}).items():
            user["data"] = {**user["data"], key: value} if value is not None else {
                k: v for k, v in user["data"].items() if k != key}
        if len(json.dumps(user["data"])) > 4096 or "\0" in json.dumps(body).replace("\\u0000", "\0"):
            raise Refused(400, "validation_failed")
        return self.user(user)

    def reauthenticate(self, _, headers):
        user = self.live(headers)[1]
        self.send(user["email"] or user["phone"], "nonce")
        return {}

    def logout(self, _, headers, query):
        scope, session = query.get("scope", "global"), self.signed_in(headers)
        if scope not in ("global", "local", "others"):
            raise Refused(400, "validation_failed")
        for other in self.sessions.values():
            if other["user"] == session["user"] and (scope == "global" or (other is session) == (scope == "local")):
                other["ended"] = True

    def admin(self, method, path, body, headers, query):
        key = headers.get("authorization") or headers.get("apikey")
        if key is None:
            raise Refused(401, "no_authorization")
        if key.removeprefix("Bearer ") != ADMIN_KEY:
            raise Refused(403, "not_admin")
        if headers.get("origin"):
            raise Refused(403, "not_admin")
        if path == "/invite":
            user = self.find(email=body.get("email"))
            if user:
                raise Refused(422, "email_exists")
            return self.user(self.new_user(email=body["email"]))
        if path == "/admin/users" and method == "GET":
            size, page = int(query.get("per_page") or 50), int(query.get("page") or 1)
            users = list(self.users.values())
            self.results["link"] = (f'</admin/users?page={page + 1}&per_page={size}>; rel="next", '
                                    f'</admin/users?page={-(-len(users) // size)}&per_page={size}>; rel="last"')
            self.results["total"] = str(len(users))
            return {"users": [self.user(u) for u in users[(page - 1) * size:page * size]], "aud": "authenticated"}
        if path == "/admin/users":
            for name in ("email", "phone"):
                if body.get(name) and self.find(**{name: body[name].lstrip("+")}):
                    raise Refused(422, name + "_exists")
            members = {"id": body["id"]} if body.get("id") else {}
            return self.user(self.new_user(
                email=body.get("email") or "", phone=(body.get("phone") or "").lstrip("+"), password=body.get("password"),
                data=body.get("user_metadata") or {}, app=body.get("app_metadata") or {}, **members))
        user = self.users.get(path.split("/")[3].lower())
        if not user:
            raise Refused(404, "user_not_found")
        if method == "DELETE":
            del self.users[user["id"]]
            return {}
        if method == "PUT":
            for name, given in (("email", body.get("email")), ("phone", (body.get("phone") or "").lstrip("+"))):
                if given and given != user[name]:
                    raise Refused(400, "validation_failed")
            user["data"].update(body.get("user_metadata") or {})
            user["app"].update(body.get("app_metadata") or {})
            if user["app"].get("role", "") is None:
                user["app"]["role"] = "user"
            user["banned"] = (body.get("ban_duration") or "none") != "none"
        return self.user(user)

    def browser(self, method, path, query):
        """A link of a mail, and the sign-in in a browser, whose provider says yes at once."""
        redirect = query.get("redirect_to", "")
        target = redirect if redirect.split("?")[0] == REDIRECT else REDIRECT
        if path == "/verify":
            flow = self.flows.get(("link", query.get("token")))
            if not flow:
                return f"{REDIRECT}?error=access_denied&error_code=otp_expired&error_description=x"
            user = self.find(email=flow[0]) or self.new_user(email=flow[0])
            return self.leave(user, flow[2], target)
        if query.get("code_challenge_method") != "s256":
            raise Refused(400, "validation_failed")
        if query.get("provider") not in ("apple", "google"):
            raise Refused(400, "provider_disabled")
        return self.leave(self.new_user(provider=query["provider"]), query["code_challenge"], target)

    def leave(self, user, challenge, target):
        code = secrets.token_hex(16)
        self.flows["code", code] = (user["id"], challenge)
        return f"{target}{'&' if '?' in target else '?'}code={code}"

    # HTTP.

    def call(self, method, path, query, headers, raw):
        for pattern, status, code in NOT_OFFERED:
            if re.fullmatch(pattern, path):
                raise Refused(status, code)
        if len(raw) > 1 << 20:
            raise Refused(413, "request_entity_too_large")
        try:
            body = json.loads(raw) if raw else {}
            json.dumps(body, ensure_ascii=False).encode()
        except ValueError:
            raise Refused(400, "bad_json") from None
        if not isinstance(body, dict):
            raise Refused(400, "bad_json")
        if path == "/logout":
            return self.logout(body, headers, query)
        if path.startswith("/admin/") or path == "/invite":
            return self.admin(method, path, body, headers, query)
        if path == "/.well-known/jwks.json":
            key = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key()))
            return {"keys": [{**key, "kid": "k1", "alg": "ES256", "use": "sig"}]}
        if path == "/.well-known/openid-configuration":
            return {"issuer": self.base + "/auth/v1", "jwks_uri": self.base + "/auth/v1/.well-known/jwks.json"}
        if path == "/health":
            return {"version": "v2", "name": "GoTrue", "description": "d"}
        if path == "/settings":
            return {"external": {"email": True, "phone": True, "anonymous_users": False}, "disable_signup": False}
        if path == "/token":
            grant = {"password": self.password, "refresh_token": self.refresh, "pkce": self.pkce,
                     "id_token": self.id_token}.get(query.get("grant_type"))
            if not grant:
                raise Refused(400, "invalid_credentials")
            return grant(body, headers)
        calls = {("POST", "/otp"): self.otp, ("POST", "/magiclink"): self.otp, ("POST", "/verify"): self.verify,
                 ("POST", "/signup"): self.signup, ("POST", "/recover"): self.recover, ("POST", "/resend"): self.resend,
                 ("GET", "/user"): self.get_user, ("PUT", "/user"): self.put_user,
                 ("GET", "/reauthenticate"): self.reauthenticate}
        if (method, path) not in calls:
            raise Refused(404, "feature_disabled")
        return calls[method, path](body, headers)

    def repeated(self, method, path, query, headers, raw):
        """Repeats the result of a request that was sent twice, as the dialect does for clients without keys."""
        seconds = 10 if path in ("/otp", "/recover", "/resend", "/signup") else 60
        kept = path in ("/otp", "/recover", "/resend", "/verify", "/signup") or query.get("grant_type") in ("pkce", "id_token")
        name = (method, path, tuple(sorted(query.items())), raw, headers.get("user-agent"))
        if kept and self.spoil != "repeat" and name in self.results and time.time() - self.results[name][0] < seconds:
            return self.results[name][1]
        result = self.call(method, path, query, headers, raw)
        self.results[name] = (time.time(), result)
        return result

    def handler(gotrue):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self):
                raw = self.rfile.read(int(self.headers["content-length"] or 0))
                url = urllib.parse.urlsplit(self.path)
                query = dict(urllib.parse.parse_qsl(url.query))
                headers = {name.lower(): value for name, value in self.headers.items()}
                path = url.path.removeprefix("/auth/v1")
                gotrue.seen.append((self.command, path, query, raw.decode(errors="replace")))
                if self.command == "OPTIONS":
                    return self.end(204, "")
                if gotrue.mode != "up":
                    return self.trouble()
                try:
                    with gotrue.lock:
                        if self.command == "GET" and path in ("/verify", "/authorize"):
                            return self.end(303, "", location=gotrue.browser(self.command, path, query))
                        result = gotrue.repeated(self.command, path, query, headers, raw)
                    self.end(204 if result is None else 200, "" if result is None else json.dumps(result))
                except Refused as refused:
                    self.refuse(refused)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = respond

            def refuse(self, refused):
                body = {"code": refused.code, "error_code": refused.code, "message": refused.message, "msg": refused.message}
                if refused.code == "weak_password":
                    body["weak_password"] = {"reasons": ["length"], "message": "m"}
                if gotrue.spoil == "code":
                    body["code"] = refused.status
                if refused.status == 503:
                    return self.end(503, json.dumps(body), **{"x-sb-error-code": refused.code, "Retry-After": "5"})
                self.end(501 if gotrue.spoil == "501" and refused.code == "feature_disabled" else refused.status,
                         json.dumps(body), **{"x-sb-error-code": refused.code})

            def trouble(self):
                if gotrue.mode == "hang":
                    time.sleep(40)
                elif gotrue.mode != "down":
                    self.end(*NONSENSE[gotrue.mode])
                self.close_connection = True

            def end(self, status, text, **more):
                self.send_response(status)
                data = text.encode()
                version = {} if gotrue.spoil == "echo" else {"X-Supabase-Api-Version": "2024-01-01"}
                for name, value in {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*", **version,
                                    "Access-Control-Allow-Headers": "apikey, authorization, x-client-info, "
                                                                    "x-supabase-api-version, content-type",
                                    "Access-Control-Expose-Headers": "X-Total-Count, Link, X-Supabase-Api-Version",
                                    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
                                    "Cache-Control": "max-age=3600" if "jwks" in self.path else "no-store",
                                    "Content-Length": str(len(data)),
                                    "Link": gotrue.results.get("link", ""), "X-Total-Count": gotrue.results.get("total", ""),
                                    **more}.items():
                    if not (status == 204 and name == "Content-Length"):
                        self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *arguments):
                pass

        return Handler


# Answers of an old server that is not well.
NONSENSE = {
    "html": (200, "<html>It works!</html>"), "empty": (200, ""), "no user": (200, '{"access_token":"x"}'),
    "no uuid": (200, '{"access_token":"x","refresh_token":"y","user":{"id":"usr_1"}}'), "list": (200, "[]"),
    "500": (500, "{}"), "502": (502, "<html>"), "429": (429, '{"code":"over_request_rate_limit"}'),
    "404": (404, "<html>not here</html>"), "deep": (200, "[" * 2000), "huge": (200, '{"a":"' + "x" * (4 << 20) + '"}')}
