import CryptoPrimitives
import Foundation

/// An authenticator app, as one that a user has besides passkeys.
package enum AuthenticatorApp {
    /// The current step of time.
    package static var step: Int64 { Int64(Date().timeIntervalSince1970) / 30 }

    /// The code of an authenticator app (RFC 6238).
    package static func code(_ secret: String, step offset: Int64 = 0) -> String { code(secret, at: step + offset) }

    /// The code of a step of time.
    package static func code(_ secret: String, at step: Int64) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, bits, count): ([UInt8], UInt64, Int) = ([], 0, 0)
        for digit in secret {
            bits = (bits << 5 | UInt64(alphabet.firstIndex(of: digit) ?? 0)) & 0xFFFF
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
        }
        let tag = HMACSHA1.authenticate(BigEndian.bytes(UInt64(bitPattern: step), count: 8), key: bytes)
        let start = Int((tag.last ?? 0) & 0x0F)
        let number = BigEndian.number(tag[start..<start + 4]) & 0x7FFF_FFFF
        return String(String(1_000_000 + number % 1_000_000).dropFirst())
    }
}
