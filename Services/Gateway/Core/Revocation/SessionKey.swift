internal import CryptoPrimitives

/// A `sid` as the list of revocations holds it: 12 bytes in place, where its text would be an allocation of its own.
///
/// The `sid`s that token-service makes are 24 hexadecimal digits and stand for themselves, any other by its hash. Nobody
/// can choose one: only verified tokens and token-service's own entries come here.
struct SessionKey: Hashable, Sendable {
    private static let byteCount = 12

    private let high: UInt64
    private let low: UInt32

    init(_ sid: String) {
        let bytes = Self.bytes(sid)
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func bytes(_ sid: String) -> ArraySlice<UInt8> {
        if let bytes = Hex.decode(sid), bytes.count == byteCount, Hex.encode(bytes) == sid { return bytes[...] }
        return SHA256.hash(Array(sid.utf8)).prefix(byteCount)
    }
}
