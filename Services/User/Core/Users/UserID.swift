import CryptoPrimitives
import ServiceKit

/// A user's id: a UUIDv7 (RFC 9562 §5.7), never assigned twice, in order of creation.
package struct UserID: Codable, Sendable, Hashable {
    package static let byteCount = 16

    /// 16 bytes.
    package let bytes: [UInt8]

    /// Creates an id from its bytes, or returns `nil` if they are not 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Creates a new id with the current time.
    static func new() -> UserID { UserID(milliseconds: UnixTime.milliseconds(), random: SecureRandom.bytes) }

    /// Creates an id with a time.
    ///
    /// - Parameters:
    ///   - milliseconds: Unix time in milliseconds.
    ///   - random: returns the requested number of random bytes.
    init(milliseconds: Int64, random: (Int) -> [UInt8]) {
        let stamp = BigEndian.bytes(UInt64(clamping: milliseconds), count: 6)
        let tail = random(10)
        bytes = (stamp + tail).enumerated().map { index, byte in
            switch index {
            case 6: 0x70 | byte & 0x0F
            case 8: 0x80 | byte & 0x3F
            default: byte
            }
        }
    }

    /// The public form, e.g. `usr_` and 32 hexadecimal digits.
    package func text(prefix: String) -> String { prefix + Hex.encode(bytes) }

    /// Reads the public form, which has lower-case digits, or returns `nil` if the text is no user id.
    package init?(text: String, prefix: String) {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard let bytes = Hex.decode(digits), Hex.encode(bytes) == digits else { return nil }
        self.init(bytes: bytes)
    }
}
