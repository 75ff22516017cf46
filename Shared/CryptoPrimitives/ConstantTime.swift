import COpenSSL

/// Whether two byte strings are equal; the time depends only on their lengths.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe left.withUnsafeBufferPointer { leftBuffer in
        unsafe right.withUnsafeBufferPointer { rightBuffer in
            unsafe CRYPTO_memcmp(leftBuffer.baseAddress, rightBuffer.baseAddress, left.count) == 0
        }
    }
}
