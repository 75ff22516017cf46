"""Signatures that ought to hold and such that almost do, with keys made anew from a seed.

Prints one JSON object a line: {"group", "alg", "jwk", "cases": [[comment, message, signature, holds], ...]} with message
and signature in hexadecimal; a group whose key must be refused has no cases and "key": "refused". The arithmetic is this
file's own, so that nothing here shares a mistake with libcrypto; `cryptography` only makes RSA keys and PSS signatures.
"""

import base64
import hashlib
import hmac
import json
import random
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

rng = random.Random(int(sys.argv[1]))


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value, size=None):
    return value.to_bytes(size if size is not None else (value.bit_length() + 7) // 8, "big")


def emit(group, alg, jwk, cases=None):
    line = {"group": group, "alg": alg, "jwk": jwk}
    if cases is None:
        line["key"] = "refused"
    else:
        line["cases"] = [[comment, message.hex(), signature.hex(), holds] for comment, message, signature, holds in cases]
    print(json.dumps(line))


def flips(message, signature, count=48):
    """`count` copies of a good signature with one bit turned, and as many of the message."""
    for _ in range(count):
        bit = rng.randrange(len(signature) * 8)
        turned = bytearray(signature)
        turned[bit // 8] ^= 1 << bit % 8
        yield f"bit {bit} of the signature", message, bytes(turned), False
        bit = rng.randrange(len(message) * 8)
        turned = bytearray(message)
        turned[bit // 8] ^= 1 << bit % 8
        yield f"bit {bit} of the message", bytes(turned), signature, False


def lengths(message, signature):
    """A good signature cut, lengthened and shifted."""
    for cut in (0, 1, len(signature) // 2, len(signature) - 1):
        yield f"first {cut} bytes", message, signature[:cut], False
        yield f"last {cut} bytes", message, signature[len(signature) - cut:], False
    for extra in (b"\0", b"\1", b"\0" * 32, signature):
        yield f"{len(extra)} bytes behind", message, signature + extra, False
        yield f"{len(extra)} bytes in front", message, extra + signature, False


# MARK: RSASSA-PKCS1-v1_5 (RFC 8017 §8.2)

OIDS = {
    "md5": "2a864886f70d0205", "sha1": "2b0e03021a", "sha224": "608648016503040204", "sha256": "608648016503040201",
    "sha384": "608648016503040202", "sha512": "608648016503040203", "sha512_256": "608648016503040206",
    "sha3_256": "608648016503040208",
}


def tlv(tag, content, length=None):
    return bytes([tag]) + (bytes([len(content)]) if length is None else length) + content


def digest_info(digest, oid=bytes.fromhex(OIDS["sha256"]), parameters=b"\x05\0"):
    return tlv(0x30, tlv(0x30, tlv(6, oid) + parameters) + tlv(4, digest))


def other_digest_infos(digest):
    oid = tlv(6, bytes.fromhex(OIDS["sha256"]))
    null = b"\x05\0"
    inner = tlv(0x30, oid + null)
    octets = tlv(4, digest)
    yield "no parameters", tlv(0x30, tlv(0x30, oid) + octets)
    for name, parameters in (
        ("NULL with a byte", b"\x05\1\0"), ("NULL in long form", b"\x05\x81\0"), ("two NULLs", null + null),
        ("empty OCTET STRING", b"\x04\0"), ("empty SEQUENCE", b"\x30\0"), ("INTEGER 0", b"\x02\1\0"),
        ("BOOLEAN", b"\1\1\xff"), ("NULL and garbage", null + rng.randbytes(8)),
    ):
        yield "parameters: " + name, tlv(0x30, tlv(0x30, oid + parameters) + octets)
    total = len(inner + octets)
    for name, length in (("long form", b"\x81" + bytes([total])), ("two bytes", b"\x82\0" + bytes([total])),
                         ("eight bytes", b"\x88" + number(total, 8)), ("indefinite", b"\x80"),
                         ("one less", bytes([total - 1])), ("one more", bytes([total + 1])), ("zero", b"\0")):
        yield f"outer length: {name}", tlv(0x30, inner + octets, length)
    yield "indefinite with end", tlv(0x30, inner + octets + b"\0\0", b"\x80")
    yield "inner length in long form", tlv(0x30, tlv(0x30, oid + null, b"\x81\x0d") + octets)
    yield "OID length in long form", tlv(0x30, tlv(0x30, oid[:1] + b"\x81" + oid[1:] + null) + octets)
    yield "digest length in long form", tlv(0x30, inner + tlv(4, digest, b"\x81\x20"))
    yield "digest as BIT STRING", tlv(0x30, inner + tlv(3, b"\0" + digest))
    yield "digest in pieces", tlv(0x30, inner + tlv(0x24, tlv(4, digest[:16]) + tlv(4, digest[16:])))
    yield "SET outside", tlv(0x31, inner + octets)
    yield "garbage inside behind", tlv(0x30, inner + octets + rng.randbytes(8))
    yield "NULL inside behind", tlv(0x30, inner + octets + null)
    yield "zeros behind", tlv(0x30, inner + octets) + bytes(8)
    yield "garbage behind", tlv(0x30, inner + octets) + rng.randbytes(16)
    yield "OID of another length", tlv(0x30, tlv(0x30, tlv(6, bytes.fromhex(OIDS["sha256"])[:-1]) + null) + octets)
    yield "leading zero in the OID", tlv(0x30, tlv(0x30, tlv(6, b"\x80" + bytes.fromhex(OIDS["sha256"])) + null) + octets)
    yield "digest cut", tlv(0x30, inner + tlv(4, digest[:-1]))
    yield "digest lengthened", tlv(0x30, inner + tlv(4, digest + b"\0"))
    yield "no digest", tlv(0x30, inner)
    yield "digest alone", digest
    yield "digest as OCTET STRING alone", octets
    yield "nothing", b""


def encoded(info, size):
    return b"\0\1" + b"\xff" * (size - 3 - len(info)) + b"\0" + info


def other_paddings(info, size):
    good = encoded(info, size)
    room = size - 3 - len(info)
    for block in (b"\0\0", b"\0\2", b"\0\x81", b"\1\1", b"\0\xff"):
        yield f"block type {block.hex()}", block + good[2:]
    yield "zeros for padding", b"\0\1" + bytes(room) + b"\0" + info
    yield "random padding", b"\0\1" + bytes(rng.randrange(1, 255) for _ in range(room)) + b"\0" + info
    for position in (2, 9, 2 + room // 2, 1 + room):
        for value in (0, 1, 0xFE, 0x7F):
            yield f"padding byte {position} is {value}", good[:position] + bytes([value]) + good[position + 1:]
    for value in (1, 0xFF):
        yield f"separator is {value}", b"\0\1" + b"\xff" * room + bytes([value]) + info
    yield "two separators", b"\0\1" + b"\xff" * (room - 1) + b"\0\0" + info
    yield "no separator", b"\0\1" + b"\xff" * (room + 1) + info
    for short in (0, 1, 7, 8, 9, room - 1):
        front = b"\0\1" + b"\xff" * short + b"\0" + info
        rest = size - len(front)
        yield f"{short} bytes of padding, garbage behind", front + rng.randbytes(rest)
        yield f"{short} bytes of padding, zeros behind", front + bytes(rest)
        yield f"{short} bytes of padding, zeros in front", bytes(rest) + front
    yield "shifted left", good[1:] + b"\0"
    yield "message representative of one", number(1, size)


def cube_root(value):
    low, high = 0, 1 << (value.bit_length() // 3 + 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle ** 3 < value else (low, middle)
    return low


def rsa_cases(key, message):
    private = key.private_numbers()
    n, e = private.public_numbers.n, private.public_numbers.e
    size = (n.bit_length() + 7) // 8

    def sign(block):
        # By the remainders, three times as fast (RFC 8017 §5.2.1).
        value = int.from_bytes(block, "big")
        left, right = pow(value, private.dmp1, private.p), pow(value, private.dmq1, private.q)
        return number(right + (left - right) * private.iqmp % private.p * private.q, size)

    digest = hashlib.sha256(message).digest()
    info = digest_info(digest)
    good = sign(encoded(info, size))
    yield "as it should be", message, good, True
    yield "as it should be, no message", b"", sign(encoded(digest_info(hashlib.sha256(b"").digest()), size)), True
    for name, other in other_digest_infos(digest):
        yield "DigestInfo: " + name, message, sign(encoded(other, size)), False
    for name, oid in OIDS.items():
        if name == "sha256":
            continue
        yield f"{name} by name only", message, sign(encoded(digest_info(digest, bytes.fromhex(oid)), size)), False
        if name in hashlib.algorithms_guaranteed:
            hashed = hashlib.new(name, message).digest()
            yield name, message, sign(encoded(digest_info(hashed, bytes.fromhex(oid)), size)), False
            yield f"{name} under SHA-256's name", message, sign(encoded(digest_info(hashed), size)), False
    for name, block in other_paddings(info, size):
        # A block above n cannot be signed.
        if int.from_bytes(block, "big") < n:
            yield name, message, sign(block), False
    value = int.from_bytes(good, "big")
    for name, other in (("0", 0), ("1", 1), ("2", 2), ("n - 1", n - 1), ("n", n), ("n + 1", n + 1), ("n - s", n - value),
                        ("s + n", value + n), ("s + 2n", value + 2 * n), ("all ones", (1 << size * 8) - 1)):
        yield "s is " + name, message, number(other, max(size, (other.bit_length() + 7) // 8)), False
    yield "little-endian", message, good[::-1], False
    yield "in hexadecimal", message, good.hex().encode(), False
    for count in range(4000 if e == 65537 and size == 256 else 0):
        # A signature that begins with a zero byte keeps it.
        other = message + number(count, 4)
        signature = sign(encoded(digest_info(hashlib.sha256(other).digest()), size))
        if signature[0] == 0:
            yield "leading zero", other, signature, True
            yield "leading zero left out", other, signature[1:], False
            break
    if e == 3:
        # Bleichenbacher 2006: a cube whose upper part looks right needs no private key.
        front = b"\0\1" + b"\xff" * 8 + b"\0" + info
        wanted = int.from_bytes(front + bytes(size - len(front)), "big")
        root = cube_root(wanted)
        assert number(root ** 3, size).startswith(front)
        yield "cube root", message, number(root, size), False
    pss = padding.PSS(padding.MGF1(hashes.SHA256()), 32)
    yield "PSS", message, key.sign(message, pss, hashes.SHA256()), False
    yield from lengths(message, good)
    yield from flips(message, good)


def rsa_jwk(n, e):
    return {"kty": "RSA", "n": b64(number(n)), "e": b64(number(e))}


def rsa_groups():
    for bits, e in ((2048, 65537), (2048, 3), (3072, 65537), (2056, 65537)):
        key = rsa.generate_private_key(public_exponent=e, key_size=bits)
        numbers = key.public_key().public_numbers()
        emit(f"RSA {bits}, e = {e}", "RS256", rsa_jwk(numbers.n, numbers.e), rsa_cases(key, rng.randbytes(40)))
    n = numbers.n
    for name, jwk in (("e = 1", rsa_jwk(n, 1)), ("e = 2", rsa_jwk(n, 2)), ("even n", rsa_jwk(n & ~1, 65537)),
                      ("1024 bits", rsa_jwk(n >> 1032 | 1, 65537)), ("2047 bits", rsa_jwk(n >> 9 | 1, 65537)),
                      ("PS256", {**rsa_jwk(n, 65537), "alg": "PS256"}), ("RS512", {**rsa_jwk(n, 65537), "alg": "RS512"}),
                      ("HS256", {**rsa_jwk(n, 65537), "alg": "HS256"}), ("enc", {**rsa_jwk(n, 65537), "use": "enc"})):
        emit("RSA key: " + name, "RS256", jwk)


# MARK: ECDSA on P-256 (FIPS 186-4)

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def ec_add(left, right):
    if left is None or right is None:
        return left if right is None else right
    (x1, y1), (x2, y2) = left, right
    if x1 == x2:
        if (y1 + y2) % P == 0:
            return None
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, P)
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P)
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def ec_multiply(factor, point):
    result = None
    for bit in bin(factor % N)[2:]:
        result = ec_add(result, result)
        if bit == "1":
            result = ec_add(result, point)
    return result


def ec_lift(x):
    square = (x**3 - 3 * x + B) % P
    y = pow(square, (P + 1) // 4, P)
    return (x, y) if y * y % P == square else None


def ec_jwk(point):
    return {"kty": "EC", "crv": "P-256", "x": b64(number(point[0], 32)), "y": b64(number(point[1], 32))}


def ec_raw(r, s):
    return number(r, 32) + number(s, 32)


def ec_hash(message, digest="sha256"):
    return int.from_bytes(hashlib.new(digest, message).digest()[:32], "big")


def ec_sign(d, z):
    k = rng.randrange(1, N)
    r = ec_multiply(k, G)[0] % N
    return r, pow(k, -1, N) * (z + r * d) % N


def der(r, s):
    def integer(value):
        return tlv(2, number(value, value.bit_length() // 8 + 1))
    return tlv(0x30, integer(r) + integer(s))


def ec_cases(d, message):
    z = ec_hash(message)
    r, s = ec_sign(d, z)
    good = ec_raw(r, s)
    yield "as it should be", message, good, True
    yield "its other s", message, ec_raw(r, N - s), True
    yield "no message", b"", ec_raw(*ec_sign(d, ec_hash(b""))), True
    edges = {"0": 0, "1": 1, "2": 2, "n - 1": N - 1, "n": N, "n + 1": N + 1, "p - 1": P - 1, "p": P, "p + 1": P + 1,
             "2^256 - 1": 2**256 - 1}
    for left, r_edge in {**edges, "r": r, "n - r": N - r}.items():
        for right, s_edge in {**edges, "s": s}.items():
            if (left, right) != ("r", "s"):
                yield f"r = {left}, s = {right}", message, ec_raw(r_edge, s_edge), False
    yield "swapped", message, ec_raw(s, r), False
    yield "DER", message, der(r, s), False
    yield "little-endian", message, number(r, 32)[::-1] + number(s, 32)[::-1], False
    yield "33 bytes each", message, b"\0" + number(r, 32) + b"\0" + number(s, 32), False
    yield "48 bytes each", message, number(r, 48) + number(s, 48), False
    yield "r + n", message, number(r + N, 33) + number(s, 32), False
    yield "s + n", message, number(r, 32) + number(s + N, 33), False
    for digest in ("sha1", "sha384", "sha512", "sha3_256"):
        yield digest, message, ec_raw(*ec_sign(d, ec_hash(message, digest))), False
    yield "digest as message", hashlib.sha256(message).digest(), good, False
    yield from lengths(message, good)
    yield from flips(message, good)


def ec_crafted(message):
    """Keys made to fit a signature: (name, public key, r, s, holds)."""
    z = ec_hash(message)

    def key_for(point, r, s):
        return ec_multiply(pow(r, -1, N), ec_add(ec_multiply(s, point), ec_multiply(N - z, G)))

    k = rng.randrange(1, N)
    point = ec_multiply(k, G)
    r = point[0] % N
    for name, s in (("s = 1", 1), ("s = n - 1", N - 1), ("s = r", r), ("s = 2^128", 2**128)):
        yield name, key_for(point, r, s), r, s, True
    # R.x above n: r is what is left of it (FIPS 186-4 §6.4).
    x = next(x for x in range(N, P) if ec_lift(x))
    yield "R.x >= n", key_for(ec_lift(x), x - N, k), x - N, k, True
    yield "R.x >= n, not reduced", key_for(ec_lift(x), x - N, k), x, k, False
    # r itself is no x of the point, r + n would have to be below p.
    yield "r = p - n", ec_multiply(k, G), P - N, k, False
    # u1·G and u2·Q meet: a doubling, which the addition formula does not do.
    d = z * pow(r, -1, N) % N
    yield "u1 G = u2 Q", ec_multiply(d, G), r, pow(k, -1, N) * 2 * z % N, True
    # … or cancel out: there is no R at all.
    yield "u1 G = -u2 Q", ec_multiply(N - d, G), r, k, False
    yield "u1 G = -u2 Q, s = 1", ec_multiply(N - d, G), r, 1, False
    yield "Q = G", G, *ec_sign(1, z), True
    yield "Q = -G", ec_multiply(N - 1, G), *ec_sign(N - 1, z), True


def ec_groups():
    for _ in range(2):
        d = rng.randrange(1, N)
        emit("P-256", "ES256", ec_jwk(ec_multiply(d, G)), ec_cases(d, rng.randbytes(40)))
    for name, public, r, s, holds in ec_crafted(message := rng.randbytes(40)):
        emit("P-256: " + name, "ES256", ec_jwk(public), [(name, message, ec_raw(r, s), holds)])
    x, y = ec_multiply(rng.randrange(1, N), G)
    off = next(value for value in range(x, x + 100) if ec_lift(value) is None)
    bad = {
        "off the curve": ec_jwk((x, y ^ 1)), "no such x": ec_jwk((off, y)), "origin": ec_jwk((0, 0)),
        "x = p": ec_jwk((P, ec_lift(0)[1] if ec_lift(0) else y)), "x cut": {**ec_jwk((x, y)), "x": b64(number(x, 32)[1:])},
        "x lengthened": {**ec_jwk((x, y)), "x": b64(b"\0" + number(x, 32))}, "no y": {"kty": "EC", "crv": "P-256", "x": b64(number(x, 32))},
        "another curve": {**ec_jwk((x, y)), "crv": "secp256k1"}, "ES512": {**ec_jwk((x, y)), "alg": "ES512"},
        "HS256": {**ec_jwk((x, y)), "alg": "HS256"},
    }
    for name, jwk in bad.items():
        emit("EC key: " + name, "ES256", jwk)


# MARK: Ed25519 (RFC 8032)

Q = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, Q) % Q
IDENTITY = (0, 1)


def ed_add(left, right):
    (x1, y1), (x2, y2) = left, right
    product = D * x1 * x2 * y1 * y2
    return ((x1 * y2 + x2 * y1) * pow(1 + product, -1, Q) % Q, (y1 * y2 + x1 * x2) * pow(1 - product, -1, Q) % Q)


def ed_multiply(factor, point):
    result = IDENTITY
    while factor:
        if factor & 1:
            result = ed_add(result, point)
        point = ed_add(point, point)
        factor >>= 1
    return result


def ed_lift(y, sign):
    square = (y * y - 1) * pow(D * y * y + 1, -1, Q) % Q
    x = pow(square, (Q + 3) // 8, Q)
    if x * x % Q != square:
        x = x * pow(2, (Q - 1) // 4, Q) % Q
    if x * x % Q != square:
        return None
    return (Q - x if x % 2 != sign else x) % Q, y % Q


def ed_encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


BASE = ed_lift(4 * pow(5, -1, Q) % Q, 0)


def ed_order_eight():
    while True:
        point = ed_lift(rng.randrange(Q), 0)
        if point and ed_multiply(4, small := ed_multiply(L, point)) != IDENTITY:
            return small


def ed_hash(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def ed_signature(r, s):
    return r + s.to_bytes(32, "little")


def ed_sign(a, public, message, prefix=b"", public_in_hash=None):
    k = rng.randrange(1, L)
    r = ed_encode(ed_multiply(k, BASE))
    h = ed_hash(prefix, r, public_in_hash or public, message)
    return ed_signature(r, (k + h * a) % L)


def ed_jwk(public):
    return {"kty": "OKP", "crv": "Ed25519", "x": b64(public)}


def ed_cases(a, public, message, small):
    good = ed_sign(a, public, message)
    r, s = good[:32], int.from_bytes(good[32:], "little")
    yield "as it should be", message, good, True
    yield "no message", b"", ed_sign(a, public, b""), True
    long = rng.randbytes(100_000)
    yield "long message", long, ed_sign(a, public, long), True
    for count in range(1, 16):
        if s + count * L < 2**256:
            yield f"S + {count} L", message, ed_signature(r, s + count * L), False
    for name, value in (("0", 0), ("1", 1), ("L - 1", L - 1), ("L", L), ("L - S", L - s), ("2^255 - 1", 2**255 - 1),
                        ("2^256 - 1", 2**256 - 1), ("S + 2^255", s + 2**255), ("S + 2^253", s + 2**253)):
        yield f"S = {name}", message, ed_signature(r, value % 2**256), False
    yield "sign of R turned", message, ed_signature(r[:31] + bytes([r[31] ^ 0x80]), s), False
    yield "S before R", message, good[32:] + good[:32], False
    yield "big-endian S", message, r + good[32:][::-1], False
    yield "Ed25519ctx", message, ed_sign(a, public, message, b"SigEd25519 no Ed25519 collisions\0\3abc"), False
    hashed = hashlib.sha512(message).digest()
    yield "Ed25519ph", message, ed_sign(a, public, hashed, b"SigEd25519 no Ed25519 collisions\1\0"), False
    yield "key left out of the hash", message, ed_sign(a, public, message, public_in_hash=b"\0" * 32), False
    yield "R = A", message, ed_signature(public, s), False
    # An R of small order with the S that its owner can make for it: the equation holds for the neutral one.
    for count in range(8):
        low = ed_multiply(count, small)
        for name, spelling in ed_spellings(low):
            h = ed_hash(spelling, public, message)
            yield f"R of small order {count}{name}", message, ed_signature(spelling, h * a % L), False
    # An R with a part of small order holds only after multiplying by eight.
    k = rng.randrange(1, L)
    mixed = ed_encode(ed_add(ed_multiply(k, BASE), small))
    yield "R of mixed order", message, ed_signature(mixed, (k + ed_hash(mixed, public, message) * a) % L), False
    yield from lengths(message, good)
    yield from flips(message, good)


def ed_spellings(point):
    """The encodings that lenient decoders take for `point`, the right one first."""
    encoding = ed_encode(point)
    yield "", encoding
    if point[0] == 0:
        yield ", sign of zero", encoding[:31] + bytes([encoding[31] ^ 0x80])
    if point[1] < 19:
        above = (point[1] + Q | (point[0] & 1) << 255).to_bytes(32, "little")
        yield ", y above p", above
        yield ", y above p, sign turned", above[:31] + bytes([above[31] ^ 0x80])


def ed_groups():
    small = ed_order_eight()
    for _ in range(2):
        a = rng.randrange(1, L)
        public = ed_encode(ed_multiply(a, BASE))
        emit("Ed25519", "EdDSA", ed_jwk(public), ed_cases(a, public, rng.randbytes(40), small))
    # A key with a part of small order: where eight times the equation holds, the equation itself must.
    for count in range(1, 8):
        message = rng.randbytes(40)
        point = ed_add(ed_multiply(a, BASE), ed_multiply(count, small))
        public = ed_encode(point)
        cases = []
        while len(cases) < 8:
            signature = ed_sign(a, public, message := rng.randbytes(40))
            h = ed_hash(signature[:32], public, message)
            if h * count % 8:
                cases.append((f"key of mixed order {count}", message, signature, False))
        emit(f"Ed25519: key of mixed order {count}", "EdDSA", ed_jwk(public), cases)
    refused = {}
    for count in range(8):
        for name, spelling in ed_spellings(ed_multiply(count, small)):
            refused[f"small order {count}{name}"] = ed_jwk(spelling)
    for y in range(19):
        for sign in (0, 1):
            if ed_lift(y, sign):
                refused[f"y = p + {y}, sign {sign}"] = ed_jwk((y + Q | sign << 255).to_bytes(32, "little"))
    no_point = next(y for y in range(2, 100) if ed_lift(y, 0) is None)
    refused["no such y"] = ed_jwk(no_point.to_bytes(32, "little"))
    refused["31 bytes"] = ed_jwk(public[:31])
    refused["33 bytes"] = ed_jwk(public + b"\0")
    refused["Ed448"] = {"kty": "OKP", "crv": "Ed448", "x": b64(rng.randbytes(57))}
    refused["X25519"] = {"kty": "OKP", "crv": "X25519", "x": b64(public)}
    refused["EC"] = {**ed_jwk(public), "kty": "EC"}
    refused["alg"] = {**ed_jwk(public), "alg": "ES256"}
    for name, jwk in refused.items():
        emit("Ed25519 key: " + name, "EdDSA", jwk)


# MARK: HMAC (RFC 2104, RFC 7518 §3.2)

def hmac_cases(key, message):
    good = hmac.new(key, message, "sha256").digest()
    yield "as it should be", message, good, True
    yield "no message", b"", hmac.new(key, b"", "sha256").digest(), True
    for count in range(32):
        yield f"cut to {count} bytes", message, good[:count], False
    for digest in ("md5", "sha1", "sha224", "sha384", "sha512", "sha3_256"):
        code = hmac.new(key, message, digest).digest()
        yield digest, message, code, False
        yield f"{digest}, 32 bytes", message, code[:32].ljust(32, b"\0"), False
    yield "no key", message, hmac.new(b"", message, "sha256").digest(), False
    yield "digest without key", message, hashlib.sha256(message).digest(), False
    yield "digest of key and message", message, hashlib.sha256(key + message).digest(), False
    yield "key cut", message, hmac.new(key[:-1], message, "sha256").digest(), False
    yield "reversed", message, good[::-1], False
    yield "zeros", message, bytes(32), False
    yield "in hexadecimal", message, good.hex().encode(), False
    yield from lengths(message, good)
    yield from flips(message, good)


def hmac_groups():
    for size in (32, 33, 63, 64, 65, 128, 200):
        # HMAC fills keys up with zeros: one that ended in a zero would be the same when it is cut (RFC 2104 section 2).
        key = rng.randbytes(size - 1) + bytes([rng.randrange(1, 256)])
        emit(f"HMAC, key of {size} bytes", "HS256", {"kty": "oct", "k": b64(key)}, hmac_cases(key, rng.randbytes(40)))
    key = rng.randbytes(32)
    refused = {f"{size} bytes": {"kty": "oct", "k": b64(key[:size])} for size in (0, 1, 16, 31)}
    refused["HS512"] = {"kty": "oct", "k": b64(key), "alg": "HS512"}
    refused["none"] = {"kty": "oct", "k": b64(key), "alg": "none"}
    refused["padded base64"] = {"kty": "oct", "k": b64(key) + "="}
    refused["not text"] = {"kty": "oct", "k": list(key)}
    refused["sign alone"] = {"kty": "oct", "k": b64(key), "key_ops": ["sign"]}
    refused["enc"] = {"kty": "oct", "k": b64(key), "use": "enc"}
    for name, jwk in refused.items():
        emit("oct key: " + name, "HS256", jwk)


rsa_groups()
ec_groups()
ed_groups()
hmac_groups()
