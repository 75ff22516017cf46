import CryptoPrimitives

/// A JWS in compact form (RFC 7515 §3.1), split into its parts; trust none of them before `payload(verifiedWith:)`.
///
/// This type does not interpret claims: it handles access tokens, identity tokens and third-party test vectors.
package struct CompactJWS: Sendable {
    package let header: JWSHeader
    private let token: [UInt8]
    /// `header.payload`, the signed bytes.
    private let signedRange: Range<Int>
    private let payloadRange: Range<Int>

    /// Splits `token` after checking its size; parses the header, but not the payload.
    ///
    /// - Parameters:
    ///   - acceptsEd25519Name: Whether `alg: Ed25519` (RFC 9864) counts as `EdDSA`.
    ///   - acceptsNulls: Whether a `kid` or `typ` that is `null` counts as missing, for other issuers' tokens.
    package init(
        _ token: [UInt8], acceptsEd25519Name: Bool = false, acceptsNulls: Bool = false
    ) throws(TokenRejection) {
        guard token.count <= TokenLimits.tokenBytesMax else { throw .tooLarge }
        let dot = UInt8(ascii: ".")
        // Looks for a third dot and stops there: a token of only dots is not split.
        guard let first = token.firstIndex(of: dot), let second = token[(first + 1)...].firstIndex(of: dot),
            !token[(second + 1)...].contains(dot)
        else { throw .malformed }
        guard first <= (TokenLimits.headerBytesMax * 4 + 2) / 3 else { throw .tooLarge }
        guard first > 0, let json = Base64URL.decode(token.span.extracting(0..<first)) else { throw .malformed }
        header = try JWSHeader(json, acceptsEd25519Name: acceptsEd25519Name, acceptsNulls: acceptsNulls)
        self.token = token
        signedRange = 0..<second
        payloadRange = first + 1..<second
    }

    /// `header.payload`, the bytes that are signed.
    package var signingInput: ArraySlice<UInt8> { token[signedRange] }

    /// Returns the payload without verifying anything. It may only select whose key verifies the token.
    ///
    /// - Throws: `.malformed` for a payload that is not BASE64URL.
    package func unverifiedPayload() throws(TokenRejection) -> [UInt8] {
        guard let payload = Base64URL.decode(token.span.extracting(payloadRange)) else { throw .malformed }
        return payload
    }

    /// Returns the payload after verifying the signature with `key`.
    ///
    /// - Throws: `.algorithmMismatch` if the header's `alg` is not the key's own, `.badSignature`, `.malformed`.
    package func payload(verifiedWith key: VerificationKey) throws(TokenRejection) -> [UInt8] {
        guard header.algorithm == key.algorithm else { throw .algorithmMismatch }
        guard let signature = Base64URL.decode(token.span.extracting(signedRange.upperBound + 1..<token.count))
        else { throw .malformed }
        guard key.isValid(signature: signature, for: token.span.extracting(signedRange)) else { throw .badSignature }
        return try unverifiedPayload()
    }
}
