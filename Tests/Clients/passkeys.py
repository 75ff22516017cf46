"""Passkeys and second factors: the part of the scripted server, and the sheet of the device."""
import base64, json

# The credential that the device's sheet creates and uses, and the user's handle.
PASSKEY, HANDLE = 'cGFzc2tleS0x', 'aGFuZGxlLTE'
MFA_TOKEN, TOTP_SECRET, TOTP_CODE, RECOVERY_CODE = 'mfa_secret', 'JBSWY3DPEHPK3PXP', '246810', 'kqxw-7h2m-zzzz'
METHODS = ['totp', 'passkey', 'recovery']


def encoded(data): return base64.urlsafe_b64encode(data).decode().rstrip('=')


def decoded(text): return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


class Sheet:
    """The device's part. `sheet` says what the user does: nothing, so that it stays `open`; or it is `closed`."""
    sheet = None

    def present(self, question):
        """The credential, as WebAuthn's JSON has it, for a question `create` or `get` with its options."""
        options, isNew = json.loads(question['options']), question['what'] == 'create'
        if self.sheet == 'open':
            self.unanswered += 1
            return None
        if self.sheet == 'closed': return {'trouble': 'cancelled'}
        if isNew and any(each['id'] == PASSKEY for each in options['excludeCredentials']): return {'trouble': 'exists'}
        data = {'type': f"webauthn.{question['what']}", 'challenge': options['challenge'], 'origin': 'https://example.com'}
        response = {'clientDataJSON': encoded(json.dumps(data).encode())}
        response |= {'attestationObject': 'oA', 'transports': ['internal']} if isNew \
            else {'authenticatorData': 'AA', 'signature': 'c2lnbmF0dXJl', 'userHandle': HANDLE}
        return {'credential': json.dumps({
            'id': PASSKEY, 'rawId': PASSKEY, 'type': 'public-key', 'authenticatorAttachment': 'platform',
            'clientExtensionResults': {}, 'response': response})}


