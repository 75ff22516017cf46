internal import AccessTokens

/// A signing key as it lies in the database.
struct SigningKeyRecord: Sendable {
    /// The stages of a key's life, in this order (design section 5).
    enum State: String, Sendable {
        /// In the key set for at least one cache lifetime, before it signs.
        case published
        case signing
        /// Signs no more; stays in the key set until its last token has expired.
        case retiring
        case gone
    }

    let keyID: String
    let algorithm: SignatureAlgorithm
    let state: State
    /// Unix time in seconds.
    let stateSince: Int64
    let createdAt: Int64
    /// PKCS#8, sealed.
    let sealed: [UInt8]
}
