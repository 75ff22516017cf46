import COpenSSL

/// Generates private keys for certificates.
package enum NewTLSKey {
    /// libcrypto could not generate a key.
    package struct Failure: Error, CustomStringConvertible {
        package let description = "libcrypto made no key"
    }

    /// Returns a new P-256 key as the text of its file: PKCS#8 in PEM, not encrypted.
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
        let text = unsafe LibcryptoMemory.written {
            unsafe PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) == 1
        }
        guard let text else { throw Failure() }
        return text
    }
}
