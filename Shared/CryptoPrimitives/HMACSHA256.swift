/// HMAC with SHA-256 (RFC 2104) under one key.
///
/// The two blocks that depend on the key alone are digested once: with messages as short as ours they are half the work.
package struct HMACSHA256: Sendable {
    /// Bytes of an authentication code.
    package static let byteCount = SHA256.byteCount
    private static let blockByteCount = 64

    private let keyed: KeyedDigests

    package init(key: [UInt8]) {
        let key = key.count > Self.blockByteCount ? SHA256.hash(key) : key
        keyed = KeyedDigests(
            inner: Self.block(key, padding: 0x36),
            outer: Self.block(key, padding: 0x5C))
    }

    /// The authentication code of `message`, 32 bytes.
    package func authenticate(_ message: [UInt8]) -> [UInt8] { authenticate(message.span) }

    /// The authentication code of `message`, 32 bytes.
    package func authenticate(_ message: Span<UInt8>) -> [UInt8] {
        var inner = SHA256Stream(from: keyed.inner)
        inner.update(message)
        var outer = SHA256Stream(from: keyed.outer)
        outer.update(inner.finish().span)
        return outer.finish()
    }

    /// Whether `code` is the authentication code of `message`; takes the same time wherever they differ.
    package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool { isValid(code, for: message.span) }

    /// Whether `code` is the authentication code of `message`; takes the same time wherever they differ.
    package func isValid(_ code: [UInt8], for message: Span<UInt8>) -> Bool {
        constantTimeEqual(code, authenticate(message))
    }

    /// The key as one block, each byte changed by `padding`.
    private static func block(_ key: [UInt8], padding: UInt8) -> [UInt8] {
        (key + repeatElement(0, count: blockByteCount - key.count)).map { $0 ^ padding }
    }
}

/// Two digests that have begun with one key; both are only copied from.
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
