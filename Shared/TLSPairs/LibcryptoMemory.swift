import COpenSSL

/// Memory that libcrypto reads and writes like a file (BIO_s_mem(3)).
package enum LibcryptoMemory {
    /// The maximum size of certificates and keys that are created here.
    private static let writtenBytesMax = 16_384

    /// Returns the result of `body`, which reads `bytes`; `nil` also if memory could not be allocated.
    package static func reading<Value>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Value?) -> Value? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let memory = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
                return nil
            }
            defer { unsafe BIO_free(memory) }
            return unsafe body(memory)
        }
    }

    /// Returns what `body` writes; `nil` if `body` returns `false`.
    package static func written(_ body: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe body(memory) else { return nil }
        var bytes = [UInt8](repeating: 0, count: writtenBytesMax)
        let count = unsafe BIO_read(memory, &bytes, Int32(writtenBytesMax))
        return count > 0 ? Array(bytes.prefix(Int(count))) : nil
    }
}
