#!/usr/bin/env python3
"""Makes foreign.json: passwords and their hashes by implementations that are not ours.

Needs PyPI's Django 5, passlib, argon2-cffi, bcrypt below 5 (later ones refuse more than 72 bytes) and cryptography (AES for
Firebase); the scrypt of Firebase and Better Auth and the PBKDF2 of ASP.NET are hashlib's. Salts are fixed; bcrypt's are its own.
"""
import base64
import hmac
import hashlib
import json
import struct
import unicodedata

import argon2.low_level as argon2
import bcrypt
import django.conf
import passlib.hash
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.contrib.auth import hashers

django.conf.settings.configure()

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


def wordpress(password):
    """wp_hash_password of WordPress 6.8 and later."""
    code = hmac.digest(b"wp-sha384", password.strip(" \t\n\r\0\v").encode(), "sha384")
    return "$wp" + bcrypt.hashpw(base64.b64encode(code), bcrypt.gensalt(5)).decode().replace("$2b$", "$2y$")


def of_django(password):
    yield "Django PBKDF2", hashers.PBKDF2PasswordHasher().encode(password, "saltOfDjango5", 100_000)
    yield "Django PBKDF2", hashers.PBKDF2SHA1PasswordHasher().encode(password, "saltOfDjango5", 10_000)
    yield "Django Argon2", hashers.Argon2PasswordHasher().encode(password, "saltOfDjango5")
    yield "Django scrypt", hashers.ScryptPasswordHasher().encode(password, "saltOfDjango5")
    hasher = hashers.BCryptSHA256PasswordHasher()
    yield "Django bcrypt", hasher.encode(password, bcrypt.gensalt(5))
    if len(password.encode()) <= 72:
        yield "Django bcrypt", hashers.BCryptPasswordHasher().encode(password, bcrypt.gensalt(5))


def of_passlib(password):
    for scheme, rounds in [("pbkdf2_sha512", 25_000), ("pbkdf2_sha256", 29_000), ("pbkdf2_sha1", 131_000)]:
        # bytes(range(250, 256)) is `+` in base64, which passlib writes as a dot.
        made = getattr(passlib.hash, scheme).using(salt=bytes(range(246, 256)) + SALT[:6], rounds=rounds)
        yield "passlib PBKDF2", made.hash(password)
    yield "PHC scrypt", passlib.hash.scrypt.using(salt=SALT, rounds=14, block_size=8, parallelism=2).hash(password)
    yield "phpass", passlib.hash.phpass.using(salt="saltSALT", rounds=13, ident="P").hash(password)
    yield "phpass", passlib.hash.phpass.using(salt="saltSALT", rounds=11, ident="H").hash(password)


def of_all(password):
    """Every scheme's hash of one spelling."""
    for kind, version, memory, rounds, lanes in [
        (argon2.Type.ID, 19, 65536, 3, 4), (argon2.Type.I, 19, 4096, 3, 1), (argon2.Type.D, 16, 1024, 2, 2),
        (argon2.Type.ID, 19, 8192, 2, 16)]:
        yield "argon2", argon(password, kind, version, memory, rounds, lanes)
    for prefix in [b"2a", b"2b"]:
        yield "bcrypt", bcrypt.hashpw(password.encode(), bcrypt.gensalt(5, prefix)).decode()
    yield "Better Auth", better_auth(password)
    yield "Firebase", firebase(password, bytes(range(64)), b"\7", 8, 14)
    yield "ASP.NET v2", identity_v2(password)
    for number, digest, rounds in [(0, "sha1", 1000), (1, "sha256", 10000), (2, "sha512", 100000)]:
        yield "ASP.NET v3", identity_v3(password, number, digest, rounds)
    yield from of_django(password)
    yield from of_passlib(password)
    yield "WordPress", wordpress(password)


# A password as it is typed, and the spelling that was hashed: they are one to the user.
COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "caf\u00e9-au-lait \U0001f511") for form in ("NFC", "NFD"))
SPELLINGS = [
    ("correct horse battery", "correct horse battery"), (COMPOSED, COMPOSED), ("x" * 72, "x" * 72),
    (COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED), (DECOMPOSED, DECOMPOSED),
]


def vectors():
    for typed, hashed in SPELLINGS:
        for scheme, text in of_all(hashed):
            yield scheme, typed, text
    # bcrypt reads 72 bytes.
    yield "bcrypt", "y" * 80, bcrypt.hashpw(b"y" * 80, bcrypt.gensalt(5)).decode()
    # A ligature, which Better Auth spells out.
    yield "Better Auth", "\ufb01nal-password", better_auth("\ufb01nal-password")
    # WordPress trims.
    yield "WordPress", " in blanks ", wordpress(" in blanks ")
    # From the README of github.com/firebase/scrypt, as its console shows it and in the alphabet of `firebase auth:export`.
    signer = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
    made = "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
    head = f"$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk={signer}$"
    yield "Firebase", "user1password", f"{head}42xEC+ixf3L2lw==${made}"
    yield "Firebase", "user1password", f"{head}42xEC-ixf3L2lw==$" + made.replace("+", "-").replace("/", "_")
    # Of jBCrypt's own tests.
    yield "bcrypt", "abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
    # By PHP 8.2's password_hash, as WordPress calls it.
    yield "WordPress", "correct horse battery", "$wp$2y$10$7L07VvqgFLYFRGzSUf9IQe8hd2havrKhygQ0IKF2QnFtDvISBtc1O"
    # From phpass' own test.php.
    yield "phpass", "test12345", "$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0"


rows = [{"scheme": scheme, "password": password, "hash": hash} for scheme, password, hash in vectors()]
print(json.dumps(rows, indent=1))
