/// How the published keys spread.
package enum KeyPublication {
    /// How long a key is published at least before it signs, even when it is to sign at once: a set that was fetched
    /// later than this before a token came holds the token's key.
    package static let settleMilliseconds: Int64 = 250
}

/// The stages of a signing key's life, in this order (design section 5).
package enum KeyState: String, Codable, Sendable, CaseIterable {
    /// In the key set for at least one cache lifetime, before it signs.
    case published
    case signing
    /// Signs no more; stays in the key set until its last token has expired.
    case retiring
    case gone
}

/// What an operator sees of a signing key; times are Unix seconds.
package struct KeyFacts: Codable, Sendable, Equatable {
    package var kid: String
    package var algorithm: String
    package var state: KeyState
    /// Nil for secrets out of the file `jwt_hs256`, which have no times.
    package var stateSince: Int64?
    package var createdAt: Int64?
    /// When the schedule brings the next state; nil when nothing is due.
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

/// All keys that are not gone, and the algorithms for which the policy's profiles need one.
package struct KeyList: Codable, Sendable, Equatable {
    package var algorithms: [String]
    package var keys: [KeyFacts]

    package init(algorithms: [String], keys: [KeyFacts]) {
        self.algorithms = algorithms
        self.keys = keys
    }
}

/// Begins an early rotation of one algorithm's key.
package struct RotateKeyRequest: Codable, Sendable, Equatable {
    /// Of the new key; chosen by the caller, so that a repeated request makes no second one.
    package var kid: String
    package var algorithm: String
    /// Signs at once instead of after the lead time.
    package var now: Bool

    package init(kid: String, algorithm: String, now: Bool) {
        self.kid = kid
        self.algorithm = algorithm
        self.now = now
    }
}

/// Ends a key at once: whatever it signed is refused.
package struct RetireKeyRequest: Codable, Sendable, Equatable {
    package var kid: String

    package init(kid: String) { self.kid = kid }
}

/// Brings a private key from elsewhere, to be published now and to sign after the lead time.
package struct ImportKeyRequest: Codable, Sendable, Equatable {
    package var kid: String
    package var algorithm: String
    /// Unencrypted: PKCS#8, or the older RSA and EC forms.
    package var pem: String

    package init(kid: String, algorithm: String, pem: String) {
        self.kid = kid
        self.algorithm = algorithm
        self.pem = pem
    }
}
