"""The official Python client, unchanged: every call that the dialect offers."""
import re
import secrets
import time
import uuid

from supabase_auth.errors import AuthApiError, AuthWeakPasswordError

from statements import admin, client, refused, same, statement
from world import send

PASSWORD = "nine supabase walks"
# A gateway refuses the access tokens of an ended session after at most 100 ms.
REVOKED_SECONDS = 0.5


def phone_session(world, phone=None, **options):
    """A client that has signed in by a code to a phone."""
    phone, signing = phone or world.phone(), client(world, **options)
    before = len(world.messages(phone))
    signing.sign_in_with_otp({"phone": phone})
    signing.verify_otp({"phone": phone, "token": world.code(phone, before), "type": "sms"})
    return signing


def email_session(world, email=None, **options):
    email, signing = email or world.email(), client(world, **options)
    before = len(world.messages(email))
    signing.sign_in_with_otp({"email": email})
    signing.verify_otp({"email": email, "token": world.code(email, before), "type": "email"})
    return signing


def password_session(world, email, password=PASSWORD):
    """Registers an address, confirms it by the code of the mail, and signs in by the password."""
    signing = client(world)
    signing.sign_up({"email": email, "password": password, "options": {"data": {"nick": "Ö"}}})
    signing.verify_otp({"email": email, "token": world.code(email), "type": "signup"})
    return signing


@statement("a code to a phone signs in, and the claims are those that PostgREST and the clients read")
def phone(world):
    number = world.phone()
    signing = phone_session(world, number)
    session, user = signing.get_session(), signing.get_user().user
    assert uuid.UUID(user.id) and user.id == session.user.id == user.id.lower()
    same((user.phone, user.aud, user.role, user.email), (number.lstrip("+"), "authenticated", "authenticated", ""))
    same(user.app_metadata["provider"], "phone")
    # Checks the signature by the key set.
    claims = signing.get_claims()["claims"]
    same({k: claims[k] for k in ("sub", "role", "aud", "iss", "phone", "email", "aal", "is_anonymous")},
         {"sub": user.id, "role": "authenticated", "aud": "authenticated", "iss": world.auth,
          "phone": number.lstrip("+"), "email": "", "aal": "aal1", "is_anonymous": False})
    assert uuid.UUID(claims["session_id"]) and claims["user_metadata"] == {}, claims
    same(claims["app_metadata"]["provider"], "phone")
    same([step["method"] for step in claims["amr"]], ["otp"])
    assert 3400 <= session.expires_in <= 3800 and claims["exp"] == session.expires_at, session
    level = signing.mfa.get_authenticator_assurance_level()
    same((level.current_level, level.next_level), ("aal1", "aal1"))
    same(signing.mfa.list_factors().all, [])


@statement("a wrong code is otp_expired, as are a used one, an unknown phone and a code that five wrong ones have burnt")
def wrong_code(world):
    number, signing = world.phone(), client(world)
    signing.sign_in_with_otp({"phone": number})
    right = world.code(number)
    for step in range(1, 6):
        wrong = f"{(int(right) + step) % 1_000_000:06d}"
        refused(403, "otp_expired", signing.verify_otp, {"phone": number, "token": wrong, "type": "sms"})
    refused(403, "otp_expired", signing.verify_otp, {"phone": number, "token": right, "type": "sms"})
    refused(403, "otp_expired", signing.verify_otp, {"phone": world.phone(), "token": right, "type": "sms"})


@statement("create_user: false sends nothing to an unknown phone or address, and tells no difference")
def no_new_user(world):
    signing, number, email = client(world), world.phone(), world.email()
    for credentials in ({"phone": number}, {"email": email}):
        signing.sign_in_with_otp({**credentials, "options": {"should_create_user": False}})
    same([world.messages(number), world.messages(email)], [[], []])


@statement("a refresh rotates, keeps amr's first time, and a refreshed session goes on after set_session")
def refresh(world):
    signing = phone_session(world)
    first, then = signing.get_session(), signing.get_claims()["claims"]
    second = signing.refresh_session().session
    now = signing.get_claims()["claims"]
    assert second.refresh_token != first.refresh_token and second.user.id == first.user.id
    same((now["session_id"], now["amr"]), (then["session_id"], then["amr"]))
    other = client(world)
    same(other.set_session(second.access_token, second.refresh_token).user.id, first.user.id)
    refused(400, "refresh_token_not_found", client(world).refresh_session, "aaaaaaaaaaaaaaaa")


