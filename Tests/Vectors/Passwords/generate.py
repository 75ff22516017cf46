#!/usr/bin/env python3
"""Makes foreign.json: passwords and their hashes by implementations that are not ours.

Needs PyPI's argon2-cffi (reference C code, its own copy), bcrypt (Rust), cryptography (AES); scrypt and PBKDF2 are hashlib's.
Salts are fixed, so that the same file comes out again; bcrypt's are its own.
"""
import base64
import hashlib
import json
import struct
import unicodedata

import argon2.low_level as argon2
import bcrypt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

SALT = bytes(range(16))


def argon(password, kind, version, memory, rounds, lanes):
    return argon2.hash_secret(
        password.encode(), SALT, rounds, memory, lanes, 32, kind, version).decode()


def better_auth(password):
    salt = SALT.hex()
    key = hashlib.scrypt(
        unicodedata.normalize("NFKC", password).encode(), salt=salt.encode(), n=16384, r=16, p=1, maxmem=1 << 26, dklen=64)
    return f"{salt}:{key.hex()}"


def firebase(password, signer, separator, rounds, cost):
    derived = hashlib.scrypt(
        password.encode(), salt=SALT[:10] + separator, n=1 << cost, r=rounds, p=1, maxmem=1 << 27, dklen=64)
    encryptor = Cipher(algorithms.AES(derived[:32]), modes.CTR(bytes(16))).encryptor()
    text = lambda value: base64.b64encode(value).decode()
    parts = [text(SALT[:10]), text(encryptor.update(signer))]
    return f"$fbscrypt$v=1,n={cost},r={rounds},p=1,ss={text(separator)},sk={text(signer)}$" + "$".join(parts)


def identity_v2(password):
    key = hashlib.pbkdf2_hmac("sha1", password.encode(), SALT, 1000, 32)
    return base64.b64encode(b"\0" + SALT + key).decode()


def identity_v3(password, number, digest, rounds):
    key = hashlib.pbkdf2_hmac(digest, password.encode(), SALT, rounds, 32)
    return base64.b64encode(b"\1" + struct.pack(">III", number, rounds, len(SALT)) + SALT + key).decode()


def vectors():
    for password in ["correct horse battery", "caf\u00e9-au-lait \U0001f511", "x" * 72]:
        for kind, version, memory, rounds, lanes in [
            (argon2.Type.ID, 19, 65536, 3, 4), (argon2.Type.I, 19, 4096, 3, 1), (argon2.Type.D, 16, 1024, 2, 2)]:
            yield "argon2", password, argon(password, kind, version, memory, rounds, lanes)
        for prefix in [b"2a", b"2b"]:
            yield "bcrypt", password, bcrypt.hashpw(password.encode(), bcrypt.gensalt(5, prefix)).decode()
        yield "Better Auth", password, better_auth(password)
        yield "Firebase", password, firebase(password, bytes(range(64)), b"\7", 8, 14)
        yield "ASP.NET v2", password, identity_v2(password)
        for number, digest, rounds in [(0, "sha1", 1000), (1, "sha256", 10000), (2, "sha512", 100000)]:
            yield "ASP.NET v3", password, identity_v3(password, number, digest, rounds)
    # A ligature, which Better Auth spells out.
    yield "Better Auth", "\ufb01nal-password", better_auth("\ufb01nal-password")
    # Of the README of github.com/firebase/scrypt.
    yield "Firebase", "user1password", (
        "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,"
        "sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==")
    # Of jBCrypt's own tests.
    yield "bcrypt", "abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"


rows = [{"scheme": scheme, "password": password, "hash": hash} for scheme, password, hash in vectors()]
print(json.dumps(rows, indent=1))
