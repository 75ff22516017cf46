/// Why a key cannot be created, read or used; contains nothing of the key.
package enum KeyError: Error, Equatable, CustomStringConvertible {
    /// The `kid` is not 1–128 characters of `A-Za-z0-9._-` (security guide R-07).
    case invalidKeyID
    case malformedKey
    /// The key's type, curve, `alg` or `use` is unsupported.
    case unsupportedKey
    /// The key's type does not match the algorithm.
    case wrongKeyType(SignatureAlgorithm)
    /// The key is too short, or has parameters that make it worthless (security guide R-24).
    case weakKey(String)
    case duplicateKeyID(String)
    case tooManyKeys(maximum: Int)
    /// An additional claim has a name that the signer reserves.
    case reservedClaim(String)
    /// The token would be longer than our verifiers accept.
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
