/// HMAC with SHA-256 (RFC 2104) under one key.
///
/// The two blocks that depend on the key alone are digested once: with messages as short as ours they are half the work.
package struct HMACSHA256: Sendable {
    /// Bytes of an authentication code.
    package static let byteCount = SHA256.byteCount
    private static let blockByteCount = 64

    private let inner: SHA256Stream
    private let outer: SHA256Stream

    package init(key: [UInt8]) {
        let key = key.count > Self.blockByteCount ? SHA256.hash(key) : key
        inner = Self.stream(key, padding: 0x36)
        outer = Self.stream(key, padding: 0x5C)
    }

    /// The authentication code of `message`, 32 bytes.
    package func authenticate(_ message: [UInt8]) -> [UInt8] { authenticate(message.span) }

    /// The authentication code of `message`, 32 bytes.
    package func authenticate(_ message: Span<UInt8>) -> [UInt8] {
        var inner = inner
        inner.update(message)
        var outer = outer
        outer.update(inner.digest().span)
        return outer.finish()
    }

    /// Whether `code` is the authentication code of `message`; takes the same time wherever they differ.
    package func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool { isValid(code, for: message.span) }

    /// Whether `code` is the authentication code of `message`; takes the same time wherever they differ.
    package func isValid(_ code: [UInt8], for message: Span<UInt8>) -> Bool {
        constantTimeEqual(code, authenticate(message))
    }

    /// A digest that has begun with the key as one block, each byte changed by `padding`.
    private static func stream(_ key: [UInt8], padding: UInt8) -> SHA256Stream {
        var block = InlineArray<64, UInt8>(repeating: padding)
        for index in key.indices { block[index] ^= key[index] }
        var stream = SHA256Stream()
        stream.update(block.span)
        return stream
    }
}
