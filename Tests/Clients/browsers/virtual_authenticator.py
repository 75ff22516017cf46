#!/usr/bin/env python3
"""Passkeys and second factors of a page, in Chromium with a virtual authenticator: virtual_authenticator.py GATEWAY INBOX PAGES SCRIPT.

GATEWAY is http://localhost:PORT, whose policy has `passkeys` for that origin, `mfa`, and a route that serves pages from the local port
PAGES. SCRIPT is the bundle of passkey_page.ts.
"""
import base64, hashlib, hmac, http.server, json, struct, sys, threading, time
import gateway
from drivers import Browser
from sites import reply

PAGE = b'<!doctype html><meta charset="utf-8"><title>page</title><input id="name" autocomplete="username webauthn"><script src="/page.js"></script>'
# Its passkeys are copied to other devices, so their counters say nothing.
AUTHENTICATOR = {'protocol': 'ctap2', 'transport': 'internal', 'hasResidentKey': True, 'hasUserVerification': True, 'isUserVerified': True,
                 'defaultBackupEligibility': True, 'defaultBackupState': True}


def serve(script, port):
    class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            is_script = self.path == '/page.js'
            reply(self, 200, [('Content-Type', 'text/javascript' if is_script else 'text/html')], script if is_script else PAGE)

        def log_message(self, *_): pass

    server = http.server.ThreadingHTTPServer(('127.0.0.1', port), Pages)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()


