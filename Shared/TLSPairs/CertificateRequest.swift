import COpenSSL

/// A request for a certificate (RFC 2986), by which an authority learns the key and the host names.
package enum CertificateRequest {
    /// Creates a request for `names` and signs it with `key` (PEM).
    ///
    /// - Returns: DER.
    package static func der(names: [String], key: [UInt8]) throws(NewCertificate.Failure) -> [UInt8] {
        guard let key = unsafe NewCertificate.key(key), let request = unsafe X509_REQ_new() else {
            throw NewCertificate.failure()
        }
        defer {
            unsafe EVP_PKEY_free(key)
            unsafe X509_REQ_free(request)
        }
        guard unsafe X509_REQ_set_version(request, 0) == 1, unsafe X509_REQ_set_pubkey(request, key) == 1,
            unsafe add(names, to: request), unsafe X509_REQ_sign(request, key, EVP_sha256()) > 0
        else { throw NewCertificate.failure() }
        let bytes = unsafe LibcryptoBytes.written { unsafe i2d_X509_REQ(request, $0) }
        guard !bytes.isEmpty else { throw NewCertificate.failure() }
        return bytes
    }

    /// Adds the names as its only extension. Authorities no longer read the subject.
    private static func add(_ names: [String], to request: OpaquePointer) -> Bool {
        let value = names.map { "DNS:\($0)" }.joined(separator: ",")
        guard let list = unsafe OPENSSL_sk_new_null() else { return false }
        defer { unsafe OPENSSL_sk_free(list) }
        guard let made = unsafe X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, value) else { return false }
        defer { unsafe X509_EXTENSION_free(made) }
        return unsafe OPENSSL_sk_push(list, UnsafeRawPointer(made)) == 1
            && X509_REQ_add_extensions(request, list) == 1
    }
}
