/// A random name for a user in the audit.
package struct Pseudonym: Sendable, Hashable {
    static let byteCount = 16

    /// Stands in records that are about no single person.
    package static let nobody = Pseudonym { [UInt8](repeating: 0, count: $0) }

    /// 16 bytes.
    package let bytes: [UInt8]

    /// A new one.
    init(random: (Int) -> [UInt8]) { bytes = random(Self.byteCount) }

    /// The one whose bytes are `bytes`; nil unless they are 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
