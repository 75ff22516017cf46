import CryptoPrimitives

/// The secret of a user's authenticator app, which computes one-time passwords from it and the time (RFC 6238): SHA-1, six
/// digits, a new one every 30 seconds.
struct TOTP: Sendable {
    /// RFC 4226 R6 recommends 160 bits.
    static let secretByteCount = 20
    private static let stepSeconds: Int64 = 30
    /// RFC 4648 §6.
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    let secret: [UInt8]

    /// Returns a new random secret.
    static func random() -> TOTP { TOTP(secret: SecureRandom.bytes(secretByteCount)) }

    /// The secret for people who type it.
    var text: String { Base32.encode(secret, alphabet: Self.alphabet) }

    /// Returns the `otpauth` URI that authenticator apps read, mostly as a QR code.
    ///
    /// - Parameters:
    ///   - issuer: The name of the product.
    ///   - account: The user's phone number or email address.
    func uri(issuer: String, account: String) -> String {
        // A colon separates the two, also when it is encoded.
        let label = [issuer, account].map { $0.filter { $0 != ":" }.uriEncoded }.joined(separator: ":")
        return "otpauth://totp/\(label)?secret=\(text)&issuer=\(issuer.filter { $0 != ":" }.uriEncoded)"
    }

    /// Returns the time step that `code` belongs to, or `nil` if the code is wrong or was accepted before: the current step, the
    /// previous or the next one, for clocks that differ and people who type slowly.
    ///
    /// All three codes are compared, so that the time tells nothing.
    /// - Parameters:
    ///   - lastStep: The step of the last accepted code. The caller stores the new one in the transaction that read it.
    ///   - now: Unix time in seconds.
    func step(of code: String, after lastStep: Int64?, now: Int64) -> Int64? {
        let presented = Array(code.utf8)
        var accepted: Int64?
        for step in (now / Self.stepSeconds - 1)...(now / Self.stepSeconds + 1) {
            guard let expected = self.code(at: step) else { return nil }
            if constantTimeEqual(presented, Array(expected.utf8)), lastStep.map({ step > $0 }) ?? true {
                accepted = step
            }
        }
        return accepted
    }

    /// Returns the code of a step (RFC 4226 §5.3); `nil` if libcrypto does not offer SHA-1.
    func code(at step: Int64) -> String? {
        let tag = HMACSHA1.authenticate(BigEndian.bytes(UInt64(bitPattern: step), count: 8), key: secret)
        guard tag.count == 20, let offset = tag.last.map({ Int($0 & 0x0F) }) else { return nil }
        let number = BigEndian.number(tag[offset..<offset + 4]) & 0x7FFF_FFFF
        // The leading one keeps leading zeros.
        return String(String(1_000_000 + number % 1_000_000).dropFirst())
    }
}

/// The limits on guesses at a second factor. A guess is counted before it is compared.
enum SecondFactorGuesses {
    /// After so many wrong guesses in a row, only a recovery code is accepted.
    static let totpMax = 100
    private static let freeMax = 5
    private static let firstWaitSeconds: Int64 = 30
    private static let waitSecondsMax: Int64 = 3_600

    /// Returns how many seconds after its last guess an account with so many wrong ones in a row has to wait.
    static func waitSeconds(afterWrong count: Int) -> Int64 {
        guard count >= freeMax else { return 0 }
        return min(firstWaitSeconds << Int64(min(count - freeMax, 7)), waitSecondsMax)
    }
}

extension String {
    /// The text with everything but the unreserved characters of RFC 3986 §2.3 encoded; a space is `%20`, since apps show a plus.
    fileprivate var uriEncoded: String {
        utf8.map { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + Hex.encode([byte]).uppercased()
            }
        }.joined()
    }
}
