import CryptoPrimitives

/// A random name for a user in the audit.
package struct Pseudonym: Sendable, Hashable {
    static let byteCount = 16

    /// Stands in records that are about no single person.
    package static let nobody = Pseudonym([UInt8](repeating: 0, count: byteCount))

    /// 16 bytes.
    package let bytes: [UInt8]

    /// A new one.
    static func new() -> Pseudonym { Pseudonym(SecureRandom.bytes(byteCount)) }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The one whose bytes are `bytes`; nil unless they are 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
