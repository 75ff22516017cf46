internal import COpenSSL

/// HMAC with SHA-256 (RFC 2104) over libcrypto.
package enum HMACSHA256 {
    /// Bytes of an authentication code.
    package static let byteCount = 32

    /// The authentication code of `message` under `key`, 32 bytes.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        authenticate(message.span, key: key)
    }

    /// The authentication code of `message` under `key`, 32 bytes.
    package static func authenticate(_ message: Span<UInt8>, key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        // libcrypto reads an empty key through a null pointer as "reuse the last key": give it a real address.
        let keyBytes = key.isEmpty ? [0] : key
        var length: UInt32 = 0
        let result = unsafe message.withUnsafeBufferPointer { input in
            unsafe HMAC(
                LibcryptoDigest.sha256, keyBytes, Int32(clamping: key.count), input.baseAddress, input.count, &code,
                &length)
        }
        // Fails only without memory or without the algorithm. A code of zeros would let anybody in.
        guard unsafe result != nil, length == UInt32(byteCount) else { fatalError("libcrypto cannot compute HMAC") }
        return code
    }

    /// Whether `code` is the authentication code of `message` under `key`; takes the same time wherever they differ.
    package static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        isValid(code, for: message.span, key: key)
    }

    /// Whether `code` is the authentication code of `message` under `key`; takes the same time wherever they differ.
    package static func isValid(_ code: [UInt8], for message: Span<UInt8>, key: [UInt8]) -> Bool {
        constantTimeEqual(code, authenticate(message, key: key))
    }
}