@statement("sign-out: local ends one session, others all others, global all; a session that is gone still counts as signed out")
def sign_out(world):
    number = world.phone()
    one, two, three = (phone_session(world, number) for _ in range(3))
    tokens = [signing.get_session().refresh_token for signing in (one, two, three)]
    one.sign_out({"scope": "local"})
    refused(400, "session_not_found", client(world).refresh_session, tokens[0])
    two.sign_out({"scope": "others"})
    time.sleep(REVOKED_SECONDS)
    refused(400, "session_not_found", client(world).refresh_session, tokens[2])
    refused(403, "session_not_found", client(world).get_user, three.get_session().access_token)
    access = two.get_session().access_token
    two.sign_out()
    refused(400, "session_not_found", client(world).refresh_session, tokens[1])
    same(send("POST", world.auth + "/logout?scope=global", headers={"Authorization": f"Bearer {access}"}).status, 204)


@statement("a code by mail signs in, also as magiclink, and data becomes user_metadata")
def mail_code(world):
    email, signing = world.email(), client(world)
    signing.sign_in_with_otp({"email": email, "options": {"data": {"nick": "Ö"}}})
    signed = signing.verify_otp({"email": email, "token": world.code(email), "type": "email"})
    same((signed.user.email, signed.user.phone, signed.user.user_metadata), (email, "", {"nick": "Ö"}))
    assert signed.user.email_confirmed_at or not world.is_real
    again = client(world)
    again.sign_in_with_otp({"email": email})
    code = world.code(email, 1)
    same(again.verify_otp({"email": email, "token": code, "type": "magiclink"}).user.id, signed.user.id)


@statement("an app that asks for signup at a first code by mail, as Supabase required, signs in")
def first_mail(world):
    email, signing = world.email(), client(world)
    signing.sign_in_with_otp({"email": email})
    same(signing.verify_otp({"email": email, "token": world.code(email), "type": "signup"}).user.email, email)


@statement("the link of a mail leads to redirect_to with a code, which signs in with the verifier, and only once")
def mail_link(world):
    email, signing = world.email(), client(world, flow="pkce")
    signing.sign_in_with_otp({"email": email, "options": {"email_redirect_to": world.redirect + "?sb_flow_id=7"}})
    link = world.link(email)
    assert link.startswith(world.base + "/"), link
    # A scanner of mails opens it first.
    send("GET", link)
    location = send("GET", link).headers["location"]
    assert location.startswith(world.redirect + "?"), location
    code = re.search(r"[?&]code=([^&]+)", location)[1]
    other = client(world, flow="pkce")
    try:
        other.exchange_code_for_session({"auth_code": code, "code_verifier": "w" * 43})
        raise AssertionError("a foreign verifier signs in")
    except AuthApiError as error:
        assert error.code in ("bad_code_verifier", "flow_state_not_found"), error.code
    same(signing.exchange_code_for_session({"auth_code": code}).user.email, email)
    refused(404, "flow_state_not_found", other.exchange_code_for_session, {"auth_code": code, "code_verifier": "v" * 44})


@statement("registration: no session before the code of the mail, a weak password is told, a known address tells nothing")
def sign_up(world):
    email, signing = world.email(), client(world)
    pending = signing.sign_up({"email": email, "password": PASSWORD, "options": {"data": {"nick": "Ö"}}})
    assert pending.session is None and pending.user.email == email
    refused(400, "invalid_credentials", signing.sign_in_with_password, {"email": email, "password": PASSWORD})
    signed = signing.verify_otp({"email": email, "token": world.code(email), "type": "signup"})
    same((signed.user.email, signed.user.user_metadata), (email, {"nick": "Ö"}))
    signed = signing.sign_in_with_password({"email": email, "password": PASSWORD})
    same([step["method"] for step in signing.get_claims()["claims"]["amr"]], ["password"])
    refused(400, "invalid_credentials", client(world).sign_in_with_password, {"email": email, "password": PASSWORD + "!"})
    refused(400, "invalid_credentials", client(world).sign_in_with_password, {"email": world.email(), "password": PASSWORD})
    weak = refused(422, "weak_password", client(world).sign_up, {"email": world.email(), "password": "abc"})
    assert isinstance(weak, AuthWeakPasswordError) and isinstance(weak.reasons, list), weak.reasons
    again = client(world).sign_up({"email": email, "password": PASSWORD + " 2"})
    assert again.session is None and again.user.email == email and again.user.id != signed.user.id


