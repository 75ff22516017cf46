extension VerificationKey {
    /// Whether `signature` is this key's signature of `message` in the form of WebAuthn (L3 §6.5.5): for ES256 strict DER, for
    /// other algorithms as in a JWS.
    ///
    /// A signature has one spelling: padded integers, long lengths and trailing bytes are refused.
    package func isValid(assertionSignature signature: [UInt8], for message: [UInt8]) -> Bool {
        guard algorithm == .ES256 else { return isValid(signature: signature, for: message) }
        guard let raw = ECDSASignature.raw(der: signature), ECDSASignature.der(raw: raw) == signature else {
            return false
        }
        return isValid(signature: raw, for: message)
    }
}
