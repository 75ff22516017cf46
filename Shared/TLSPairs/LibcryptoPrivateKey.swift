import COpenSSL

/// The public half of a private key, the only part of it that is read.
struct LibcryptoPrivateKey {
    /// The maximum size of a key file.
    static let fileBytesMax = 64 * 1024

    /// The SubjectPublicKeyInfo in DER.
    let publicKey: [UInt8]

    /// Reads the only key of a PEM file. An encrypted key is refused, since a server cannot enter its password.
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
            // Without this callback libcrypto would prompt for the password of an encrypted key at the terminal.
            unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil)
        }
        ERR_clear_error()
        return unsafe key
    }
}

/// Reads bytes that libcrypto writes in two calls: the first one returns the size.
enum LibcryptoBytes {
    /// - Parameter write: Writes to the address in its argument and advances that, or only returns the size if the argument
    ///   is `nil`.
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
