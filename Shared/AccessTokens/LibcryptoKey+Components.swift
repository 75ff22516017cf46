import COpenSSL

extension LibcryptoKey {
    /// Returns the public half of `key`.
    ///
    /// - Throws: `.unsupportedKey` unless it is RSA, P-256 or Ed25519.
    static func components(of key: OpaquePointer) throws(KeyError) -> PublicComponents {
        switch unsafe EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA:
            return unsafe .rsa(
                modulus: try number(OSSL_PKEY_PARAM_RSA_N, of: key, byteCount: nil),
                exponent: try number(OSSL_PKEY_PARAM_RSA_E, of: key, byteCount: nil))
        case EVP_PKEY_EC:
            guard unsafe isP256(key) else { throw .unsupportedKey }
            let byteCount = PublicComponents.coordinateByteCount
            return unsafe .p256(
                x: try number(OSSL_PKEY_PARAM_EC_PUB_X, of: key, byteCount: byteCount),
                y: try number(OSSL_PKEY_PARAM_EC_PUB_Y, of: key, byteCount: byteCount))
        case EVP_PKEY_ED25519:
            var point = [UInt8](repeating: 0, count: PublicComponents.coordinateByteCount)
            var count = point.count
            guard unsafe EVP_PKEY_get_raw_public_key(key, &point, &count) == 1, count == point.count else {
                throw .malformedKey
            }
            return .ed25519(point)
        default: throw .unsupportedKey
        }
    }

    private static func isP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 32)
        var length = 0
        guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1, length <= name.count else {
            clearErrors()
            return false
        }
        let group = name.prefix(length).map { UInt8(bitPattern: $0) }
        return group == Array("prime256v1".utf8)
    }

    /// Returns a number of the key, big-endian, padded to `byteCount` bytes or without leading zeros.
    private static func number(
        _ name: String, of key: OpaquePointer, byteCount: Int?
    ) throws(KeyError) -> [UInt8] {
        var value: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(key, name, &value) == 1, let value = unsafe value else {
            throw .malformedKey
        }
        defer { unsafe BN_free(value) }
        let needed = (Int(unsafe BN_num_bits(value)) + 7) / 8
        guard needed <= byteCount ?? needed else { throw .malformedKey }
        var bytes = [UInt8](repeating: 0, count: byteCount ?? needed)
        guard unsafe BN_bn2binpad(value, &bytes, Int32(clamping: bytes.count)) >= 0 else { throw .malformedKey }
        return bytes
    }
}

extension PublicComponents {
    /// rsaEncryption with NULL, id-ecPublicKey with prime256v1, id-Ed25519 (RFC 3279 §2.3, RFC 5480 §2.1, RFC 8410 §3).
    private var algorithmIdentifier: [UInt8] {
        switch self {
        case .rsa: [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00]
        case .p256:
            [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D]
                + [0x03, 0x01, 0x07]
        case .ed25519: [0x06, 0x03, 0x2B, 0x65, 0x70]
        }
    }

    /// SubjectPublicKeyInfo in DER.
    var subjectPublicKeyInfo: [UInt8] {
        let key: [UInt8] =
            switch self {
            case .rsa(let modulus, let exponent):
                DER.element(DER.sequenceTag, DER.integer(modulus) + DER.integer(exponent))
            case .p256(let x, let y): [0x04] + x + y
            case .ed25519(let point): point
            }
        return DER.element(
            DER.sequenceTag, DER.element(DER.sequenceTag, algorithmIdentifier) + DER.bitString(key))
    }
}
