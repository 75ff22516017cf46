import CryptoPrimitives

/// A nonce that no two calls share: 6 bytes that identify the calling process, drawn when it started, and 10 random ones.
///
/// The process bytes tell a caller with a wrong clock from its replicas.
struct CallNonce: Sendable, Hashable {
    static let byteCount = 16
    private static let processByteCount = 6
    private static let thisProcess = SecureRandom.bytes(processByteCount)

    /// 16 bytes.
    let bytes: [UInt8]

    /// Creates a new nonce of this process.
    init() { bytes = Self.thisProcess + SecureRandom.bytes(Self.byteCount - Self.processByteCount) }

    /// Creates a nonce from 16 bytes, or returns `nil` for another length.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The process that created it.
    var process: UInt64 { BigEndian.number(bytes.prefix(Self.processByteCount)) }
}
