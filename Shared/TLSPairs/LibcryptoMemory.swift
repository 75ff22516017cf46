import COpenSSL

/// Bytes that libcrypto reads and writes as if they were a file (BIO_s_mem(3)).
package enum LibcryptoMemory {
    /// No certificate and no key that is made here is longer.
    private static let writtenBytesMax = 16_384

    /// What `body` makes of `bytes`, which it reads; nil also when there is no memory for it.
    package static func reading<Value>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Value?) -> Value? {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let memory = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
                return nil
            }
            defer { unsafe BIO_free(memory) }
            return unsafe body(memory)
        }
    }

    /// What `body` writes; nil when it says that it could not.
    package static func written(_ body: (OpaquePointer) -> Bool) -> [UInt8]? {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        guard unsafe body(memory) else { return nil }
        var bytes = [UInt8](repeating: 0, count: writtenBytesMax)
        let count = unsafe BIO_read(memory, &bytes, Int32(writtenBytesMax))
        return count > 0 ? Array(bytes.prefix(Int(count))) : nil
    }
}
