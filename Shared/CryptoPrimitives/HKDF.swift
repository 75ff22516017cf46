/// HKDF with SHA-256 (RFC 5869): derives keys for different uses from one secret.
package enum HKDF {
    /// Derives `byteCount` bytes (at most 8,160) from `secret` for the use that `info` identifies.
    package static func derive(from secret: [UInt8], salt: [UInt8] = [], info: String, byteCount: Int = 32) -> [UInt8] {
        derive(from: secret, salt: salt, info: Array(info.utf8), byteCount: byteCount)
    }

    /// Derives `byteCount` bytes (at most 8,160) from `secret` for the use that `info` identifies.
    package static func derive(from secret: [UInt8], salt: [UInt8], info: [UInt8], byteCount: Int) -> [UInt8] {
        let zeroSalt = [UInt8](repeating: 0, count: HMACSHA256.byteCount)
        let pseudorandomKey = HMACSHA256(key: salt.isEmpty ? zeroSalt : salt).authenticate(secret)
        let hmac = HMACSHA256(key: pseudorandomKey)
        var output: [UInt8] = []
        var block: [UInt8] = []
        for counter in UInt8(1)...255 where output.count < byteCount {
            block = hmac.authenticate(block + info + [counter])
            output += block
        }
        return Array(output.prefix(byteCount))
    }
}
