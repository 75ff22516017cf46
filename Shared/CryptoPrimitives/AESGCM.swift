import COpenSSL

/// AES-256-GCM (NIST SP 800-38D): encrypts and authenticates data on disk.
package enum AESGCM {
    /// The size of a key in bytes.
    package static let keyByteCount = 32
    private static let byteCountMax = 1 << 30
    private static let nonceByteCount = 12
    private static let tagByteCount = 16
    /// Fetched once, since `EVP_aes_256_gcm()` searches the providers again on each call.
    ///
    /// Safe to share: an EVP_CIPHER is immutable once fetched, and this one is never freed.
    private nonisolated(unsafe) static let algorithm: OpaquePointer? = unsafe EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

    /// Returns `nonce ‖ ciphertext ‖ tag` of `plaintext` under a new random nonce; `nil` unless `key` has 32 bytes and each
    /// text at most 1 GiB.
    ///
    /// - Parameter context: Identifies what the sealed bytes belong to (a table and row); opening needs the same.
    package static func seal(_ plaintext: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8]? {
        // libcrypto counts in Int32: a longer text would be sealed only in part.
        guard key.count == keyByteCount, plaintext.count <= byteCountMax, context.count <= byteCountMax,
            let cipher = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        let nonce = SecureRandom.bytes(nonceByteCount)
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: tagByteCount)
        var written: Int32 = 0
        guard unsafe EVP_EncryptInit_ex(cipher, algorithm, nil, key, nonce) == 1,
            unsafe EVP_EncryptUpdate(cipher, nil, &written, context, Int32(clamping: context.count)) == 1,
            unsafe EVP_EncryptUpdate(cipher, &ciphertext, &written, plaintext, Int32(clamping: plaintext.count)) == 1,
            unsafe EVP_EncryptFinal_ex(cipher, &tag, &written) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, Int32(tagByteCount), &tag) == 1
        else { return nil }
        return nonce + ciphertext + tag
    }

    /// Returns the plaintext of a result of `seal`; `nil` for another key, another context or an altered byte.
    package static func open(_ sealed: [UInt8], key: [UInt8], context: [UInt8]) -> [UInt8]? {
        guard key.count == keyByteCount, sealed.count >= nonceByteCount + tagByteCount,
            sealed.count <= byteCountMax, context.count <= byteCountMax,
            let cipher = unsafe EVP_CIPHER_CTX_new()
        else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(cipher) }
        let nonce = Array(sealed.prefix(nonceByteCount))
        let ciphertext = Array(sealed.dropFirst(nonceByteCount).dropLast(tagByteCount))
        var tag = Array(sealed.suffix(tagByteCount))
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
        var written: Int32 = 0
        guard unsafe EVP_DecryptInit_ex(cipher, algorithm, nil, key, nonce) == 1,
            unsafe EVP_DecryptUpdate(cipher, nil, &written, context, Int32(clamping: context.count)) == 1,
            unsafe EVP_DecryptUpdate(cipher, &plaintext, &written, ciphertext, Int32(clamping: ciphertext.count)) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_SET_TAG, Int32(tagByteCount), &tag) == 1,
            unsafe EVP_DecryptFinal_ex(cipher, &tag, &written) == 1
        else { return nil }
        return plaintext
    }
}
