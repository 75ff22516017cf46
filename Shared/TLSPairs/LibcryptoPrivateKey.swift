import COpenSSL

/// What is read of a private key: its public half.
struct LibcryptoPrivateKey {
    /// Files larger than this hold no key.
    static let fileBytesMax = 64 * 1024

    /// SubjectPublicKeyInfo in DER.
    let publicKey: [UInt8]

    /// Reads the one key of a PEM file; one that is encrypted is refused, for nobody is there to type its password.
    init(pem: [UInt8], file: String = "the key") throws(TLSPairProblem) {
        guard pem.count <= Self.fileBytesMax, PEMText.isWhole(pem, label: "PRIVATE KEY"),
            let key = unsafe Self.read(pem)
        else { throw .malformed(file: file) }
        defer { unsafe EVP_PKEY_free(key) }
        publicKey = unsafe LibcryptoBytes.written { unsafe i2d_PUBKEY(key, $0) }
        guard !publicKey.isEmpty else { throw .malformed(file: file) }
    }

    private static func read(_ pem: [UInt8]) -> OpaquePointer? {
        let key = unsafe LibcryptoMemory.reading(pem) {
            // Without a callback of ours libcrypto would ask at the terminal for the password of an encrypted key.
            unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil)
        }
        ERR_clear_error()
        return unsafe key
    }
}

/// Bytes that libcrypto writes in two calls: the first says how many.
enum LibcryptoBytes {
    /// - Parameter write: writes to where its argument points and moves that on, or only counts when it is nil.
    static func written(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8] {
        let count = Int(write(nil))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return Int(unsafe write(&cursor))
        }
        return written == count ? bytes : []
    }
}
