import COpenSSL
import Glibc

/// A certificate in libcrypto's form; all calls into libcrypto for it are here.
@safe final class LibcryptoCertificate {
    /// The maximum size of a file with a chain.
    static let fileBytesMax = 256 * 1024

    /// The certificate in DER.
    let bytes: [UInt8]
    /// The SubjectPublicKeyInfo in DER.
    let publicKey: [UInt8]
    let notBefore: Int64
    let notAfter: Int64
    /// Host names in lower case, and IP addresses. Only those of the extension, since clients no longer read the subject.
    let names: [String]
    private let certificate: OpaquePointer

    /// Reads the certificates of a PEM file in order; other text between them is skipped.
    static func chain(pem: [UInt8], file: String) throws(TLSPairProblem) -> [LibcryptoCertificate] {
        guard pem.count <= fileBytesMax else { throw .malformed(file: file) }
        // A file that is still being written has no end mark.
        guard PEMText.isWhole(pem, label: "CERTIFICATE") else { throw .malformed(file: file) }
        let chain = unsafe LibcryptoMemory.reading(pem) { unsafe certificates(in: $0) } ?? []
        // libcrypto reports the end of the file as an error.
        ERR_clear_error()
        let isWhole = chain.count == PEMText.count(pem, label: "CERTIFICATE") && chain.allSatisfy(\.isReadable)
        guard !chain.isEmpty, isWhole, chain.count <= TLSPair.chainLengthMax else { throw .malformed(file: file) }
        return chain
    }

    private static func certificates(in memory: OpaquePointer) -> [LibcryptoCertificate] {
        var chain: [LibcryptoCertificate] = []
        while chain.count <= TLSPair.chainLengthMax,
            let next = unsafe PEM_read_bio_X509(memory, nil, { _, _, _, _ in -1 }, nil)
        {
            unsafe chain.append(LibcryptoCertificate(owning: next))
        }
        return chain
    }

    private init(owning pointer: OpaquePointer) {
        unsafe certificate = pointer
        bytes = unsafe LibcryptoBytes.written { unsafe i2d_X509(pointer, $0) }
        publicKey = unsafe LibcryptoBytes.written { unsafe i2d_PUBKEY(X509_get0_pubkey(pointer), $0) }
        notBefore = unsafe Self.seconds(X509_get0_notBefore(pointer)) ?? .max
        notAfter = unsafe Self.seconds(X509_get0_notAfter(pointer)) ?? .min
        names = unsafe SubjectNames.read(of: pointer)
    }

    deinit { unsafe X509_free(certificate) }

    private var isReadable: Bool { !bytes.isEmpty && !publicKey.isEmpty && notBefore < .max && notAfter > .min }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        var parts = unsafe tm()
        guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
        return unsafe Int64(timegm(&parts))
    }

    /// Whether `issuer` has signed the certificate.
    func isSigned(by issuer: LibcryptoCertificate) -> Bool {
        let isGood = unsafe X509_verify(certificate, X509_get0_pubkey(issuer.certificate)) == 1
        ERR_clear_error()
        return isGood
    }

    /// Refuses keys and signatures that are too weak.
    ///
    /// - Parameter isLeaf: Whether the key is the server's own, which must be on a curve that all clients support.
    func judgeStrength(isLeaf: Bool) throws(TLSPairProblem) {
        guard let key = unsafe X509_get0_pubkey(certificate) else {
            throw .unsupportedKey("unsupported kind of key; supported: RSA, and EC on P-256 or P-384")
        }
        let bits = Int(unsafe EVP_PKEY_get_bits(key))
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            guard bits >= KeyStrength.rsaBitsMin else { throw .weak("an RSA key of \(bits) bits") }
        } else if unsafe EVP_PKEY_is_a(key, "EC") == 1 {
            let curves = isLeaf ? KeyStrength.leafCurves : KeyStrength.curves
            let curve = unsafe Self.curve(of: key)
            guard curves.contains(curve) else {
                // 224 bits or fewer can be too weak; longer curves are strong, but some clients do not support them.
                guard bits >= KeyStrength.curveBitsMin else { throw .weak("an EC key of \(bits) bits") }
                let name = curve == "secp521r1" ? "P-521" : curve
                throw .unsupportedKey("unsupported curve \(name); supported: P-256, P-384")
            }
        } else {
            throw .unsupportedKey("unsupported kind of key; supported: RSA, and EC on P-256 or P-384")
        }
        // Clients do not check a root's own signature.
        guard !isLeaf && isSigned(by: self) || hasStrongDigest else { throw .weak("a signature by SHA-1 or MD5") }
    }

    private static func curve(of key: OpaquePointer) -> String {
        var name = [CChar](repeating: 0, count: 64)
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private var hasStrongDigest: Bool {
        var digest: Int32 = 0
        guard unsafe OBJ_find_sigid_algs(X509_get_signature_nid(certificate), &digest, nil) == 1 else { return false }
        return ![NID_md2, NID_md4, NID_md5, NID_sha1, NID_md5_sha1].contains(digest)
    }
}

/// The minimum strength of keys (NIST SP 800-57, CA/Browser Forum baseline requirements 6.1.5).
enum KeyStrength {
    static let rsaBitsMin = 2048
    static let curveBitsMin = 256
    /// P-256 and P-384; browsers do not support P-521, nor less common curves.
    static let leafCurves: Set = ["prime256v1", "secp384r1"]
    static let curves = leafCurves.union(["secp521r1"])
}