@statement("a forgotten password: the code of the mail opens a session that sets a password, and only one")
def recover(world):
    email = world.email()
    password_session(world, email)
    recovering, before = client(world), len(world.messages(email))
    recovering.reset_password_for_email(email, {"redirect_to": world.redirect})
    events = []
    recovering.on_auth_state_change(lambda event, _: events.append(event))
    recovering.verify_otp({"email": email, "token": world.code(email, before), "type": "recovery"})
    assert "PASSWORD_RECOVERY" in events, events
    recovering.update_user({"password": PASSWORD + " again"})
    refused(400, "reauthentication_needed", recovering.update_user, {"password": PASSWORD + " a third time"})
    same(client(world).sign_in_with_password({"email": email, "password": PASSWORD + " again"}).user.email, email)
    refused(400, "invalid_credentials", client(world).sign_in_with_password, {"email": email, "password": PASSWORD})
    # An unknown address gets the same response.
    recovering.reset_password_for_email(world.email())


@statement("user_metadata merges member by member, null removes one, and the token has it after a refresh")
def metadata(world):
    signing = phone_session(world)
    signing.update_user({"data": {"a": 1, "b": {"c": [True, None]}}})
    user = signing.update_user({"data": {"a": None, "d": "Ö😀"}}).user
    same(user.user_metadata, {"b": {"c": [True, None]}, "d": "Ö😀"})
    signing.refresh_session()
    same(signing.get_claims()["claims"]["user_metadata"], user.user_metadata)
    signing.update_user({"data": {"long": "x" * 3000}})
    signing.refresh_session()
    if world.is_real:
        # More than 2 KB stay out of the token, so that cookies remain small.
        same(signing.get_claims()["claims"]["user_metadata"], {})
    same(signing.get_user().user.user_metadata["long"], "x" * 3000)


def confirm_change(world, signing, change):
    """Presents a change's code with the user's token, which the client itself leaves out."""
    access = signing.get_session().access_token
    return send("POST", world.auth + "/verify", change, {"Authorization": f"Bearer {access}"})


@statement("a new address and a new phone number: a code to the new one with the user's token, and those of others are refused")
def changes(world):
    number, email = world.phone(), world.email()
    signing = phone_session(world)
    old = signing.get_user().user
    changed = signing.update_user({"email": email}).user
    same((changed.email, changed.new_email), ("", email))
    change = {"email": email, "token": world.code(email), "type": "email_change"}
    if world.is_real:
        refused(403, "otp_expired", signing.verify_otp, change)
    same(confirm_change(world, signing, change).status, 200)
    same(signing.get_user().user.email, email)
    assert signing.update_user({"phone": number}).user.phone == old.phone
    change = {"phone": number, "token": world.code(number), "type": "phone_change"}
    same(confirm_change(world, signing, change).status, 200)
    signing.refresh_session()
    user = signing.get_user().user
    same((user.id, user.email, user.phone), (old.id, email, number.lstrip("+")))
    taken = phone_session(world)
    if not world.is_real:
        return
    # Only who has the code learns that it is another's.
    for name, to in (("email", email), ("phone", number)):
        before = len(world.messages(to))
        taken.update_user({name: to})
        answer = confirm_change(world, taken, {name: to, "token": world.code(to, before), "type": f"{name}_change"})
        same((answer.status, answer.json["code"]), (422, f"{name}_exists"))


