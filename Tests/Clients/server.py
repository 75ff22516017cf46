"""The scripted server of the conformance suite: Latchkey's native API in a few lines, and faults for the next requests."""
import base64, hashlib, http.server, json, queue, threading, urllib.parse
from document import Document
from passkeys import Factors, MFA_TOKEN, METHODS

# The code with which the page of each provider comes back.
PAGE_CODE = '987654'
DOCUMENT = Document()
MERGE_TOKEN = 'mt_secret'
RESTORE_TOKEN = 'rs_secret'
# The code that goes to the other account of a merge.
MERGE_CODE = '777777'
INSUFFICIENT = 'insufficient_user_authentication'
CHALLENGE = f'Bearer error="{INSUFFICIENT}", error_description="show again", max_age="300"'


class Session:
    """One session of the server, with the rotation of its refresh token as the design has it."""

    def __init__(self, number, life):
        self.prefix = '' if number == 0 else f'S{number}'
        self.generation, self.key, self.earlier_key, self.ended, self.life, self.signed = 0, None, None, None, life, 0
        self.by_passkey, self.stepped_up = False, None       # and of those before the last step-up
        self.proved = None                                   # the number of tokens that were signed before the last proof

    def tokens(self):
        self.signed += 1
        return {'accessToken': f'{self.prefix}A{self.generation}.{self.signed}',
                'refreshToken': f'{self.prefix}T{self.generation}', 'expiresIn': self.life}

    def owns(self, token):
        return token.startswith(self.prefix + 'T') and token[len(self.prefix) + 1:].isdigit()

    def refresh(self, token, key):
        """The successor, or the reason of the refusal."""
        if self.ended:
            return None, self.ended
        generation = int(token[len(self.prefix) + 1:])
        if generation == self.generation:
            self.earlier_key, self.key, self.generation = self.key, key, generation + 1
            return self.tokens(), None
        if generation == self.generation - 1 and key and key == self.key:
            return self.tokens(), None                       # a lost response, repeated
        if generation == self.generation - 2 and key and key == self.earlier_key:
            return None, 'superseded'                        # a late copy: refused, the session lives
        self.ended = 'reused'
        return None, 'reused'


