import COpenSSL

extension LibcryptoKey {
    static let rsaBits: Int32 = 2048

    /// Generates a key pair: RSA with 2048 bits, P-256, or Ed25519.
    ///
    /// - Throws: `.wrongKeyType` for HS256, `.operationFailed`.
    static func generate(_ algorithm: SignatureAlgorithm) throws(KeyError) -> LibcryptoKey {
        let type =
            switch algorithm {
            case .RS256: "RSA"
            case .ES256: "EC"
            case .EdDSA: "ED25519"
            case .HS256: throw KeyError.wrongKeyType(.HS256)
            }
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, type, nil) else { throw .operationFailed }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var pointer: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe setParameters(context, algorithm),
            unsafe EVP_PKEY_generate(context, &pointer) == 1, let pointer = unsafe pointer
        else {
            clearErrors()
            throw .operationFailed
        }
        return unsafe try LibcryptoKey(owning: pointer)
    }

    private static func setParameters(_ context: OpaquePointer, _ algorithm: SignatureAlgorithm) -> Bool {
        switch algorithm {
        case .RS256: unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, rsaBits) == 1
        case .ES256: unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
        case .EdDSA: true
        case .HS256: false
        }
    }
}
