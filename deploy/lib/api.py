"""Signs in at a running stack for deploy/test-api, and with a generated client. schemathesis loads this file as its hooks.

GATEWAY and INBOX are the stack's addresses. PREFIX is the calling code of its phone numbers, and the digits after it.
"""
import importlib
import json
import os
import pathlib
import re
import sys
import time
import urllib.parse
import urllib.request
import uuid

GATEWAY, INBOX = os.environ.get('GATEWAY', ''), os.environ.get('INBOX', '')


def call(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {'Content-Type': 'application/json'})
    with urllib.request.urlopen(request) as response:
        return response.read().decode()


def message(to):
    """Returns the message to a recipient."""
    for _ in range(100):
        messages = json.loads(call(f'{INBOX}/api/messages?to={urllib.parse.quote(to)}'))
        if messages:
            return messages[0]
        time.sleep(0.1)
    raise SystemExit(f'no message to {to}')


def new_phone():
    return os.environ.get('PREFIX', '+1555') + str(uuid.uuid4().int % 9_000_000 + 1_000_000)


def sign_in():
    """Signs in a new user as the native API does, and returns the access token."""
    if 'codes' in json.loads(call(f'{GATEWAY}/.well-known/latchkey')):
        phone = {'phoneNumber': new_phone()}
        call(f'{GATEWAY}/auth/otp/request', phone)
        answer = call(f'{GATEWAY}/auth/otp/verify', phone | {'code': message(phone['phoneNumber'])['code']})
    else:
        login = {'email': f'{uuid.uuid4().hex}@example.com', 'password': 'correct horse battery'}
        call(f'{GATEWAY}/auth/register', login)
        link = urllib.parse.urlsplit(message(login['email'])['link'])
        token = urllib.parse.parse_qs(link.query)['token'][0]
        call(f'{GATEWAY}/auth/verify-email', {'token': token, 'password': login['password']})
        answer = call(f'{GATEWAY}/auth/login', login)
    return re.search(r'"(?:access|accessToken)":"([^"]+)"', answer)[1]


def use_client(package):
    """Signs in with a code, refreshes and signs out, by a client that openapi-python-client made from the document."""
    sys.path.insert(0, str(pathlib.Path(package).parent))
    name = pathlib.Path(package).name
    models, client = importlib.import_module(f'{name}.models'), importlib.import_module(f'{name}.client')

    def ask(tag, operation, body, **settings):
        module = importlib.import_module(f'{name}.api.{tag}.{operation}')
        response = module.sync_detailed(client=client.Client(base_url=GATEWAY, **settings), body=body)
        assert response.status_code == 200, response
        return response.parsed

    phone = new_phone()
    ask('codes_to_phones', 'post_auth_otp_request', models.OTPRequestBody(phone_number=phone))
    body = models.OTPVerifyBody(phone_number=phone, code=message(phone)['code'])
    tokens = ask('codes_to_phones', 'post_auth_otp_verify', body).tokens
    tokens = ask('sessions', 'post_auth_refresh', models.RefreshBody(refresh_token=tokens.refresh_token))
    assert ask('sessions', 'post_auth_logout', models.LogoutBody(refresh_token=tokens.refresh_token)).success


if __name__ == '__main__':
    use_client(sys.argv[1])
else:
    import schemathesis

    @schemathesis.auth(refresh_interval=5)
    class Bearer:
        """Signs in again every 5 seconds, because some requests of a run revoke sessions."""

        def get(self, case, context):
            return sign_in()

        def set(self, case, data, context):
            case.headers['Authorization'] = f'Bearer {data}'
