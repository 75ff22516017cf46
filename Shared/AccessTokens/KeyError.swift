/// Why a key cannot be made, read or used; carries nothing of the key.
package enum KeyError: Error, Equatable, CustomStringConvertible {
    /// 1–128 characters of `A-Za-z0-9._-` (security guide R-07).
    case invalidKeyID
    case malformedKey
    /// The key's type, curve, `alg` or `use` is not one of ours.
    case unsupportedKey
    /// The key is of another type than the algorithm's.
    case wrongKeyType(SignatureAlgorithm)
    /// Too short, or with parameters that make it worthless (security guide R-24).
    case weakKey(String)
    case duplicateKeyID(String)
    case tooManyKeys(maximum: Int)
    /// A claim of this name is written by the signer itself.
    case reservedClaim(String)
    /// The token would be longer than any verifier of ours accepts.
    case tokenTooLarge
    /// libcrypto refused to generate, export or sign.
    case operationFailed

    package var description: String {
        switch self {
        case .invalidKeyID: "the kid is not 1 to 128 characters of A-Z a-z 0-9 . _ -"
        case .malformedKey: "the key does not parse or its parts do not belong together"
        case .unsupportedKey: "the key's type, curve, alg or use is not supported"
        case .wrongKeyType(let algorithm): "the key is not of the type that \(algorithm.rawValue) needs"
        case .weakKey(let reason): "the key is too weak: \(reason)"
        case .duplicateKeyID(let id): "two keys have the kid \(id)"
        case .tooManyKeys(let maximum): "there are more than \(maximum) keys"
        case .reservedClaim(let name): "the claim \(name) is written by the signer"
        case .tokenTooLarge: "the token would be longer than \(TokenLimits.tokenBytesMax) bytes"
        case .operationFailed: "the operation with the key failed"
        }
    }
}
