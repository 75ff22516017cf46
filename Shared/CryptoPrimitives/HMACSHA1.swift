/// HMAC with SHA-1 (RFC 2104), only because Twilio signs its callbacks with it (integration guide 1.3) and authenticator apps
/// compute one-time passwords with it (RFC 6238).
package enum HMACSHA1 {
    private static let blockByteCount = 64

    /// Returns the authentication code of `message`, 20 bytes.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let short = key.count > blockByteCount ? SHA1.hash(key) : key
        let block = short + repeatElement(0, count: blockByteCount - short.count)
        return SHA1.hash(block.map { $0 ^ 0x5C } + SHA1.hash(block.map { $0 ^ 0x36 } + message))
    }
}
