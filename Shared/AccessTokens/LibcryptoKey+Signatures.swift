import COpenSSL
import CryptoPrimitives

extension LibcryptoKey {
    /// Returns the JWS signature of `message`, made with the private half.
    func signature(of message: [UInt8]) throws(KeyError) -> [UInt8] {
        var length = max(0, Int(unsafe EVP_PKEY_get_size(pointer)))
        var bytes = [UInt8](repeating: 0, count: length)
        guard sign(message, &bytes, &length) else {
            Self.clearErrors()
            throw .operationFailed
        }
        bytes.removeLast(bytes.count - min(length, bytes.count))
        guard components.algorithm == .ES256 else { return bytes }
        guard let raw = ECDSASignature.raw(der: bytes) else { throw .operationFailed }
        return raw
    }

    /// RSA signs as RSASSA-PKCS1-v1_5, libcrypto's default. Ed25519 signs the message itself, the others its SHA-256.
    private func sign(_ message: [UInt8], _ signature: inout [UInt8], _ length: inout Int) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        let digest = unsafe components.algorithm == .EdDSA ? nil : EVP_sha256()
        return unsafe EVP_DigestSignInit(context, nil, digest, nil, pointer) == 1
            && EVP_DigestSign(context, &signature, &length, message, message.count) == 1
    }

    /// Whether `signature`, in its JWS form, is a signature of `message`.
    func isValid(signature: [UInt8], for message: Span<UInt8>) -> Bool {
        let isTrue =
            switch components.algorithm {
            case .RS256: isDigestSigned(signature, message)
            case .ES256: ECDSASignature.der(raw: signature).map { isDigestSigned($0, message) } ?? false
            case .EdDSA: Ed25519Signature.isAcceptable(signature) && isEd25519(signature, message)
            case .HS256: false
            }
        if !isTrue { Self.clearErrors() }
        return isTrue
    }

    private func isDigestSigned(_ signature: [UInt8], _ message: Span<UInt8>) -> Bool {
        let digest = SHA256.hash(message)
        return unsafe verification.withContext { context in
            unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
        }
    }

    private func isEd25519(_ signature: [UInt8], _ message: Span<UInt8>) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        return unsafe message.withUnsafeBufferPointer { input in
            unsafe EVP_DigestVerifyInit(context, nil, nil, nil, pointer) == 1
                && EVP_DigestVerify(context, signature, signature.count, input.baseAddress, input.count) == 1
        }
    }
}