@statement("reauthenticate sends a nonce, and a password is set with it")
def reauthenticate(world):
    signing = email_session(world)
    email = signing.get_user().user.email
    before = len(world.messages(email))
    signing.reauthenticate()
    nonce = world.code(email, before)
    signing.update_user({"password": PASSWORD, "nonce": nonce})
    same(client(world).sign_in_with_password({"email": email, "password": PASSWORD}).user.email, email)


@statement("a token of a provider signs in, and a wrong one or an unknown provider is refused")
def id_token(world):
    subject, signing = secrets.token_hex(6), client(world)
    wish = {"provider": "google", "token": world.identity_token(subject, "n1"), "nonce": "n1"}
    user = signing.sign_in_with_id_token(wish).user
    same((user.app_metadata["provider"], user.app_metadata["providers"]), ("google", ["google"]))
    assert user.identities[0].provider == "google" and signing.get_user_identities().identities
    same([step["method"] for step in signing.get_claims()["claims"]["amr"]], ["oauth"])
    wish = {"provider": "google", "token": world.identity_token(subject, "n2"), "nonce": "n2"}
    same(client(world).sign_in_with_id_token(wish).user.id, user.id)
    refused(400, "bad_jwt", client(world).sign_in_with_id_token, {"provider": "google", "token": "a.b.c"})
    refused(400, "provider_disabled", client(world).sign_in_with_id_token, {"provider": "github", "token": "a.b.c"})


@statement("a sign-in in a browser comes back to redirect_to with a code, and a URL that is not listed is replaced")
def browser(world):
    for redirect in (world.redirect + "?sb_flow_id=8", "https://elsewhere.example/in"):
        signing = client(world, flow="pkce")
        url = signing.sign_in_with_oauth({"provider": "google", "options": {"redirect_to": redirect}}).url
        answer = send("GET", url)
        assert answer.status in (302, 303), answer
        location = world.sign_in_at_provider(answer.headers["location"])
        assert location.startswith(world.redirect + "?"), location
        code = re.search(r"[?&]code=([^&]+)", location)[1]
        same(signing.exchange_code_for_session({"auth_code": code}).user.app_metadata["provider"], "google")
    implicit = client(world).sign_in_with_oauth({"provider": "google", "options": {"redirect_to": world.redirect}}).url
    answer = send("GET", implicit)
    assert (answer.status, answer.json["code"]) == (400, "validation_failed"), answer


@statement("resend repeats a message, and says nothing about unknown ones")
def resend(world):
    number, email, signing = world.phone(), world.email(), client(world)
    signing.sign_in_with_otp({"phone": number})
    before = len(world.messages(number))
    signing.resend({"type": "sms", "phone": number})
    signing.verify_otp({"phone": number, "token": world.code(number, before), "type": "sms"})
    signing.sign_up({"email": email, "password": PASSWORD})
    world.code(email)
    before = len(world.messages(email))
    signing.resend({"type": "signup", "email": email})
    signing.verify_otp({"email": email, "token": world.code(email, before), "type": "signup"})
    signing.resend({"type": "signup", "email": world.email()})


def gone(api, user):
    """The code of the refusal for a user who is no longer there, else `None`."""
    try:
        api.get_user_by_id(user)
    except AuthApiError as error:
        return error.code
    return None


