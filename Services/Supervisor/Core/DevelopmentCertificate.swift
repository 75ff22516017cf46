import COpenSSL
import CryptoPrimitives
import Glibc
import TLSPairs

/// A certificate for development, made by libcrypto.
struct DevelopmentCertificate {
    /// The identifiers of extensions in libcrypto, with values as openssl's configuration files write them (x509v3_config(5)).
    typealias Extension = (id: Int32, value: String)

    let subject: String
    let lifetimeSeconds: Int
    let extensions: [Extension]

    /// The validity begins this long ago, because clocks of devices may be behind.
    private static let beginsBeforeSeconds = 3600
    private static let serialBytes = 16

    /// Creates the certificate of `key` (PEM), signed by `issuer`, or by the key itself.
    ///
    /// - Returns: PEM.
    func text(
        of key: [UInt8], signedBy issuer: (certificate: [UInt8], key: [UInt8])? = nil
    ) throws(StartFailure) -> [UInt8] {
        guard let own = unsafe Self.key(key), let certificate = unsafe X509_new() else { throw Self.failure() }
        defer {
            unsafe EVP_PKEY_free(own)
            unsafe X509_free(certificate)
        }
        guard unsafe fill(certificate, key: own) else { throw Self.failure() }
        guard let issuer else {
            guard unsafe sign(certificate, issuer: certificate, key: own) else { throw Self.failure() }
            return unsafe try Self.text(of: certificate)
        }
        guard let issuerKey = unsafe Self.key(issuer.key),
            let issuerCertificate = unsafe Self.certificate(issuer.certificate)
        else { throw Self.failure() }
        defer {
            unsafe EVP_PKEY_free(issuerKey)
            unsafe X509_free(issuerCertificate)
        }
        guard unsafe sign(certificate, issuer: issuerCertificate, key: issuerKey) else { throw Self.failure() }
        return unsafe try Self.text(of: certificate)
    }

    /// Whether the certificate (PEM) can be read, belongs to the key (PEM), and is still valid in `seconds`.
    static func isValid(_ certificate: [UInt8], of key: [UInt8], inSeconds seconds: Int) -> Bool {
        guard let certificate = unsafe Self.certificate(certificate) else { return false }
        defer { unsafe X509_free(certificate) }
        guard let key = unsafe Self.key(key) else { return false }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe X509_check_private_key(certificate, key) == 1 else {
            ERR_clear_error()
            return false
        }
        var moment = time(nil) + time_t(seconds)
        return unsafe X509_cmp_time(X509_get0_notAfter(certificate), &moment) == 1
    }

    private func fill(_ certificate: OpaquePointer, key: OpaquePointer) -> Bool {
        let serial = [0x40] + SecureRandom.bytes(Self.serialBytes)
        guard let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil) else { return false }
        defer { unsafe BN_free(number) }
        let name = Array(subject.utf8)
        guard unsafe X509_set_version(certificate, 2) == 1,
            unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
            unsafe X509_gmtime_adj(X509_getm_notBefore(certificate), -Self.beginsBeforeSeconds) != nil,
            unsafe X509_gmtime_adj(X509_getm_notAfter(certificate), lifetimeSeconds) != nil,
            unsafe X509_set_pubkey(certificate, key) == 1
        else { return false }
        return unsafe X509_NAME_add_entry_by_txt(
            X509_get_subject_name(certificate), "CN", MBSTRING_FLAG, name, Int32(name.count), -1, 0) == 1
    }

    private func sign(_ certificate: OpaquePointer, issuer: OpaquePointer, key: OpaquePointer) -> Bool {
        guard unsafe X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1 else { return false }
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        for (id, value) in extensions {
            guard let made = unsafe X509V3_EXT_conf_nid(nil, &context, id, value) else { return false }
            defer { unsafe X509_EXTENSION_free(made) }
            guard unsafe X509_add_ext(certificate, made, -1) == 1 else { return false }
        }
        return unsafe X509_sign(certificate, key, EVP_sha256()) > 0
    }

    // MARK: Texts

    private static func key(_ text: [UInt8]) -> OpaquePointer? {
        unsafe LibcryptoMemory.reading(text) { unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    }

    private static func certificate(_ text: [UInt8]) -> OpaquePointer? {
        unsafe LibcryptoMemory.reading(text) { unsafe PEM_read_bio_X509($0, nil, { _, _, _, _ in -1 }, nil) }
    }

    private static func text(of certificate: OpaquePointer) throws(StartFailure) -> [UInt8] {
        let text = unsafe LibcryptoMemory.written { unsafe PEM_write_bio_X509($0, certificate) == 1 }
        guard let text else { throw failure() }
        return text
    }

    private static func failure() -> StartFailure {
        ERR_clear_error()
        return StartFailure("libcrypto made no certificate for development")
    }
}
