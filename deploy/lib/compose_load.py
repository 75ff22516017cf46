"""The clients of `deploy/test-compose --scale`, and the check of what they met.

compose_load.py run GATEWAY INBOX: clients sign in, call the API, refresh and sign out again and again until SIGTERM. Each request
  is a connection of its own, and a line: its beginning and its end in Unix time, the status or the error, whether a Retry-After came
  with it, and the path.
compose_load.py judge FILE SINCE KILLED none|flight|SECONDS: counts the requests that ended after SINCE, and fails if one failed
  that must not. `none`: none may fail. `flight`: those may that were under way at the moment KILLED. SECONDS: so may those that
  began up to so many seconds after it, by 503 with Retry-After. SECONDS followed by `refused`: also by a refused connection.
"""
import http.client
import json
import signal
import sys
import threading
import time
import urllib.parse
import uuid

CLIENTS = 6
REFRESHES = 5
# So few requests in a window show nothing.
LEAST = 20
ended = threading.Event()


class Failed(Exception):
    """A request did not get the response that it should."""


def exchange(base, method, path, body, headers):
    """Sends a request on a connection of its own, and returns the response and its body."""
    address = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=15)
    try:
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, {'Content-Type': 'application/json', 'Connection': 'close', **headers})
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def call(base, method, path, body=None, headers={}):
    """Sends a request, prints its line, and returns the body of a successful response."""
    begun, told = time.time(), '-'
    try:
        response, text = exchange(base, method, path, body, headers)
        status = str(response.status)
        told = 'later' if response.getheader('Retry-After') else '-'
    except (OSError, http.client.HTTPException) as problem:
        status, text = type(problem).__name__, b''
    sys.stdout.write(f'{begun:.3f} {time.time():.3f} {status} {told} {path.split("?")[0]}\n')
    sys.stdout.flush()
    if not status.startswith('2'):
        raise Failed(path)
    return json.loads(text) if text else {}


def member(value, name):
    """The value of a member anywhere in a response."""
    if isinstance(value, dict):
        return value.get(name) or next((found for inner in value.values() if (found := member(inner, name))), None)
    return None


def code_for(inbox, phone):
    """Reads the code from the inbox, which is no part of what is tested."""
    for _ in range(50):
        try:
            messages = json.loads(exchange(inbox, 'GET', f'/api/messages?to={urllib.parse.quote(phone)}', None, {})[1])
        except (OSError, ValueError, http.client.HTTPException):
            messages = []
        if messages:
            return messages[0]['code']
        time.sleep(0.1)
    raise Failed('inbox')


def session(gateway, inbox):
    """Signs a new user in, calls the API, refreshes, and signs out."""
    phone = {'phoneNumber': f'+1555{uuid.uuid4().int % 9_000_000 + 1_000_000}', 'countryCode': 'US'}
    call(gateway, 'POST', '/auth/otp/request', phone)
    code = code_for(inbox, phone['phoneNumber'])
    tokens = call(gateway, 'POST', '/auth/otp/verify', {**phone, 'code': code, 'name': 'Betty'})
    for turn in range(REFRESHES):
        bearer = {'Authorization': f'Bearer {member(tokens, "accessToken")}'}
        call(gateway, 'GET', '/users/me' if turn % 2 else '/api/hello', headers=bearer)
        ended.wait(0.2)
        tokens = call(gateway, 'POST', '/auth/refresh', {'refreshToken': member(tokens, 'refreshToken')})
    call(gateway, 'POST', '/auth/logout', {'refreshToken': member(tokens, 'refreshToken')})


def client(gateway, inbox):
    while not ended.is_set():
        try:
            session(gateway, inbox)
        except Failed:
            ended.wait(0.2)


def run(gateway, inbox):
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    clients = [threading.Thread(target=client, args=(gateway, inbox)) for _ in range(CLIENTS)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()


def may_fail(request, killed, rule):
    """Whether the rule allows this failure."""
    begun, end, status, told, _ = request
    if rule == 'none':
        return False
    if begun <= killed <= end:
        return True
    if rule == 'flight':
        return False
    seconds, refused = float(rule.removesuffix('refused')), rule.endswith('refused')
    return killed <= begun <= killed + seconds and ((status, told) == ('503', 'later') or refused and not status.isdigit())


def judge(file, since, killed, rule):
    with open(file, encoding='utf-8') as lines:
        requests = [line.split() for line in lines if line.endswith('\n')]
    requests = [(float(begun), float(end), *rest) for begun, end, *rest in requests if float(end) >= since]
    failed = [request for request in requests if not request[2].startswith('2')]
    faults = [request for request in failed if not may_fail(request, killed, rule)]
    flying = sum(begun <= killed <= end for begun, end, *_ in requests)
    last = max((begun - killed for begun, *_ in failed), default=0)
    slowest = max((end - begun for begun, end, *_ in requests), default=0)
    print(f'{len(requests)} requests, {flying} under way, {len(failed)} failed' + (f', the last begun after {last:.1f} s' if failed else '')
          + f'; the slowest took {slowest:.1f} s')
    for begun, end, status, told, path in faults[:20]:
        print(f'  {begun - killed:+.3f} to {end - killed:+.3f} s: {path} {status} {told}', file=sys.stderr)
    if faults or len(requests) - len(failed) < LEAST:
        sys.exit(f'{len(faults)} requests failed that must not, and {len(requests) - len(failed)} succeeded')


if __name__ == '__main__':
    if sys.argv[1] == 'run':
        run(*sys.argv[2:])
    else:
        judge(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), sys.argv[5])
