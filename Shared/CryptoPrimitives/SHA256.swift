/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// The size of a digest in bytes.
    package static let byteCount = 32

    /// Returns the SHA-256 digest of `message`, 32 bytes.
    package static func hash(_ message: [UInt8]) -> [UInt8] { hash(message.span) }

    /// Returns the SHA-256 digest of `message`, 32 bytes.
    package static func hash(_ message: Span<UInt8>) -> [UInt8] {
        var stream = SHA256Stream()
        stream.update(message)
        return stream.finish()
    }
}
