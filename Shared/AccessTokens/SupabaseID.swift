import CryptoPrimitives

/// The UUIDs by which clients of Supabase Auth know users, sessions and identities.
///
/// They are other spellings of our ids, so nothing is stored for them.
package enum SupabaseID {
    private static let byteCount = 16
    private static let sessionByteCount = 12
    /// The lengths of a UUID's groups of digits.
    private static let groups = [8, 4, 4, 4, 12]

    /// Returns the UUID of a user, or `nil` for an id that is not `prefix` and 32 lower-case digits.
    package static func uuid(ofUser id: String, prefix: String) -> String? {
        guard id.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = String(Substring(id.utf8.dropFirst(prefix.utf8.count)))
        guard let bytes = Hex.decode(digits), bytes.count == byteCount, Hex.encode(bytes) == digits else { return nil }
        return uuid(bytes)
    }

    /// Returns the user's id of a UUID in either case, or `nil` for any other text.
    package static func userID(_ uuid: String, prefix: String) -> String? {
        bytes(uuid).map { prefix + Hex.encode($0) }
    }

    /// Returns the UUID of a session: eight zeros, then the 24 digits of its `sid`. Returns `nil` for a `sid` of another form.
    package static func uuid(ofSession sid: String) -> String? {
        guard let bytes = Hex.decode(sid), bytes.count == sessionByteCount, Hex.encode(bytes) == sid else { return nil }
        return uuid([UInt8](repeating: 0, count: byteCount - sessionByteCount) + bytes)
    }

    /// Returns the `sid` of a session's UUID in either case, or `nil` for any other text.
    package static func sessionID(_ uuid: String) -> String? {
        guard let bytes = bytes(uuid), bytes.prefix(byteCount - sessionByteCount).allSatisfy({ $0 == 0 }) else {
            return nil
        }
        return Hex.encode(bytes.suffix(sessionByteCount))
    }

    /// Returns the UUID of a user's identity at a provider, of version 8 (RFC 9562 section 5.8).
    ///
    /// - Parameter user: the user's UUID.
    package static func uuid(ofIdentity provider: String, user: String) -> String {
        var bytes = Array(SHA256.hash(Array("latchkey identity \(user) \(provider)".utf8)).prefix(byteCount))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return uuid(bytes)
    }

    private static func uuid(_ bytes: [UInt8]) -> String {
        var digits = Hex.encode(bytes)[...]
        return groups.map { length in
            defer { digits = digits.dropFirst(length) }
            return String(digits.prefix(length))
        }.joined(separator: "-")
    }

    private static func bytes(_ uuid: String) -> [UInt8]? {
        let parts = uuid.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == groups ? Hex.decode(parts.joined()) : nil
    }
}
