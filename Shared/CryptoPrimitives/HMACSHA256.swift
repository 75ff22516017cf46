/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// Bytes of an authentication code.
    package static let byteCount = SHA256.byteCount
    private static let blockByteCount = 64

    /// The authentication code of `message` under `key`, 32 bytes.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        authenticate(message.span, key: key)
    }

    /// The authentication code of `message` under `key`, 32 bytes.
    package static func authenticate(_ message: Span<UInt8>, key: [UInt8]) -> [UInt8] {
        let key = key.count > blockByteCount ? SHA256.hash(key) : key
        var inner = SHA256Stream()
        inner.update(padded(key, with: 0x36).span)
        inner.update(message)
        var outer = SHA256Stream()
        outer.update(padded(key, with: 0x5C).span)
        outer.update(inner.finish().span)
        return outer.finish()
    }

    /// Whether `code` is the authentication code of `message` under `key`; takes the same time wherever they differ.
    package static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        isValid(code, for: message.span, key: key)
    }

    /// Whether `code` is the authentication code of `message` under `key`; takes the same time wherever they differ.
    package static func isValid(_ code: [UInt8], for message: Span<UInt8>, key: [UInt8]) -> Bool {
        constantTimeEqual(code, authenticate(message, key: key))
    }

    /// The key as one block, each byte changed by `pad`.
    private static func padded(_ key: [UInt8], with pad: UInt8) -> InlineArray<64, UInt8> {
        var block = InlineArray<64, UInt8>(repeating: pad)
        for index in key.indices { block[index] ^= key[index] }
        return block
    }
}
