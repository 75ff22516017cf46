import StrictJSON

/// Recognises texts and bytes that are public keys: anyone can know them, so they must not be HMAC secrets (security guide
///
enum PublicKeyForm {
    private static let prefixes = ["-----BEGIN ", "ssh-", "ecdsa-sha2-"].map { Array($0.utf8) }

    /// Whether `bytes` are a key in PEM, OpenSSH, DER or JWK form.
    static func isRecognized(_ bytes: [UInt8]) -> Bool {
        let text = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return prefixes.contains { text.starts(with: $0) } || isSubjectPublicKeyInfo(bytes) || isJWK(bytes)
    }

    private static func isSubjectPublicKeyInfo(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try LibcryptoKey(publicKeyDER: bytes)
            return true
        } catch {
            // A weak or unsupported key is a public key too.
            return error != .malformedKey
        }
    }

    private static func isJWK(_ bytes: [UInt8]) -> Bool {
        let limits = StrictJSON.Limits(bytesMax: JSONWebKey.textBytesMax, depthMax: TokenLimits.depthMax)
        do { return try StrictJSON.parse(bytes, limits: limits)["kty"] != nil } catch { return false }
    }
}
