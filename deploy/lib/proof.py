"""proof.py PROOF KEYS BASE: writes the parts of a signed identity that openssl verifies: BASE.text, BASE.signature, and BASE.key,
the public key that it names. Fails if KEYS, a JWK set, has no such key."""
import base64
import json
import sys

# SubjectPublicKeyInfo of Ed25519, up to the key (RFC 8410 section 4).
PREFIX = bytes.fromhex('302a300506032b6570032100')


def decoded(text):
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


proof, keys, base = sys.argv[1:]
head, claims, signature = proof.split('.')
named = json.loads(decoded(head))['kid']
key = next((key for key in json.loads(keys)['keys'] if key['kid'] == named), None)
if key is None:
    sys.exit(f'no key {named}')
for name, data in ('text', f'{head}.{claims}'.encode()), ('signature', decoded(signature)), ('key', PREFIX + decoded(key['x'])):
    with open(f'{base}.{name}', 'wb') as file:
        file.write(data)
