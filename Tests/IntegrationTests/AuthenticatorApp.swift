import CryptoPrimitives
import FoundationEssentials

/// An authenticator app (RFC 6238), written anew for the tests.
enum AuthenticatorApp {
    /// The code of a secret in base32.
    ///
    /// - Parameter offset: the step, from the current one.
    static func code(_ secret: String, step offset: Int64 = 0) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, bits, count): ([UInt8], UInt64, Int) = ([], 0, 0)
        for digit in secret {
            bits = (bits << 5 | UInt64(alphabet.firstIndex(of: digit) ?? 0)) & 0xFFFF
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
        }
        let step = Int64(Date().timeIntervalSince1970) / 30 + offset
        let tag = HMACSHA1.authenticate(BigEndian.bytes(UInt64(bitPattern: step), count: 8), key: bytes)
        let start = Int((tag.last ?? 0) & 0x0F)
        let number = BigEndian.number(tag[start..<start + 4]) & 0x7FFF_FFFF
        return String(String(1_000_000 + number % 1_000_000).dropFirst())
    }
}
