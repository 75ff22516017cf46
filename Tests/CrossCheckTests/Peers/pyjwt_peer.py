"""PyJWT as the other side: `sign COUNT SEED` prints tokens of its own, `verify` judges those it reads.

Both speak one JSON object a line: {"alg", "jwk", "payload", "token"}, payload in base64url. `verify` answers each line with
the payload that it found, in base64url, or with `refused`.
"""

import base64
import json
import random
import sys

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from jwt import api_jws
from jwt.algorithms import ECAlgorithm, HMACAlgorithm, OKPAlgorithm, RSAAlgorithm

PRIVATE = {"d", "p", "q", "dp", "dq", "qi"}
LOADERS = {"RS256": RSAAlgorithm, "ES256": ECAlgorithm, "EdDSA": OKPAlgorithm, "HS256": HMACAlgorithm}


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def integer(value, size=None):
    return b64(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def rsa_key(_):
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    numbers = key.private_numbers()
    public = numbers.public_numbers
    jwk = {"kty": "RSA", "n": integer(public.n), "e": integer(public.e), "d": integer(numbers.d), "p": integer(numbers.p),
           "q": integer(numbers.q), "dp": integer(numbers.dmp1), "dq": integer(numbers.dmq1), "qi": integer(numbers.iqmp)}
    return key, jwk


def ec_key(_):
    key = ec.generate_private_key(ec.SECP256R1())
    numbers = key.private_numbers()
    public = numbers.public_numbers
    return key, {"kty": "EC", "crv": "P-256", "x": integer(public.x, 32), "y": integer(public.y, 32),
                 "d": integer(numbers.private_value, 32)}


def ed_key(_):
    key = ed25519.Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return key, {"kty": "OKP", "crv": "Ed25519", "x": b64(public), "d": b64(private)}


def hmac_key(rng):
    key = rng.randbytes(rng.randrange(32, 130))
    return key, {"kty": "oct", "k": b64(key)}


KEYS = {"RS256": rsa_key, "ES256": ec_key, "EdDSA": ed_key, "HS256": hmac_key}


def random_text(rng):
    return "".join(chr(rng.choice((rng.randrange(0x20, 0x7F), rng.randrange(0xA0, 0x800), rng.randrange(0x1F300, 0x1F600))))
                   for _ in range(rng.randrange(24)))


def random_value(rng, depth=0):
    kind = rng.randrange(8 if depth < 3 else 6)
    if kind == 6:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        return {random_text(rng): random_value(rng, depth + 1) for _ in range(rng.randrange(4))}
    return (random_text(rng), rng.randrange(-2**63, 2**63), rng.random() * 1e9, True, False, None)[kind]


def random_payload(rng):
    if rng.randrange(4) == 0:
        return rng.randbytes(rng.randrange(1, 600))
    return json.dumps({random_text(rng): random_value(rng) for _ in range(rng.randrange(12))},
                      ensure_ascii=rng.random() < 0.5).encode()


def sign(count, seed):
    rng = random.Random(seed)
    for algorithm, make_key in KEYS.items():
        key, jwk = make_key(rng)
        for _ in range(count):
            headers = {"kid": random_text(rng)} if rng.randrange(2) else None
            payload = random_payload(rng)
            token = api_jws.encode(payload, key, algorithm=algorithm, headers=headers)
            print(json.dumps({"alg": algorithm, "jwk": jwk, "payload": b64(payload), "token": token}))


def verify():
    keys = {}
    for line in sys.stdin:
        request = json.loads(line)
        algorithm = request["alg"]
        text = json.dumps({name: value for name, value in request["jwk"].items() if name not in PRIVATE}, sort_keys=True)
        if text not in keys:
            keys[text] = LOADERS[algorithm].from_jwk(text)
        try:
            print(b64(api_jws.decode(request["token"], keys[text], algorithms=[algorithm])))
        except jwt.InvalidTokenError:
            print("refused")


if sys.argv[1] == "sign":
    sign(int(sys.argv[2]), int(sys.argv[3]))
else:
    verify()
