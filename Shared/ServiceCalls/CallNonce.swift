import CryptoPrimitives

/// What no two calls have in common: 6 bytes that name the calling process, drawn when it started, and 10 random ones.
///
/// By its process a caller whose clock is wrong is told from its replicas.
struct CallNonce: Sendable, Hashable {
    static let byteCount = 16
    private static let processByteCount = 6
    private static let thisProcess = SecureRandom.bytes(processByteCount)

    /// 16 bytes.
    let bytes: [UInt8]

    /// A fresh one of this process.
    init() { bytes = Self.thisProcess + SecureRandom.bytes(Self.byteCount - Self.processByteCount) }

    /// nil unless there are 16 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The process that made it.
    var process: UInt64 { BigEndian.number(bytes.prefix(Self.processByteCount)) }
}
