import CryptoPrimitives

/// The form of user ids in the database: 16 bytes instead of the deployment's prefix and 32 digits.
package struct StoredUserID: Sendable {
    private static let uuidByteCount = 16
    private let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    /// Returns the stored form of a public id.
    package func value(_ userID: String) -> [UInt8] { own(userID) ?? Self.padded(Array(userID.utf8)) }

    /// Returns the stored form of an id of this deployment, or `nil` for any other text.
    package func own(_ userID: String) -> [UInt8]? {
        guard userID.hasPrefix(prefix), let bytes = Hex.decode(userID.dropFirst(prefix.count)),
            bytes.count == Self.uuidByteCount, prefix + Hex.encode(bytes) == userID
        else { return nil }
        return bytes
    }

    /// Returns the stored form of an id of another form: its text, with zeros up to more than 16 bytes.
    package static func padded(_ text: [UInt8]) -> [UInt8] {
        text + [UInt8](repeating: 0, count: max(0, uuidByteCount + 1 - text.count))
    }

    /// Returns the public id of a stored form.
    package func text(_ value: [UInt8]) -> String {
        guard value.count != Self.uuidByteCount else { return prefix + Hex.encode(value) }
        return String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
    }
}
