/// Why a token is refused; the raw value is a metric's label, never a client's answer.
package enum TokenRejection: String, Error, Sendable, CaseIterable {
    /// Not three base64url parts, not strict JSON, or a header member of the wrong type.
    case malformed
    case tooLarge
    /// `alg` names no algorithm of ours; `none` is one of these.
    case unsupportedAlgorithm
    /// `alg` is not the one algorithm of the key that `kid` names.
    case algorithmMismatch
    /// No `kid`, or not 1–128 characters of `A-Za-z0-9._-`: no reason to look for new keys.
    case invalidKeyID
    /// A well-formed `kid` that we do not know: the keys may have changed.
    case unknownKey
    /// `crit` or `b64`: we understand no extension.
    case critical
    case wrongType
    case badSignature
    /// A claim that must be there is not.
    case missingClaim
    /// A claim has another type or form than ours have.
    case invalidClaim
    case expired
    /// `nbf` or `iat` lies more than 60 s ahead.
    case notYetValid
    case wrongIssuer
    case wrongAudience
}
