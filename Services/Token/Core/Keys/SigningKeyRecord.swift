internal import AccessTokens
internal import InternalAPI

/// A signing key as it lies in the database.
struct SigningKeyRecord: Sendable, Equatable {
    let keyID: String
    let algorithm: SignatureAlgorithm
    var state: KeyState
    /// Unix time in seconds.
    var stateSince: Int64
    let createdAt: Int64
    /// The longest that a token of this key may be good for, under all policies that it has signed for; seconds.
    var tokenSeconds: Int64
    /// PKCS#8, sealed.
    let sealed: [UInt8]
}
