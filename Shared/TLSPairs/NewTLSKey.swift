import COpenSSL

/// Makes private keys for certificates.
package enum NewTLSKey {
    /// libcrypto could not make one.
    package struct Failure: Error, CustomStringConvertible {
        package let description = "libcrypto made no key"
    }

    private static let textBytesMax = 4096

    /// A new P-256 key as the text of its file: PKCS#8 in PEM, not encrypted.
    package static func pem() throws(Failure) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw Failure() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
            unsafe EVP_PKEY_generate(context, &key) == 1, let key = unsafe key
        else {
            ERR_clear_error()
            throw Failure()
        }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe try text(of: key)
    }

    private static func text(of key: OpaquePointer) throws(Failure) -> [UInt8] {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { throw Failure() }
        defer { unsafe BIO_free(memory) }
        guard unsafe PEM_write_bio_PKCS8PrivateKey(memory, key, nil, nil, 0, nil, nil) == 1 else { throw Failure() }
        var bytes = [UInt8](repeating: 0, count: textBytesMax)
        let count = unsafe BIO_read(memory, &bytes, Int32(textBytesMax))
        guard count > 0 else { throw Failure() }
        return Array(bytes.prefix(Int(count)))
    }
}