class Server(Factors):
    def __init__(self):
        self.lock = threading.Condition()
        self.sessions, self.attempts, self.seen, self.faults, self.held = [], {}, [], [], {}
        self.life, self.says_reason, self.inactive, self.name, self.challenge = 3600, True, False, 'Betty', None
        self.denied, self.discovery, self.in_flight, self.code_messages, self.reuses = set(), None, 0, 0, 0
        self.code_keys, self.challenges, self.undocumented = set(), {}, []
        # Whether a proof is recent enough from the start, what a change of an identity leads to, and the user's number.
        self.recent, self.replaces, self.signs_out, self.proofs, self.phone = True, False, False, {}, '+15551234567'
        self.user_id = 'usr_1'
        # What shows that the other account of a merge is the user's, the keys of merges, and a number that support has begun to set.
        self.merge_methods, self.merges, self.pending_phone = [], {}, None
        self.pending_merge = None
        # The other ways to sign in to an account whose number was not used for long, if it was not.
        self.recycled = None
        # Whether sign-ins come from an unknown device in an unknown network.
        self.elsewhere = False
        # Whether the account is scheduled for deletion: `ask` if its user can cancel that. And the pages of an export; 0 is no end.
        self.scheduled, self.pages = None, 1
        self.begin_factors()
        self.reached = queue.Queue()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def log_message(self, *_): pass

            def serve(self):
                with outer.lock: outer.in_flight += 1
                try: outer.serve(self)
                except (BrokenPipeError, ConnectionResetError): pass
                finally:
                    self.close_connection = True
                    with outer.lock:
                        outer.in_flight -= 1
                        outer.lock.notify_all()

            do_GET = do_POST = do_PATCH = do_DELETE = serve

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def handle_error(self, *_): pass

        self.http = Quiet(('127.0.0.1', 0), Handler)
        self.base = f'http://127.0.0.1:{self.http.server_address[1]}'
        threading.Thread(target=self.http.serve_forever, kwargs={'poll_interval': 0.05}, daemon=True).start()

    def stop(self):
        for event in self.held.values(): event.set()
        self.http.shutdown()
        self.http.server_close()

    # One request

    def serve(self, h):
        path = h.path.split('?')[0]
        raw, query = self.body(h), dict(urllib.parse.parse_qsl(h.path.partition('?')[2]))
        body = json.loads(raw) if raw.strip() else query
        key, bearer = h.headers.get('Idempotency-Key'), (h.headers.get('Authorization') or '')[7:]
        with self.lock:
            fault = self.take_fault(path)
            self.seen.append({'method': h.command, 'path': path, 'key': key, 'token': body.get('refreshToken'),
                              'bearer': bearer, 'scope': body.get('scope'), 'client': h.headers.get('Latchkey-Client'),
                              'installation': h.headers.get('X-Device-Fingerprint'), 'device': body.get('deviceName'),
                              'own': h.headers.get('X-Own'), 'type': h.headers.get('Content-Type')})
            self.lock.notify_all()
        if 'holdRequest' in fault: self.wait(fault['holdRequest'])
        if fault.get('lose') == 'request': return h.connection.close()
        with self.lock:
            if 'status' in fault: status, answer = fault['status'], fault.get('body', {})
            else: status, answer = self.answer(h.command, path, body, key, bearer)
            location, challenge = answer.pop('location', None), answer.pop('challenge', None)
            if not path.startswith('/api/'): self.compare(h, path, query, raw, status, answer, fault)
        if fault.get('lose') == 'answer': return h.connection.close()
        if 'hold' in fault: self.wait(fault['hold'])
        text = fault['raw'].encode() if 'raw' in fault else b'' if status == 204 else json.dumps(answer).encode()
        headers = {'Content-Type': 'application/json', 'Content-Length': str(len(text)), 'Connection': 'close',
                   'X-Request-Id': 'req-1', **fault.get('headers', {})}
        if location: headers['Location'] = location
        if challenge: headers['WWW-Authenticate'] = challenge
        if 'retryAfter' in fault: headers['Retry-After'] = str(fault['retryAfter'])
        head = f'HTTP/1.1 {status} X\r\n' + ''.join(f'{n}: {v}\r\n' for n, v in headers.items()) + '\r\n'
        whole = head.encode() + text
        h.wfile.write(whole[:fault['cutAt']] if 'cutAt' in fault else whole)
        h.wfile.flush()

    @staticmethod
    def body(h):
        if h.headers.get('Transfer-Encoding') != 'chunked': return h.rfile.read(int(h.headers.get('Content-Length') or 0))
        raw = b''
        while size := int(h.rfile.readline(), 16): raw += h.rfile.read(size + 2)[:size]
        h.rfile.readline()
        return raw

    def take_fault(self, path):
        for index, fault in enumerate(self.faults):
            if fault.get('on', path) == path:
                left = fault.get('times', 1) - 1
                if left > 0: self.faults[index] = {**fault, 'times': left}
                else: del self.faults[index]
                return fault
        return {}

    def compare(self, h, path, query, raw, status, answer, fault):
        """Compares an exchange with the document, but for answers that are not Latchkey's."""
        faults = DOCUMENT.of_request(h.command, path, query, raw.strip(), h.headers)
        if 'status' not in fault or 'body' in fault and not fault.get('foreign'):
            faults += DOCUMENT.of_response(h.command, path, status, answer, whole='status' not in fault)
        self.undocumented += [f'{h.command} {path}, {status}: {each}' for each in faults]

    def wait(self, name):
        self.held[name] = event = threading.Event()
        self.reached.put(name)
        event.wait(30)

    # The API

    def answer(self, method, path, body, key, bearer):
        route = (method, path)
        if route in (('POST', '/auth/otp/request'), ('POST', '/auth/magic-link/request')):
            self.code_messages += key not in self.code_keys
            self.code_keys.add(key)
            self.challenge = body.get('challenge')
            if body.get('phoneNumber') == 'nonsense': return problem(400, 'invalid_phone')
            if body.get('countryCode', 'US') != 'US': return invalid('countryCode')
            mailed = {} if path == '/auth/otp/request' else {'expiresIn': 600}
            return 200, {'success': True, 'status': 'pending', 'message': 'sent', **mailed}
        if path in ('/auth/apple/authorize', '/auth/oidc/google/authorize'):
            self.challenges[path] = body['challenge']
            return 303, {'location': f"{body['redirect']}?code={PAGE_CODE}"}
        if path == '/api/page': return 303, {'location': f"{body['redirect']}?code={PAGE_CODE}"}
        if path in ('/auth/otp/verify', '/auth/magic-link/verify', '/auth/login', '/auth/apple', '/auth/oidc/google',
                    '/auth/apple/verify', '/auth/oidc/google/verify', '/auth/restore', '/auth/passkeys/verify', '/auth/mfa/verify'):
            return self.sign_in(path, body, key)
        if found := self.open_factors(path, body): return found
        if route == ('POST', '/auth/refresh'): return self.refresh(body['refreshToken'], key)
        if route == ('POST', '/auth/logout'): return self.log_out(body, bearer)
        if route == ('GET', '/.well-known/latchkey'):
            return (200, self.discovery) if self.discovery else problem(404, 'not_found')
        if path in ('/auth/register', '/auth/forgot-password'): return 200, {'success': True, 'message': 'mailed'}
        session = next((s for s in self.sessions if not s.ended and bearer.startswith(f'{s.prefix}A')), None)
        if not session or bearer in self.denied or '*' in self.denied: return problem(401, 'invalid_token')
        return self.authorized(route, path, body, session, key, bearer)

    def authorized(self, route, path, body, session, key, bearer):
        if path == '/users/me/export': return self.page(body.get('cursor'), session)
        if path.startswith(('/users/me/passkeys', '/users/me/mfa', '/auth/reauthenticate/options')):
            return self.own_factors(route, body, session, key, bearer)
        if path.startswith(('/auth/reauthenticate', '/users/me/')): return self.change(route, path, body, session, key, bearer)
        if route == ('GET', '/users/me'): return 200, self.user()
        if route == ('PATCH', '/users/me'):
            self.name = body.get('name', self.name)
            return 200, self.user()
        if path == '/api/pay' and not self.is_recent(session, bearer): return 401, {'challenge': CHALLENGE, 'code': INSUFFICIENT}
        if path == '/api/vault' and not self.is_strong(session, bearer): return self.too_weak()
        if path in ('/users/me', '/auth/account'):
            if path == '/users/me' and not self.is_recent(session): return problem(403, 'reauthentication_required')
            if path == '/auth/account' and body.get('password') != 'right password': return problem(400, 'wrong_password')
            session.ended = 'deleted'
            return 200, {'success': True, 'message': 'scheduled'}
        if route == ('GET', '/sessions'):
            live = [s for s in self.sessions if not s.ended]
            return 200, {'sessions': [{'id': f'ses_{n}', 'createdAt': 1, 'lastUsedAt': 2, 'current': s is session}
                                      for n, s in enumerate(live)]}
        if route == ('POST', '/auth/change-password'):
            return (200, {'success': True}) if body['oldPassword'] == 'right password' else problem(400, 'wrong_password')
        if path.startswith('/sessions') or path.startswith('/api/'): return 200, {'success': True}
        return problem(404, 'not_found')

    def user(self):
        return {'id': self.user_id, 'phoneNumber': self.phone, 'name': self.name, 'isChecker': False, 'role': 'user',
                'createdAt': 1795614128}

    def page(self, cursor, session):
        """A page of the export. Only the session that has begun it can go on."""
        if cursor is None and not self.is_recent(session): return problem(403, 'reauthentication_required')
        start = f'{session.prefix}+/ &'
        if cursor is not None and not cursor.startswith(start): return invalid('cursor')
        number = int((cursor or '0').removeprefix(start))
        page = {'version': 1, 'exportedAt': 1795614128 + number, 'decisions': [], 'sessions': [],
                'records': [{'service': 'user', 'at': number, 'event': 'user.signed_in'}] * min(number, 2)}
        if number == 0:
            page['account'] = {'id': self.user_id, 'name': 'Betty "B" \u00dc\u2028\U0001f600', 'attributes': {'isChecker': True, 'score': -7}, 'role': 'user',
                               'active': True, 'createdAt': 1, 'updatedAt': 2, 'forReview': False, 'hasPassword': False,
                               'identities': [{'kind': 'phone', 'value': self.phone, 'addedAt': 1}], 'unverifiedEmails': [],
                               'appleTokens': [], 'pendingChanges': [], 'mergedAccounts': [], 'links': []}
            page['messages'] = [{'to': self.phone, 'events': [], 'mailsNotSent': 0}]
        if number == self.pages - 1:
            page['sessions'] = [{'id': 's-1', 'dialect': 'native', 'method': 'sms', 'createdAt': 1, 'lastUsedAt': 2, 'authenticatedAt': 1, 'idleExpiresAt': 3}]
        else: page['nextCursor'] = f'{start}{number + 1}'
        return 200, page

    # What signs the user in

    def is_recent(self, session, bearer=None):
        """Whether the proof is recent: in the session's row, or in this access token."""
        return self.recent or session.proved is not None and (not bearer or int(bearer.split('.')[1]) > session.proved)

    def change(self, route, path, body, session, key, bearer):
        if path.endswith('/authorize'): return self.begin_flow(path, body, session)
        if path.endswith('/request'):
            if 'reauthenticate' not in path and not self.is_recent(session): return problem(403, 'reauthentication_required')
            self.code_messages += key not in self.code_keys
            self.code_keys.add(key)
            return 200, {'success': True, 'message': 'sent', **({} if 'email' in path else {'status': 'pending'})}
        if path == '/auth/reauthenticate': return self.prove(body, session, key)
        if route == ('GET', '/users/me/identities'):
            return 200, {'identities': [{'id': 'idn_1', 'kind': 'phone', 'value': self.phone, 'addedAt': 1},
                                        {'id': 'idn_2', 'kind': 'oidc', 'provider': 'google', 'addedAt': 2}], 'hasPassword': True,
                         **({'pendingPhone': self.pending_phone} if self.pending_phone else {}),
                         **({'pendingMerge': self.pending_merge} if self.pending_merge else {})}
        if path in ('/users/me/phone/pending', '/users/me/merge/pending'):
            setattr(self, 'pending_phone' if 'phone' in path else 'pending_merge', None)
            return 200, {'success': True}
        if not self.is_recent(session): return problem(403, 'reauthentication_required')
        if path.endswith('/idn_last'): return problem(409, 'last_identity')
        if path == '/users/me/merge' and (refusal := self.refusal_of_merge(body, key)): return refusal
        if 'code' in body and path != '/users/me/merge' and not (
                self.has_begun(body, path) if 'verifier' in body else self.serves(body['code'], '123456', key)):
            return problem(401, 'invalid_code')
        token = body.get('identityToken', body.get('token', body.get('mergeToken', 'phone')))
        if token not in ('apple', 'google', 'phone', MERGE_TOKEN): return problem(401, 'invalid_identity_token')
        self.phone = body.get('phoneNumber', self.phone)
        if self.signs_out: session.ended = 'ended'
        if self.replaces: self.denied.add(bearer)
        return 200, {'success': True, 'signedOut': self.signs_out}

    def refusal_of_merge(self, body, key):
        """The refusal of a merge, the response to one that waits, or None. A repeat with its key gets the first answer; a merge with another key comes too late."""
        if key not in self.merges:
            is_shown = body.get('code') == MERGE_CODE or body.get('password') == 'other password' \
                or self.shows_provider(body, '/users/me/identities')
            has_proof = any(name in body for name in ('code', 'password', 'provider', 'phoneToken'))
            if None in self.merges.values(): self.merges[key] = problem(409, 'merge_refused')
            elif has_proof and not is_shown: self.merges[key] = problem(403, 'reauthentication_failed')
            elif self.merge_methods and body.get('wait'):
                self.pending_merge = {'movesAt': 1795614128, 'intoAnother': False}
                self.merges[key] = 202, {'success': True, 'movesAt': 1795614128}
            elif self.merge_methods and not has_proof: self.merges[key] = problem(403, 'merge_proof_required', methods=self.merge_methods)
            else: self.merges[key] = None
        return self.merges[key]

    def prove(self, body, session, key):
        is_factor = any(name in body for name in ('credential', 'totp', 'recoveryCode'))
        is_good = self.serves(json.dumps(body), json.dumps(body), key) and self.shows_factor(body, 'step up') if is_factor else \
            self.shows_provider(body, '/auth/reauthenticate') if 'provider' in body else self.serves(body['code'], '654321', key) \
            if 'code' in body else body.get('password') == 'right password' or body.get('phoneToken') == 'phone'
        if not is_good: return problem(403, 'reauthentication_failed')
        session.proved = session.signed
        if is_factor: session.stepped_up = session.signed
        return 200, {'success': True, 'refresh': True}

    def begin_flow(self, path, body, session):
        """The page of a provider for a user who is signed in, which brings them back at once."""
        if path.startswith('/users/me') and not self.is_recent(session): return problem(403, 'reauthentication_required')
        self.challenges[path] = body['challenge']
        return 200, {'url': f"{self.base}/api/page?redirect={urllib.parse.quote(body['redirect'], safe='')}"}

    def shows_provider(self, body, path):
        """Whether a token, or the code of a page that was begun at this path, is of the provider."""
        provider = body.get('provider')
        if not provider: return False
        if 'verifier' not in body: return provider == body['identityToken']
        return self.has_begun(body, f"{path}/{provider if provider == 'apple' else 'oidc/' + provider}")

    def serves(self, code, good, key):
        """Whether a code is good, and was not used with another key."""
        return code == good and self.proofs.setdefault(code, key) == key

    def sign_in(self, path, body, key):
        if key in self.attempts:
            answer, session = self.attempts[key]
            # A repeat is answered once more until its session has been renewed, or has ended.
            return code_refused('invalid_code') \
                if session and (session.generation or session.ended) else answer
        before = len(self.sessions)
        answer = self.judge(path, body)
        self.attempts[key] = answer, self.sessions[-1] if len(self.sessions) > before else None
        return answer

    def judge(self, path, body):
        good = {'/auth/otp/verify': body.get('code') == '123456', '/auth/login': body.get('password') == 'right password',
                '/auth/magic-link/verify': body.get('code') == '123456' or self.opens(body),
                '/auth/apple/verify': self.has_begun(body, '/auth/apple'),
                '/auth/oidc/google/verify': self.has_begun(body, '/auth/oidc/google'),
                '/auth/apple': body.get('identityToken') == 'apple', '/auth/oidc/google': body.get('identityToken') == 'google'}
        if 'code' in body and not body['code'].isdigit(): return invalid('code')
        if path == '/auth/restore': return self.restore(body)
        if path in ('/auth/passkeys/verify', '/auth/mfa/verify'):
            if refusal := self.judge_factors(path, body): return refusal
            good[path] = True
        if not good[path]:
            if path.endswith('/verify'): return code_refused('invalid_code')
            return problem(401, 'invalid_credentials' if path == '/auth/login' else 'invalid_identity_token')
        if self.inactive: return problem(403, 'account_inactive')
        if self.recycled is not None and not body.get('newAccount'): return problem(403, 'second_identity_required', methods=self.recycled)
        if self.scheduled: return problem(409, 'deletion_scheduled', **({'restoreToken': RESTORE_TOKEN} if self.scheduled == 'ask' else {}))
        if self.mfa and not path.startswith(('/auth/passkeys', '/auth/mfa')):
            return problem(403, 'second_factor_required', mfaToken=MFA_TOKEN, methods=METHODS)
        return self.open(isNewUser=body.get('name') is not None or 'newAccount' in body, by_passkey=path == '/auth/passkeys/verify')

    def restore(self, body):
        if body['restoreToken'] != RESTORE_TOKEN or not self.scheduled: return problem(400, 'invalid_sign_in')
        self.scheduled = None
        return self.open(isNewUser=False, restored=True)

    def open(self, by_passkey=False, **facts):
        session = Session(len(self.sessions), self.life)
        session.by_passkey = by_passkey
        self.sessions.append(session)
        if self.elsewhere: facts['newDevice'] = True
        return 200, {'success': True, **facts, 'user': self.user(), 'tokens': session.tokens()}

    def opens(self, body): return body.get('token') == 'link' and challenge(body) == self.challenge

    def has_begun(self, body, path):
        """Whether the code of a provider's page comes from the app that has opened it."""
        return body.get('code') == PAGE_CODE and challenge(body) == self.challenges.get(f'{path}/authorize')

    def refresh(self, token, key):
        session = next((s for s in reversed(self.sessions) if s.owns(token)), None)
        if not session: return problem(401, 'invalid_refresh_token')
        if self.inactive: return problem(403, 'account_inactive')
        tokens, reason = session.refresh(token, key)
        if tokens: return 200, tokens
        self.reuses += reason == 'reused'
        return problem(401, 'invalid_refresh_token', **({'reason': reason} if self.says_reason else {}))

    def log_out(self, body, bearer):
        token = body.get('refreshToken')
        session = next((s for s in reversed(self.sessions) if (s.owns(token) if token else bearer.startswith(f'{s.prefix}A'))), None)
        # An access token that has ended may end its own session, and no other.
        if body.get('scope') and (bearer in self.denied or not session or session.ended): return problem(401, 'invalid_token')
        for each in (self.sessions if body.get('scope') == 'all' else [session] if session else []): each.ended = each.ended or 'signed_out'
        return 200, {'success': True}


def challenge(body):
    digest = hashlib.sha256((body.get('verifier') or '').encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip('=')


def invalid(member):
    return problem(400, 'invalid_request', title=f"The member '{member}' is not valid")


def code_refused(code):
    return 401, {'success': False, 'error': 'Invalid or expired verification code', 'code': code}


def problem(status, code, **more):
    return status, {'type': f'/.well-known/latchkey/problems#{code}', 'title': 'Refused', 'status': status, 'code': code, 'success': False,
                    'error': code, **more}
