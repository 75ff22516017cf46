internal import CryptoPrimitives

/// A session's public name, the token's `sid`; tells nothing of the row or the refresh token.
struct SessionID: Sendable, Hashable {
    static let byteCount = 12

    let bytes: [UInt8]
    var text: String { Hex.encode(bytes) }

    /// - Parameter bytes: nil comes back for another number than 12.
    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    init?(text: String) {
        guard let bytes = Hex.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// A new name.
    static func random() -> SessionID { SessionID(unchecked: SecureRandom.bytes(byteCount)) }
}