def totp(secret):
    """The code of an authenticator app at this time (RFC 6238)."""
    digest = hmac.digest(base64.b32decode(secret + '=' * (-len(secret) % 8)), struct.pack('>Q', int(time.time()) // 30), hashlib.sha1)
    return f"{(struct.unpack_from('>I', digest, digest[-1] & 15)[0] & 0x7fffffff) % 1_000_000:06d}"


class Device(Browser):
    """A profile of a browser with an authenticator of its own."""

    def __init__(self, address, inbox):
        super().__init__('chromium')
        self.inbox = inbox
        self.authenticator = self.tell('/webauthn/authenticator', **AUTHENTICATOR)
        self.go(address)
        self.until('the page', True, lambda: self.run('return typeof auth === "object"'))

    def auth(self, call):
        """What a call of the library gives, or the kind of its error."""
        return self.run(f'try {{ return await auth.{call} }} catch (error) {{ return {{ kind: error.kind, mfaToken: error.mfaToken, methods: error.methods }} }}')

    def refuses(self, call, kind):
        found = self.auth(call)
        assert found and found.get('kind') == kind, f'{call}: {found}'
        return found

    def user(self): return self.run('return auth.state.at === "signedIn" ? auth.state.userID : auth.state.at')

    def sign_in_by_code(self, phone):
        """Signs in by a code, and returns the result."""
        known = len(gateway.codes(self.inbox, phone))
        self.run(f'window.pending = await auth.requestCode({{ phone: "{phone}" }})')
        return self.auth(f'signIn(pending, "{gateway.code(self.inbox, phone, known)}")')

    def credentials(self): return self.tell(f'/webauthn/authenticator/{self.authenticator}/credentials', 'GET')

    def take_from(self, other):
        """The passkeys of another device come to this one, as the system copies them."""
        for credential in other.credentials(): self.tell(f'/webauthn/authenticator/{self.authenticator}/credential', **credential)

    def override(self, **bits):
        self.tell('/goog/cdp/execute', cmd='WebAuthn.setResponseOverrideBits', params={'authenticatorId': self.authenticator, **bits})


def grows(one, two, phone):
    """A sign-in by a code grows a passkey, by which another device of the user signs in without a message."""
    one.sign_in_by_code(phone)
    user = one.user()
    assert user.startswith('usr_'), user
    added = one.auth('addPasskey("Laptop")')
    assert added.get('name') == 'Laptop' and added.get('activeFrom') is None, added
    [credential] = one.credentials()
    assert credential['rpId'] == 'localhost' and credential['isResidentCredential'], credential
    assert user not in credential['userHandle'] + str(base64.urlsafe_b64decode(credential['userHandle'] + '==')), 'the handle has the user\'s id'
    one.refuses('addPasskey("Laptop")', 'passkeyExists')
    two.take_from(one)
    before = len(gateway.codes(one.inbox, phone))
    assert two.auth('signInWithPasskey()').get('user', {}).get('id') == user, two.user()
    assert len(gateway.codes(one.inbox, phone)) == before, 'a code was sent'


def field(one, two, phone):
    """The browser offers the passkey in a field; one that waits gives way to a newer one and to its signal."""
    user = two.user()
    two.auth('signOut()')
    assert two.auth('signInWithPasskey({ conditional: true })').get('user', {}).get('id') == user, two.user()
    two.auth('signOut()')
    copies = two.credentials()
    two.tell(f'/webauthn/authenticator/{two.authenticator}/credentials', 'DELETE')
    kinds = two.run('''
        const kind = (call) => call.then(() => 'signedIn', (error) => error.kind), leaves = new AbortController();
        const older = kind(auth.signInWithPasskey({ conditional: true }));
        await new Promise((go) => setTimeout(go, 500));
        const newer = kind(auth.signInWithPasskey({ conditional: true, signal: leaves.signal }));
        const first = await older;
        leaves.abort();
        return [first, await newer, auth.state.at]''')
    assert kinds == ['cancelled', 'cancelled', 'signedOut'], kinds
    for credential in copies: two.tell(f'/webauthn/authenticator/{two.authenticator}/credential', **credential)
    assert two.auth('signInWithPasskey()').get('user', {}).get('id') == user, two.user()


def lies(one, two, phone):
    """What a broken authenticator sends signs nobody in, and locks nobody out."""
    user = two.user()
    two.auth('signOut()')
    for bits in ({'isBogusSignature': True}, {'isBadUV': True}, {'isBadUP': True}):
        two.override(**bits)
        two.refuses('signInWithPasskey()', 'passkeyRefused')
        assert two.user() == 'signedOut', two.user()
        two.override(**{name: False for name in bits})
    assert two.auth('signInWithPasskey()').get('user', {}).get('id') == user, two.user()


def steps_up(one, two, phone):
    """An authenticator app, and a sign-in that wants a second factor: by a recovery code, and by a passkey."""
    user, secret = one.user(), one.auth('beginTOTP()')['secret']
    codes = one.auth(f'activateTOTP("{totp(secret)}")')
    assert len(set(codes)) > 0 and len(codes) == 10, codes
    one.refuses('requireSecondFactor(true)', 'reauthenticationRequired')
    assert one.auth('stepUp()') is None
    assert one.auth('requireSecondFactor(true)').get('isRequired'), 'a second factor is not required'
    for factor in (json.dumps({'recoveryCode': codes[0]}), '"passkey"'):
        one.auth('signOut()')
        refused = one.sign_in_by_code(phone)
        assert (refused.get('kind'), refused.get('methods')) == ('secondFactorRequired', ['totp', 'passkey', 'recovery']), refused
        one.refuses(f'signInWithSecondFactor("{refused["mfaToken"]}", {{ totp: "000000" }})', 'secondFactorRefused')
        assert one.auth(f'signInWithSecondFactor("{refused["mfaToken"]}", {factor})').get('user', {}).get('id') == user, one.user()


def ends(one, two, phone):
    """A removal ends the sessions that the passkey has opened, and it leaves the browser."""
    two.auth('signOut()')
    assert two.auth('signInWithPasskey()').get('user', {}).get('id') == one.user(), two.user()
    [passkey] = one.auth('passkeys()')
    assert passkey['isBackedUp'] and passkey['lastUsedAt'], passkey
    assert one.auth(f'removePasskey("{passkey["id"]}")') is None
    one.until('the passkeys of the browser', [], one.credentials)
    two.until('the state', 'signedOut', lambda: two.auth('reloadUser()') and two.user())
    two.refuses('signInWithPasskey()', 'passkeyRefused')
    assert one.user().startswith('usr_'), one.user()


TESTS = [grows, field, lies, steps_up, ends]


def main():
    address, inbox, port, script = sys.argv[1:5]
    with open(script, 'rb') as file: serve(file.read(), int(port))
    one, two, phone = Device(address, inbox), Device(address, inbox), gateway.new_phone()
    try:
        for test in TESTS:
            begun = time.monotonic()
            test(one, two, phone)
            print(f'{test.__doc__} {time.monotonic() - begun:.1f} s', flush=True)
    finally:
        one.close()
        two.close()


if __name__ == '__main__': main()