class Factors:
    """The server's part, in a few lines of the rules."""

    def begin_factors(self):
        # The ids of the user's passkeys, and the challenges that were given out, by their ids.
        self.passkeys, self.names, self.given, self.added = [], {}, {}, {}
        # The time from which a further passkey can be used, and whether a sign-in needs a second factor.
        self.waits, self.mfa = None, False
        self.totp, self.required, self.recovery_left = False, False, 0
        # The time at which support removes the second factors.
        self.reset_at = None

    def challenge_for(self, purpose, **members):
        number = len(self.given) + 1
        self.given[f'ch_{number}'] = purpose
        return 200, {'challengeId': f'ch_{number}', 'expiresAt': 1795614428,
                     'publicKey': {'challenge': encoded(f'challenge {number}'.encode()), 'timeout': 300000, **members}}

    def assertion_for(self, purpose, allowed=()):
        return self.challenge_for(purpose, rpId='example.com', userVerification='required',
                                  allowCredentials=[{'type': 'public-key', 'id': each} for each in allowed])

    def fits(self, body, purpose, kind='get'):
        """Whether a credential is for a challenge that was given out for this."""
        credential = body['credential']
        data, number = json.loads(decoded(credential['response']['clientDataJSON'])), body['challengeId'].removeprefix('ch_')
        return self.given.get(body['challengeId']) == purpose and data['type'] == f'webauthn.{kind}' \
            and data['challenge'] == encoded(f'challenge {number}'.encode()) and (kind == 'create' or credential['id'] in self.passkeys)

    def shows_factor(self, body, purpose):
        """Whether a body has a second factor of the user: a code (`totp` in a step-up), a recovery code or a passkey."""
        if 'credential' in body: return self.fits(body, purpose)
        if 'recoveryCode' in body: return body['recoveryCode'] == RECOVERY_CODE
        return body.get('code', body.get('totp')) == TOTP_CODE

    def open_factors(self, path, body):
        """The response to an open request for options, or None."""
        if path == '/auth/passkeys/options': return self.assertion_for('sign in')
        if path == '/auth/mfa/options':
            return self.assertion_for('second factor', self.passkeys) if body['mfaToken'] == MFA_TOKEN else refusal(401, 'second_factor_refused')

    def judge_factors(self, path, body):
        """The refusal of a sign-in by a passkey or a second factor, or None."""
        if path == '/auth/passkeys/verify': return None if self.fits(body, 'sign in') else refusal(401, 'passkey_refused')
        if body['mfaToken'] == MFA_TOKEN and self.shows_factor(body, 'second factor'): return None
        return refusal(401, 'second_factor_refused')

    def own_factors(self, route, body, session, key, bearer):
        """The response to a request about the user's own passkeys and second factor, or None."""
        method, path = route
        if path == '/auth/reauthenticate/options': return self.assertion_for('step up', self.passkeys)
        if path == '/users/me/passkeys' and method == 'GET': return 200, {'passkeys': [self.row(each) for each in self.passkeys]}
        if path == '/users/me/mfa' and method == 'GET': return 200, self.factors()
        if method == 'PATCH' and path.startswith('/users/me/passkeys/'):
            self.names[path.split('/')[-1]] = body['name']
            return 200, self.row(self.passkeys[0])
        if path in ('/users/me/mfa/recovery-codes', '/users/me/mfa') and not self.is_strong(session, bearer): return self.too_weak()
        if not self.is_recent(session): return refusal(403, 'reauthentication_required')
        if path.startswith('/users/me/passkeys'): return self.change_passkeys(method, path, body, key)
        return self.change_factor(method, path, body)

    def change_passkeys(self, method, path, body, key):
        if path.endswith('/options'):
            return self.challenge_for(
                'add', rp={'id': 'example.com', 'name': 'Example'}, user={'id': HANDLE, 'name': self.phone, 'displayName': self.phone},
                pubKeyCredParams=[{'type': 'public-key', 'alg': each} for each in (-7, -8, -257)],
                excludeCredentials=[{'type': 'public-key', 'id': each} for each in self.passkeys], attestation='none',
                authenticatorSelection={'residentKey': 'required', 'requireResidentKey': True, 'userVerification': 'required'})
        if method == 'DELETE':
            self.passkeys = []
            for each in self.sessions: each.ended = each.ended or ('ended' if each.by_passkey else None)
            return 204, {}
        if key in self.added: return self.added[key]
        if not self.fits(body, 'add', 'create'): return refusal(400, 'passkey_invalid')
        if body['credential']['id'] in self.passkeys: return refusal(409, 'passkey_exists')
        self.passkeys = self.passkeys + [body['credential']['id']]
        self.names['psk_1'] = body.get('name', 'Passkey')
        row = self.row(body['credential']['id'])
        self.added[key] = (202, {**row, 'activeFrom': self.waits}) if self.waits else (201, row)
        return self.added[key]

    def change_factor(self, method, path, body):
        if path == '/users/me/mfa/totp' and method == 'POST':
            return 200, {'secret': TOTP_SECRET, 'uri': f'otpauth://totp/Example?secret={TOTP_SECRET}'}
        if path.endswith('/activate') and body['code'] != TOTP_CODE: return refusal(401, 'second_factor_refused')
        if method == 'PATCH':
            self.required = body['required']
            return 200, self.factors()
        if path.endswith('/reset'):
            self.reset_at = None
            return 204, {}
        self.totp, self.recovery_left = method == 'POST', 10 if method == 'POST' else 0
        if method == 'DELETE': return 204, {}
        codes = {'recoveryCodes': [RECOVERY_CODE] * 10}
        return (202, {**codes, 'activeFrom': self.waits}) if self.waits and path.endswith('/activate') else (200, codes)

    def row(self, credential):
        return {'id': 'psk_1', 'name': self.names.get('psk_1', 'Passkey'), 'kind': 'passkey', 'createdAt': 1795614128, 'lastUsedAt': 1795614128, 'backedUp': True,
                'transports': ['internal'], 'aaguid': '00000000-0000-0000-0000-000000000000', 'credentialId': credential, 'userHandle': HANDLE}

    def factors(self):
        # As in Swift's JSON, what is not there has no member.
        times = {'activeFrom': self.waits if self.totp else None, 'resetAt': self.reset_at}
        return {'totp': self.totp and not self.waits, 'required': self.required, 'recoveryCodesLeft': self.recovery_left,
                'passkeys': len(self.passkeys), **{name: time for name, time in times.items() if time}}

    def is_strong(self, session, bearer):
        """Whether an access token was signed after a step-up."""
        return session.stepped_up is not None and int(bearer.split('.')[1]) > session.stepped_up

    def too_weak(self):
        return 401, {'challenge': 'Bearer error="insufficient_user_authentication", acr_values="aal2", max_age="300"',
                     **refusal(401, 'insufficient_user_authentication')[1]}


def refusal(status, code, **more):
    return status, {'type': f'/.well-known/latchkey/problems#{code}', 'title': 'Refused', 'status': status, 'code': code, 'success': False,
                    'error': code, **more}
