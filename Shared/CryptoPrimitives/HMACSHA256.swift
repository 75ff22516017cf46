/// HMAC with SHA-256 (RFC 2104) under one key.
///
/// The two blocks that depend only on the key are digested once: for messages as short as ours they are half of the work.
package struct HMACSHA256: Sendable {
    /// The size of an authentication code in bytes.
    package static let byteCount = SHA256.byteCount
    private static let blockByteCount = 64

    private let keyed: KeyedDigests

    package init(key: [UInt8]) {
        let key = key.count > Self.blockByteCount ? SHA256.hash(key) : key
        keyed = KeyedDigests(
            inner: Self.block(key, padding: 0x36),
            outer: Self.block(key, padding: 0x5C))
    }

    /// Returns the authentication code of `message`, 32 bytes.
    package func authenticate(_ message: [UInt8]) -> [UInt8] { authenticate(message.span) }

    /// Returns the authentication code of `message`, 32 bytes.
    package func authenticate(_ message: Span<UInt8>) -> [UInt8] {
        var inner = SHA256Stream(from: keyed.inner)
        inner.update(message)
        var outer = SHA256Stream(from: keyed.outer)
        outer.update(inner.finish().span)
        return outer.finish()
    }

    /// Whether `code` is the authentication code of `message`, compared in constant time.
    package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool { isValid(code, for: message.span) }

    /// Whether `code` is the authentication code of `message`, compared in constant time.
    package func isValid(_ code: [UInt8], for message: Span<UInt8>) -> Bool {
        constantTimeEqual(code, authenticate(message))
    }

    /// Returns the key as one block, each byte combined with `padding`.
    private static func block(_ key: [UInt8], padding: UInt8) -> [UInt8] {
        (key + repeatElement(0, count: blockByteCount - key.count)).map { $0 ^ padding }
    }
}

/// Two digests that have processed the key; they are only copied from.
private final class KeyedDigests: @unchecked Sendable {
    let inner: SHA256Stream
    let outer: SHA256Stream

    init(inner: [UInt8], outer: [UInt8]) {
        self.inner = SHA256Stream(beginningWith: inner)
        self.outer = SHA256Stream(beginningWith: outer)
    }
}

extension SHA256Stream {
    fileprivate init(beginningWith block: [UInt8]) {
        self.init()
        update(block.span)
    }
}