@statement("the admin API creates, finds, lists, changes, bans, invites and removes users")
def administration(world):
    api, number, email, chosen = admin(world), world.phone(), world.email(), str(uuid.uuid4())
    user = api.create_user({
        "id": chosen, "phone": number, "phone_confirm": True, "email": email, "email_confirm": True, "password": PASSWORD,
        "user_metadata": {"a": 1}, "app_metadata": {"plan": "pro"}}).user
    same((user.id, user.phone, user.email, user.user_metadata), (chosen, number.lstrip("+"), email, {"a": 1}))
    same(user.app_metadata["plan"], "pro")
    signing = client(world)
    same(signing.sign_in_with_password({"email": email, "password": PASSWORD}).user.id, chosen)
    same(signing.get_claims()["claims"]["app_metadata"]["plan"], "pro")
    same(api.get_user_by_id(chosen.upper()).user.id, chosen)
    changed = api.update_user_by_id(chosen, {"app_metadata": {"plan": "free"}, "user_metadata": {"b": 2}}).user
    same((changed.app_metadata["plan"], changed.user_metadata), ("free", {"a": 1, "b": 2}))
    api.update_user_by_id(chosen, {"user_metadata": {"in": {"x": 1, "y": 2}}, "app_metadata": {"in": {"x": 1}, "role": "helper"}})
    changed = api.update_user_by_id(chosen, {
        "email": email, "phone": number, "user_metadata": {"in": {"y": 3}}, "app_metadata": {"in": {"z": 1}}}).user
    same((changed.user_metadata["in"], changed.app_metadata["in"], changed.app_metadata["role"]), ({"y": 3}, {"z": 1}, "helper"))
    same(api.update_user_by_id(chosen, {"app_metadata": {"role": None}}).user.app_metadata["role"], "user")
    refused(400, "validation_failed", api.update_user_by_id, chosen, {"phone": world.phone()})
    assert any(found.id == chosen for page in range(1, 40) for found in api.list_users(page=page, per_page=50))
    refused(422, "email_exists", api.create_user, {"email": email, "email_confirm": True})
    refused(422, "phone_exists", api.create_user, {"phone": number, "phone_confirm": True})
    api.update_user_by_id(chosen, {"ban_duration": "24h"})
    refused(400 if world.is_real else 403, "user_banned", client(world).sign_in_with_password,
            {"email": email, "password": PASSWORD})
    api.update_user_by_id(chosen, {"ban_duration": "none"})
    same(client(world).sign_in_with_password({"email": email, "password": PASSWORD}).user.id, chosen)
    api.delete_user(chosen)
    # The policy has no grace, so the removal begins at once.
    end = time.monotonic() + 20
    while gone(api, chosen) is None:
        assert time.monotonic() < end, "the user is still there after 20 s"
        time.sleep(0.2)
    same(gone(api, chosen), "user_not_found")
    refused(404, "user_not_found", api.delete_user, str(uuid.uuid4()))
    invited = world.email()
    same(api.invite_user_by_email(invited).user.email, invited)


@statement("pages of users have Link and X-Total-Count, with page as the first parameter")
def pages(world):
    api = admin(world)
    for _ in range(3):
        api.create_user({"email": world.email(), "email_confirm": True})
    answer = send("GET", world.auth + "/admin/users?page=&per_page=", headers={
        "apikey": world.admin_key, "Authorization": f"Bearer {world.admin_key}"})
    assert answer.status == 200 and answer.json["aud"] == "authenticated" and len(answer.json["users"]) <= 50, answer
    answer = send("GET", world.auth + "/admin/users?page=1&per_page=2", headers={
        "apikey": world.admin_key, "Authorization": f"Bearer {world.admin_key}"})
    assert len(answer.json["users"]) == 2 and int(answer.headers["x-total-count"]) >= 3, answer.headers
    links = dict(re.findall(r"<[^>?]*\?page=(\d+)&per_page=2>; rel=\"(\w+)\"", answer.headers["link"]))
    same(links.get("2"), "next")
    assert "last" in links.values(), answer.headers["link"]


@statement("what is not offered is refused with GoTrue's code, so that the client raises no outage")
def not_offered(world):
    signing, api = phone_session(world), admin(world)
    user = signing.get_user().user
    refused(422, "anonymous_provider_disabled", client(world).sign_in_anonymously)
    refused(404, "saml_provider_disabled", signing.sign_in_with_sso, {"domain": "example.com"})
    refused(404, "manual_linking_disabled", signing.link_identity, {"provider": "google"})
    refused(404, "manual_linking_disabled", signing.unlink_identity, user.identities[0])
    refused(422, "mfa_totp_enroll_not_enabled", signing.mfa.enroll, {"factor_type": "totp", "friendly_name": "a"})
    refused(422, "phone_provider_disabled", client(world).sign_up, {"phone": world.phone(), "password": PASSWORD})
    refused(422, "phone_provider_disabled", client(world).sign_in_with_password,
            {"phone": world.phone(), "password": PASSWORD})
    refused(404, "feature_disabled", api.generate_link, {"type": "magiclink", "email": world.email()})
    refused(404, "feature_disabled", api.oauth.list_clients)
