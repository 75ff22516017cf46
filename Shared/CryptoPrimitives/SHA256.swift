/// SHA-256 (FIPS 180-4).
package enum SHA256 {
    /// Bytes of a digest.
    package static let byteCount = 32

    /// The SHA-256 digest of `message`, 32 bytes.
    package static func hash(_ message: [UInt8]) -> [UInt8] { hash(message.span) }

    /// The SHA-256 digest of `message`, 32 bytes.
    package static func hash(_ message: Span<UInt8>) -> [UInt8] {
        var stream = SHA256Stream()
        stream.update(message)
        return stream.finish()
    }
}
