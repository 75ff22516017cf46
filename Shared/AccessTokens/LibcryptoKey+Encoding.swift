import COpenSSL

extension LibcryptoKey {
    /// The maximum size of an encoded key.
    static let encodedBytesMax = 16384

    /// Reads a private key in PKCS#8 DER (RFC 5958), without trailing bytes.
    convenience init(privateKeyDER bytes: [UInt8]) throws(KeyError) {
        guard bytes.count <= Self.encodedBytesMax, let pointer = unsafe Self.decodePrivateKey(bytes) else {
            Self.clearErrors()
            throw .malformedKey
        }
        unsafe try self.init(owning: pointer)
        try checkHalvesMatch()
    }

    /// Reads a private key in unencrypted PEM: PKCS#8, or the older RSA and EC forms.
    convenience init(privateKeyPEM text: String) throws(KeyError) {
        guard text.utf8.count <= Self.encodedBytesMax, let pointer = unsafe Self.decodePEM(text) else {
            Self.clearErrors()
            throw .malformedKey
        }
        unsafe try self.init(owning: pointer)
        try checkHalvesMatch()
    }

    /// Reads a public key in SubjectPublicKeyInfo DER (RFC 5280 §4.1).
    convenience init(publicKeyDER bytes: [UInt8]) throws(KeyError) {
        let pointer = unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            let key = unsafe d2i_PUBKEY(nil, &cursor, buffer.count)
            guard unsafe cursor == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
                unsafe EVP_PKEY_free(key)
                return nil
            }
            return unsafe key
        }
        guard let pointer = unsafe pointer else {
            Self.clearErrors()
            throw .malformedKey
        }
        unsafe try self.init(owning: pointer)
    }

    /// Returns the private key in PKCS#8 DER.
    func privateKeyDER() throws(KeyError) -> [UInt8] {
        guard let information = unsafe EVP_PKEY2PKCS8(pointer) else { throw .operationFailed }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(information) }
        let length = unsafe i2d_PKCS8_PRIV_KEY_INFO(information, nil)
        guard length > 0 else { throw .operationFailed }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var cursor = buffer.baseAddress
            return unsafe i2d_PKCS8_PRIV_KEY_INFO(information, &cursor)
        }
        guard written == length else { throw .operationFailed }
        return bytes
    }

    private static func decodePrivateKey(_ bytes: [UInt8]) -> OpaquePointer? {
        unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            guard let information = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &cursor, buffer.count) else { return nil }
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(information) }
            guard unsafe cursor == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else { return nil }
            return unsafe EVP_PKCS82PKEY(information)
        }
    }

    private static func decodePEM(_ text: String) -> OpaquePointer? {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            guard let memory = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else {
                return nil
            }
            defer { unsafe BIO_free(memory) }
            // Without this callback libcrypto would prompt for the password of an encrypted key at the terminal.
            return unsafe PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
        }
    }

    /// Checks that both halves belong together: otherwise every verifier would reject the key's tokens.
    private func checkHalvesMatch() throws(KeyError) {
        let probe = Array("latchkey key check".utf8)
        guard isValid(signature: try signature(of: probe), for: probe.span) else { throw .malformedKey }
    }
}
