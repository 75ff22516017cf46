package import AccessTokens
import CryptoPrimitives
import FoundationEssentials

/// A published RSA key as HAProxy reads it: SubjectPublicKeyInfo in PEM (RFC 5280 section 4.1, RFC 8017 appendix A.1.1).
package enum RSAPublicKeyPEM {
    /// OBJECT IDENTIFIER rsaEncryption and NULL.
    private static let algorithm: [UInt8] = [
        0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
    ]

    /// - Returns: nil for a key that is none of RSA.
    package static func text(of key: JSONWebKey) -> String? {
        guard key.kty == "RSA", let modulus = key.n.flatMap({ Base64URL.decode($0) }),
            let exponent = key.e.flatMap({ Base64URL.decode($0) })
        else { return nil }
        let numbers = element(0x30, integer(modulus) + integer(exponent))
        let der = element(0x30, element(0x30, algorithm) + element(0x03, [0] + numbers))
        let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"
    }

    /// An unsigned number: a first byte from 0x80 on would make it negative.
    private static func integer(_ bytes: [UInt8]) -> [UInt8] {
        element(0x02, (bytes.first ?? 0) >= 0x80 ? [0] + bytes : bytes)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(truncatingIfNeeded: count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}
