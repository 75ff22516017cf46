import COpenSSL
import CryptoPrimitives
import Glibc

/// A certificate that Latchkey makes itself, with libcrypto: of an authority, or of a server.
package struct NewCertificate {
    /// libcrypto could not make the certificate.
    package struct Failure: Error, CustomStringConvertible {
        package let description = "libcrypto made no certificate"
    }

    /// The identifiers of extensions in libcrypto, with values as openssl's configuration files write them (x509v3_config(5)).
    private typealias Extension = (id: Int32, value: String)

    private let subject: String
    private let lifetimeSeconds: Int
    private let extensions: [Extension]

    /// The validity begins this long ago, because clocks of devices may be behind.
    private static let beginsBeforeSeconds = 3600
    private static let serialBytes = 16

    /// An authority, which certifies servers and no other authorities.
    ///
    /// - Parameter names: The only host names for which it may vouch (RFC 5280 section 4.2.1.10); if empty, it may for all.
    package static func authority(
        _ subject: String, lifetimeSeconds: Int, onlyFor names: [String] = []
    ) -> NewCertificate {
        let permitted = names.map { "permitted;DNS:\($0)" }.joined(separator: ",")
        return NewCertificate(
            subject: subject, lifetimeSeconds: lifetimeSeconds,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ] + (names.isEmpty ? [] : [(NID_name_constraints, "critical," + permitted)]))
    }

    /// The certificate of a server.
    ///
    /// - Parameter names: Its host names and IP addresses, such as `DNS:localhost,IP:127.0.0.1`.
    package static func server(_ subject: String, names: String, lifetimeSeconds: Int) -> NewCertificate {
        NewCertificate(
            subject: subject, lifetimeSeconds: lifetimeSeconds,
            extensions: [
                (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
                (NID_authority_key_identifier, "keyid"), (NID_subject_alt_name, names),
            ])
    }

    /// The certificate that answers a TLS-ALPN-01 challenge for a host (RFC 8737 section 3). Its own key signs it.
    ///
    /// - Parameter digest: The SHA-256 of the key authorization.
    package static func challenge(host: String, digest: [UInt8]) -> NewCertificate {
        NewCertificate(
            subject: "ACME challenge", lifetimeSeconds: challengeSeconds,
            extensions: [
                (NID_subject_alt_name, "DNS:\(host)"),
                (acmeIdentifier, "critical,DER:0420" + Hex.encode(digest)),
            ])
    }

    private static let challengeSeconds = 86_400

    /// The identifier of id-pe-acmeIdentifier, which libcrypto does not know by itself.
    private static let acmeIdentifier: Int32 = {
        let number = "1.3.6.1.5.5.7.1.31"
        let known = unsafe OBJ_txt2nid(number)
        return known != NID_undef ? known : unsafe OBJ_create(number, "id-pe-acmeIdentifier", "ACME Identifier")
    }()

    /// Creates the certificate of `key` (PEM), signed by `issuer`, or by the key itself.
    ///
    /// - Returns: PEM.
    package func text(
        of key: [UInt8], signedBy issuer: (certificate: [UInt8], key: [UInt8])? = nil
    ) throws(Failure) -> [UInt8] {
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
    package static func isValid(_ certificate: [UInt8], of key: [UInt8], inSeconds seconds: Int) -> Bool {
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

    /// Whether a certificate (PEM) was signed by the key of another one; `false` if one of them cannot be read.
    package static func isSigned(_ certificate: [UInt8], by issuer: [UInt8]) -> Bool {
        do throws(TLSPairProblem) {
            let leaf = try LibcryptoCertificate.chain(pem: certificate, file: "").first
            let authority = try LibcryptoCertificate.chain(pem: issuer, file: "").first
            guard let leaf, let authority else { return false }
            return leaf.isSigned(by: authority)
        } catch { return false }
    }

    /// Returns the last Unix second in which the certificate (PEM) is valid.
    package static func notAfter(of certificate: [UInt8], file: String) throws(TLSPairProblem) -> Int64 {
        try LibcryptoCertificate.chain(pem: certificate, file: file).map(\.notAfter).min() ?? .min
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

    static func key(_ text: [UInt8]) -> OpaquePointer? {
        unsafe LibcryptoMemory.reading(text) { unsafe PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    }

    private static func certificate(_ text: [UInt8]) -> OpaquePointer? {
        unsafe LibcryptoMemory.reading(text) { unsafe PEM_read_bio_X509($0, nil, { _, _, _, _ in -1 }, nil) }
    }

    private static func text(of certificate: OpaquePointer) throws(Failure) -> [UInt8] {
        let text = unsafe LibcryptoMemory.written { unsafe PEM_write_bio_X509($0, certificate) == 1 }
        guard let text else { throw failure() }
        return text
    }

    static func failure() -> Failure {
        ERR_clear_error()
        return Failure()
    }
}
