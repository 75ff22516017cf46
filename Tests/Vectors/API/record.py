#!/usr/bin/env python3
"""Records the examples of the API documents from a running stack, one file for each dialect.

Start an empty stack of examples.yaml in development, with the line `billing a1b2c3d4e5f60718293a4b5c6d7e8f90` in its secret
oauth_clients, then: record.py http://127.0.0.1:8080 http://127.0.0.1:8025
"""
import base64
import json
import pathlib
import re
import sys
import time
import urllib.parse
import urllib.request

GATEWAY, INBOX = sys.argv[1:3]
MAIL, PASSWORD = 'betty@example.com', 'correct horse battery'
examples = {}


def call(method, path, body=None, token=None, dialect='native', under=None):
    """Makes a request of a dialect, keeps it as the example of the operation, and returns the response."""
    data = None if body is None else json.dumps(body).encode()
    headers = {'Content-Type': 'application/json'} if body is not None else {}
    if token:
        headers['Authorization'] = f'Bearer {token}'
    if dialect != 'native':
        headers['Host'] = f'{dialect}.example.com'
    request = urllib.request.Request(GATEWAY + path, data, headers, method=method)
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
    example = {'response': answer} if body is None else {'request': body, 'response': answer}
    examples.setdefault(dialect, {})[f'{method} {under or path}'] = example
    return answer


def introspect(token):
    """Asks for the state of a token, as a service does; the document has the response only, since the request is a form."""
    basic = base64.b64encode(b'billing:a1b2c3d4e5f60718293a4b5c6d7e8f90').decode()
    form = urllib.parse.urlencode({'token': token}).encode()
    request = urllib.request.Request(GATEWAY + '/oauth/introspect', form, {'Authorization': f'Basic {basic}'})
    with urllib.request.urlopen(request) as response:
        examples['native']['POST /oauth/introspect'] = {'response': json.load(response)}


def message(to, member='id'):
    """Returns the newest message to a recipient that has a member, and removes all, so that the next one is new."""
    for _ in range(100):
        with urllib.request.urlopen(f'{INBOX}/api/messages?to={urllib.parse.quote(to)}') as response:
            messages = [message for message in json.load(response) if message.get(member)]
        if messages:
            urllib.request.urlopen(urllib.request.Request(f'{INBOX}/api/messages', method='DELETE')).close()
            return messages[0]
        time.sleep(0.1)
    raise SystemExit(f'no message to {to}')


def link_token(to):
    link = message(to, 'link')['link']
    return urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)['token'][0]


def shortened(text):
    """Cuts tokens, which are of no use after the stack has gone."""
    return re.sub(r'": "(eyJ|rt_|)[\w.-]{40,}"', lambda match: f'": "{match[1]}…"', text)


