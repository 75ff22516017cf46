package import AccessTokens
package import InternalAPI

/// A signing key as it is stored.
package struct SigningKeyRecord: Sendable, Equatable {
    package let keyID: String
    package let algorithm: SignatureAlgorithm
    package var state: KeyState
    /// The time at which it entered the state, in Unix seconds.
    package var stateSince: Int64
    package let createdAt: Int64
    /// The longest lifetime of a token of this key, in seconds, under all policies that it has signed for.
    package var tokenSeconds: Int64
    /// The key in PKCS#8, sealed.
    package let sealed: [UInt8]

    package init(
        keyID: String, algorithm: SignatureAlgorithm, state: KeyState, stateSince: Int64, createdAt: Int64,
        tokenSeconds: Int64, sealed: [UInt8]
    ) {
        self.keyID = keyID
        self.algorithm = algorithm
        self.state = state
        self.stateSince = stateSince
        self.createdAt = createdAt
        self.tokenSeconds = tokenSeconds
        self.sealed = sealed
    }
}
