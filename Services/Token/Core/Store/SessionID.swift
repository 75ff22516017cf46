import CryptoPrimitives

/// A session's public id, the token's `sid`. It reveals nothing about the refresh token, and about the row only when it was made.
///
/// It begins with the second of the sign-in. Ids that are made at the same time are adjacent in the index, and a commit writes few
/// of its pages. So everyone who sees one (the app's API, a client that introspects) knows when the session began.
package struct SessionID: Sendable, Hashable {
    package static let byteCount = 12

    package let bytes: [UInt8]
    package var text: String { Hex.encode(bytes) }

    /// Creates the id from 12 bytes, or returns `nil` for another number of bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    package init?(text: String) {
        guard let bytes = Hex.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// Makes a new id: the time in four bytes, big-endian, and eight random ones.
    ///
    /// - Parameter now: Unix time in seconds.
    static func new(at now: Int64) -> SessionID {
        let time = BigEndian.bytes(UInt64(clamping: now), count: 4)
        return SessionID(unchecked: time + SecureRandom.bytes(byteCount - time.count))
    }
}