def native():
    phone = {'phoneNumber': '+15551234567'}
    call('POST', '/auth/otp/request', phone | {'channel': 'sms', 'locale': 'en'})
    code = message('+15551234567', 'code')['code']
    tokens = call('POST', '/auth/otp/verify', phone | {'code': code, 'name': 'Betty', 'deviceName': 'Phone'})['tokens']
    tokens = call('POST', '/auth/refresh', {'refreshToken': tokens['refreshToken']})
    access = tokens['accessToken']
    introspect(access)
    call('GET', '/users/me', token=access)
    call('PATCH', '/users/me', {'name': 'Betty', 'isChecker': True}, token=access)
    call('POST', '/auth/reauthenticate/request', {'locale': 'en'}, token=access)
    call('POST', '/auth/reauthenticate', {'code': message('+15551234567', 'code')['code']}, token=access)
    call('POST', '/auth/magic-link/request', {'email': MAIL, 'locale': 'en'})
    mail = {'email': MAIL, 'code': message(MAIL, 'code')['code'], 'deviceName': 'Laptop'}
    second = call('POST', '/auth/magic-link/verify', mail)['tokens']
    call('GET', '/sessions', token=access)
    session = call('GET', '/sessions', token=second['accessToken'])['sessions'][0]['id']
    call('DELETE', f'/sessions/{session}', token=second['accessToken'], under='/sessions/{id}')
    call('DELETE', '/sessions', token=access)
    call('POST', '/auth/logout', {'refreshToken': tokens['refreshToken']})
    for path in ['/.well-known/latchkey', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server', '/healthz']:
        call('GET', path)


def identities():
    """Adds, replaces and removes what signs a user in. A loss ends the access token, so that the user signs in again."""
    def signed_in(phone):
        call('POST', '/auth/otp/request', {'phoneNumber': phone})
        proof = {'phoneNumber': phone, 'code': message(phone, 'code')['code']}
        return call('POST', '/auth/otp/verify', proof)['tokens']['accessToken']

    (old, new, mail) = ('+15551234568', '+15551234569', 'carla@example.com')
    access = signed_in(old)
    call('POST', '/users/me/email/request', {'email': mail, 'locale': 'en'}, access)
    call('POST', '/users/me/email', {'email': mail, 'code': message(mail, 'code')['code']}, access)
    call('POST', '/users/me/phone/request', {'phoneNumber': new, 'locale': 'en'}, access)
    call('POST', '/users/me/phone', {'phoneNumber': new, 'code': message(new, 'code')['code']}, access)
    access = signed_in(new)
    call('POST', '/users/me/password', {'password': PASSWORD}, access)
    call('DELETE', '/users/me/password', token=access)
    access = signed_in(new)
    held = call('GET', '/users/me/identities', token=access)['identities']
    email = next(identity['id'] for identity in held if identity['kind'] == 'email')
    call('DELETE', f'/users/me/identities/{email}', token=access, under='/users/me/identities/{id}')


def passwords(dialect):
    """The life of an account with a password, in the native API or in uta's, where the link confirms without the password."""
    other = 'anna@example.com' if dialect == 'native' else f'anna@{dialect}.example.com'

    def post(path, body, token=None):
        return call('POST', path, body, token, dialect)

    post('/auth/register', {'email': other, 'password': PASSWORD, 'name': 'Anna', 'locale': 'en'})
    post('/auth/verify-email/resend', {'email': other})
    proof = {'token': link_token(other)}
    post('/auth/verify-email', proof if dialect == 'uta' else proof | {'password': PASSWORD})
    tokens = post('/auth/login', {'email': other, 'password': PASSWORD, 'deviceName': 'Laptop'})['tokens']
    post('/auth/change-password', {'oldPassword': PASSWORD, 'newPassword': PASSWORD + ' 2'}, tokens['access'])
    post('/auth/forgot-password', {'email': other, 'locale': 'en'})
    post('/auth/reset-password', {'token': link_token(other), 'password': PASSWORD})
    return {'email': other, 'password': PASSWORD}


def aarokya():
    call('POST', '/auth/otp/trigger', {'phone': '+15557654321'}, dialect='aarokya')
    proof = {'phone': '+15557654321', 'otp': message('+15557654321', 'code')['code']}
    tokens = call('POST', '/auth/otp/verify', proof, dialect='aarokya')
    tokens = call('POST', '/auth/token/refresh', {'refresh_token': tokens['refresh_token']}, dialect='aarokya')
    call('GET', '/user/profile', token=tokens['access_token'], dialect='aarokya')
    call('POST', '/auth/logout', token=tokens['access_token'], dialect='aarokya')


def others(login):
    session = call('POST', '/api/auth/sign-in-email', login, dialect='gremlin')['session']
    session = call('POST', '/api/auth/refresh', {'refreshToken': session['refreshToken']}, dialect='gremlin')['session']
    call('POST', '/api/auth/sign-out', token=session['token'], dialect='gremlin')
    data = call('POST', '/api/Auth/Login', login, dialect='voltyks')['data']
    call('POST', '/api/Auth/RefreshToken', token=data['refreshToken'], dialect='voltyks')
    tokens = call('POST', '/auth/login', login, dialect='uta')['tokens']
    tokens = call('POST', '/auth/refresh', {'refreshToken': tokens['refreshToken']}, dialect='uta')
    call('GET', '/auth/me', token=tokens['accessToken'], dialect='uta')
    call('PATCH', '/auth/profile', {'name': 'Anna'}, token=tokens['accessToken'], dialect='uta')
    call('POST', '/auth/logout', {'refreshToken': tokens['refreshToken']}, dialect='uta')


def deletions(login, of_uta):
    token = call('POST', '/auth/login', login)['tokens']['access']
    call('DELETE', '/auth/account', {'password': login['password']}, token)
    token = call('POST', '/auth/login', of_uta, dialect='uta')['tokens']['access']
    call('DELETE', '/auth/account', {'password': of_uta['password']}, token, 'uta')
    token = call('POST', '/auth/login', login)['tokens']['access']
    call('DELETE', '/users/me', {'password': login['password']}, token)


identities()
native()
login = passwords('native')
of_uta = passwords('uta')
aarokya()
others(login)
deletions(login, of_uta)
for dialect, operations in examples.items():
    text = json.dumps(operations, indent=2, ensure_ascii=False)
    pathlib.Path(__file__).with_name(f'{dialect}.json').write_text(shortened(text) + '\n')
