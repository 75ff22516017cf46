import CryptoPrimitives

/// A random name for a user in the audit.
package struct Pseudonym: Sendable, Hashable {
    static let byteCount = 16

    /// The zero pseudonym, the subject of records that concern no single user.
    package static let zero = Pseudonym([UInt8](repeating: 0, count: byteCount))

    /// 16 bytes.
    package let bytes: [UInt8]

    /// Creates a random pseudonym.
    static func new() -> Pseudonym { Pseudonym(SecureRandom.bytes(byteCount)) }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a pseudonym from its bytes, or returns `nil` if they are not 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
