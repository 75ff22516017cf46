"""Prints a JSON object for each user to import: scheme, hash, the passwords that are right, in their order, and those that are
wrong; whether the hash stays after a login. Passwords and salts are new in each run, costs are the libraries' defaults."""
import base64
import hashlib
import hmac
import json
import os
import secrets
import unicodedata

import argon2
import bcrypt
import django.conf
import passlib.hash
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.contrib.auth import hashers

django.conf.settings.configure()


def firebase(password):
    """github.com/firebase/scrypt: the signer's key, encrypted under a key that scrypt derives from the password."""
    signer, salt, separator = os.urandom(64), os.urandom(10), b"\x07"
    derived = hashlib.scrypt(password.encode(), salt=salt + separator, n=1 << 14, r=8, p=1, maxmem=1 << 27, dklen=64)
    text = Cipher(algorithms.AES(derived[:32]), modes.CTR(bytes(16))).encryptor().update(signer)
    encode = lambda value: base64.urlsafe_b64encode(value).decode()
    return f"$fbscrypt$v=1,n=14,r=8,p=1,ss={encode(separator)},sk={encode(signer)}${encode(salt)}${encode(text)}"


def wordpress(password):
    """wp_hash_password of WordPress 6.8 and later."""
    code = hmac.digest(b"wp-sha384", password.strip(" \t\n\r\0\v").encode(), "sha384")
    return "$wp" + bcrypt.hashpw(base64.b64encode(code), bcrypt.gensalt(10)).decode().replace("$2b$", "$2y$")


def better_auth(password):
    salt = os.urandom(16).hex()
    text = unicodedata.normalize("NFKC", password).encode()
    return f"{salt}:{hashlib.scrypt(text, salt=salt.encode(), n=16384, r=16, p=1, maxmem=1 << 26, dklen=64).hex()}"


def django_hash(name):
    return lambda password: hashers.get_hasher(name).encode(password, hashers.get_hasher(name).salt())


django.conf.settings.PASSWORD_HASHERS = [
    "django.contrib.auth.hashers." + name
    for name in ["PBKDF2PasswordHasher", "PBKDF2SHA1PasswordHasher", "Argon2PasswordHasher", "BCryptSHA256PasswordHasher",
                 "BCryptPasswordHasher", "ScryptPasswordHasher"]]

SCHEMES = {
    "Django pbkdf2_sha256": django_hash("pbkdf2_sha256"),
    "Django pbkdf2_sha1": django_hash("pbkdf2_sha1"),
    "Django argon2": django_hash("argon2"),
    "Django bcrypt_sha256": django_hash("bcrypt_sha256"),
    "Django scrypt": django_hash("scrypt"),
    "passlib pbkdf2_sha512": passlib.hash.pbkdf2_sha512.hash,
    "passlib pbkdf2_sha256": passlib.hash.pbkdf2_sha256.hash,
    "passlib scrypt": passlib.hash.scrypt.using(rounds=14).hash,
    "passlib phpass": passlib.hash.phpass.using(rounds=13).hash,
    "argon2-cffi": argon2.PasswordHasher().hash,
    "argon2-cffi, 16 lanes": argon2.PasswordHasher(parallelism=16, memory_cost=65536, time_cost=2).hash,
    "bcrypt": lambda password: bcrypt.hashpw(password.encode(), bcrypt.gensalt()).decode(),
    "Firebase": firebase,
    "WordPress": wordpress,
    "Better Auth": better_auth,
}


def user(scheme, text, right, wrong, stays=False):
    print(json.dumps({"scheme": scheme, "hash": text, "right": right, "wrong": wrong, "stays": stays}))


for scheme, make in SCHEMES.items():
    password = "caf\u00e9 " + secrets.token_urlsafe(9)
    composed, decomposed = (unicodedata.normalize(form, password) for form in ("NFC", "NFD"))
    for hashed in [composed, decomposed]:
        for typed in [composed, decomposed]:
            user(scheme, make(hashed), [typed, composed, decomposed], [composed + "x", composed.replace("\u00e9", "e")])
# A ligature, which the compatibility form spells out.
user("Better Auth, NFKC", better_auth("\ufb01nal password"), ["\ufb01nal password"], ["final passwort"])
user("bcrypt, cost 14", bcrypt.hashpw(b"fourteen times slower", bcrypt.gensalt(14)).decode(),
     ["fourteen times slower"], ["fifteen times slower"])
# 72 bytes are compared whole; of more than that, the rest is not.
whole, long = secrets.token_hex(36), secrets.token_hex(40)
user("bcrypt, 72 bytes", bcrypt.hashpw(whole.encode(), bcrypt.gensalt(6)).decode(), [whole], [whole[:71] + "x", whole + "x"])
user("bcrypt, 80 bytes", bcrypt.hashpw(long.encode(), bcrypt.gensalt(6)).decode(), [long[:79] + "x", long], ["x" + long[1:]],
     stays=True)
