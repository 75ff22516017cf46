/// The numbers of a public key, big-endian and unsigned.
enum PublicComponents: Sendable, Equatable {
    case rsa(modulus: [UInt8], exponent: [UInt8])
    case p256(x: [UInt8], y: [UInt8])
    case ed25519([UInt8])

    static let rsaBitsMin = 2048
    /// With a larger key, verifying a signature takes milliseconds.
    static let rsaBitsMax = 8192
    static let exponentBytesMax = 8
    static let coordinateByteCount = 32

    var algorithm: SignatureAlgorithm {
        switch self {
        case .rsa: .RS256
        case .p256: .ES256
        case .ed25519: .EdDSA
        }
    }

    /// Throws for a key that gives no security (security guide R-24); libcrypto checks whether a point is on P-256.
    func checkStrength() throws(KeyError) {
        switch self {
        case .rsa(let modulus, let exponent): try Self.checkRSA(modulus, exponent)
        case .p256(let x, let y):
            guard x.count == Self.coordinateByteCount, y.count == Self.coordinateByteCount else { throw .malformedKey }
        case .ed25519(let point):
            guard point.count == Self.coordinateByteCount else { throw .malformedKey }
            guard !SmallOrderPoints.contains(point) else { throw .weakKey("a point of small order") }
            guard Ed25519Point.isCanonical(point), Ed25519Point.isOnCurve(point) else { throw .malformedKey }
        }
    }

    private static func checkRSA(_ modulus: [UInt8], _ exponent: [UInt8]) throws(KeyError) {
        let bits = bitCount(modulus)
        guard bits >= rsaBitsMin else { throw .weakKey("RSA with fewer than \(rsaBitsMin) bits") }
        guard bits <= rsaBitsMax else { throw .unsupportedKey }
        guard let last = modulus.last, last & 1 == 1 else { throw .weakKey("an even RSA modulus") }
        guard exponent.count <= exponentBytesMax else { throw .unsupportedKey }
        guard let low = exponent.last, low & 1 == 1, bitCount(exponent) > 1 else {
            throw .weakKey("an RSA exponent of 1 or even")
        }
        guard !ROCAFingerprint.isPresent(in: modulus) else {
            throw .weakKey("an RSA modulus with the fingerprint of CVE-2017-15361")
        }
    }

    private static func bitCount(_ magnitude: [UInt8]) -> Int {
        let digits = magnitude.drop { $0 == 0 }
        guard let first = digits.first else { return 0 }
        return digits.count * 8 - first.leadingZeroBitCount
    }
}
