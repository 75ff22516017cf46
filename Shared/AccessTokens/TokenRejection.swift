/// Why a token is refused; the raw value is a metric's label and is never sent to a client.
package enum TokenRejection: String, Error, Sendable, CaseIterable {
    /// The token is not three base64url parts, not strict JSON, or has a header member of the wrong type.
    case malformed
    case tooLarge
    /// `alg` is unsupported, e.g. `none`.
    case unsupportedAlgorithm
    /// `alg` is not the algorithm of the key that `kid` identifies.
    case algorithmMismatch
    /// The `kid` is missing, or not 1–128 characters of `A-Za-z0-9._-`: no reason to fetch new keys.
    case invalidKeyID
    /// The `kid` is well-formed but unknown: the keys may have changed.
    case unknownKey
    /// The header has `crit` or `b64`: extensions are not supported.
    case critical
    case wrongType
    case badSignature
    /// A required claim is missing.
    case missingClaim
    /// A claim has the wrong type or form.
    case invalidClaim
    case expired
    /// `nbf` or `iat` is more than 60 s in the future.
    case notYetValid
    case wrongIssuer
    case wrongAudience
}
