# Tries a receiver of events from deploy/docs/app/events.md: docs-receiver-requests.py requests|check
#
# `requests` prints one request a line, as JSON; `check` reads the status of each, and then the types that were applied.
import base64, hashlib, hmac, json, sys, time

SECRET = base64.b64decode('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=')


def request(user, sequence, secret=SECRET, age=0, source='user', signatures=None, changed=''):
    body = json.dumps({'type': f'{source}.{user}.{sequence}', 'data': {'source': source, 'sequence': sequence, 'userId': user}})
    id, sent_at = f'{source}_{user}_{sequence}', str(int(time.time()) - age)
    made = base64.b64encode(hmac.digest(secret, f'{id}.{sent_at}.{body}'.encode(), hashlib.sha256)).decode()
    headers = {'webhook-id': id, 'webhook-timestamp': sent_at, 'webhook-signature': (signatures or 'v1,{}').format(made)}
    return {'headers': headers, 'body': body + changed}


CASES = [
    (request('a', 5), 204), (request('a', 5), 204), (request('a', 4), 204), (request('b', 4), 204),
    (request('a', 1, source='session'), 204), (request('a', 6, secret=b'x' * 32), 401), (request('a', 6, age=301), 401),
    (request('a', 6, age=-310), 401), (request('a', 6, changed=' '), 401), (request('a', 6, signatures='v1,AAAA v2,{}'), 401),
    ({'headers': {}, 'body': '{}'}, 401), (request('a', 6, signatures='v1,AAAA v1,{}'), 204),
]
APPLIED = ['user.a.5', 'user.b.4', 'session.a.1', 'user.a.6']

if sys.argv[1] == 'requests':
    for case, _ in CASES:
        print(json.dumps(case))
else:
    lines = sys.stdin.read().split()
    wanted = [str(status) for _, status in CASES] + APPLIED
    if lines != wanted:
        sys.exit(f'got {lines}, wanted {wanted}')
