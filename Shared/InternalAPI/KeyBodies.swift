/// Times for publishing keys.
package enum KeyPublication {
    /// The minimum time in milliseconds for which a key is published before it signs, even if it is to sign at once. A key
    /// set that was fetched later than this before a token arrived contains the token's key.
    package static let settleMilliseconds: Int64 = 500
}

/// The stages of a signing key's life, in this order (design section 5).
package enum KeyState: String, Codable, Sendable, CaseIterable {
    /// In the key set for at least one cache lifetime, before the key signs.
    case published
    case signing
    /// No longer signs; stays in the key set until its last token has expired.
    case retiring
    case gone
}

/// A signing key as the operator sees it; times are Unix seconds.
package struct KeyFacts: Codable, Sendable, Equatable {
    package var kid: String
    package var algorithm: String
    package var state: KeyState
    /// When the key reached its state; `nil` for secrets from the file `jwt_hs256`, which have no times.
    package var stateSince: Int64?
    package var createdAt: Int64?
    /// When the schedule moves the key to its next state; `nil` if no change is due.
    package var nextStateAt: Int64?

    package init(
        kid: String, algorithm: String, state: KeyState, stateSince: Int64? = nil, createdAt: Int64? = nil,
        nextStateAt: Int64? = nil
    ) {
        self.kid = kid
        self.algorithm = algorithm
        self.state = state
        self.stateSince = stateSince
        self.createdAt = createdAt
        self.nextStateAt = nextStateAt
    }
}

/// All keys that still exist, and the algorithms for which the policy's profiles need one.
package struct KeyList: Codable, Sendable, Equatable {
    package var algorithms: [String]
    package var keys: [KeyFacts]

    package init(algorithms: [String], keys: [KeyFacts]) {
        self.algorithms = algorithms
        self.keys = keys
    }
}

/// Starts an early rotation of one algorithm's key.
package struct RotateKeyRequest: Codable, Sendable, Equatable {
    /// The `kid` of the new key, chosen by the caller so that a repeated request creates no second key.
    package var kid: String
    package var algorithm: String
    /// Whether the key signs at once instead of after the lead time.
    package var now: Bool

    package init(kid: String, algorithm: String, now: Bool) {
        self.kid = kid
        self.algorithm = algorithm
        self.now = now
    }
}

/// Retires a key at once: every token that it signed is refused.
package struct RetireKeyRequest: Codable, Sendable, Equatable {
    package var kid: String

    package init(kid: String) { self.kid = kid }
}

/// Imports a private key, which is published now and signs after the lead time.
package struct ImportKeyRequest: Codable, Sendable, Equatable {
    package var kid: String
    package var algorithm: String
    /// The unencrypted key: PKCS#8, or the older RSA and EC forms.
    package var pem: String

    package init(kid: String, algorithm: String, pem: String) {
        self.kid = kid
        self.algorithm = algorithm
        self.pem = pem
    }
}
