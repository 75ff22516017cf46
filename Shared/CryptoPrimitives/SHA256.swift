internal import COpenSSL

/// SHA-256 (FIPS 180-4) over libcrypto.
package enum SHA256 {
    /// Bytes of a digest.
    package static let byteCount = 32

    /// The SHA-256 digest of `message`, 32 bytes.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        unsafe message.withUnsafeBufferPointer { input in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                _ = unsafe COpenSSL.SHA256(input.baseAddress, input.count, output.baseAddress)
            }
        }
        return digest
    }
}
