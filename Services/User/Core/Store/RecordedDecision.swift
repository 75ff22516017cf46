package import InternalAPI

/// A security decision about a user, an invitation or a client.
package struct RecordedDecision: Sendable, Equatable {
    package let sequence: Int64
    /// Unix time in seconds.
    package let at: Int64
    package let kind: SecurityDecision.Kind
    package let subject: UserID
    package let detail: String?

    package init(sequence: Int64, at: Int64, kind: SecurityDecision.Kind, subject: UserID, detail: String?) {
        self.sequence = sequence
        self.at = at
        self.kind = kind
        self.subject = subject
        self.detail = detail
    }
}

/// An identity that a user was given after the moment to which a restore went back.
package struct RestoredIdentity: Sendable, Equatable {
    package let user: UserID
    /// Unix time in seconds since which the user had it.
    package let since: Int64
    /// The identity, as `IdentitySeal` sealed it.
    package let sealed: String

    package init(user: UserID, since: Int64, sealed: String) {
        (self.user, self.since, self.sealed) = (user, since, sealed)
    }
}

extension SecurityDecision {
    init(_ decision: RecordedDecision, userIDPrefix: String) {
        self.init(
            sequence: decision.sequence, at: decision.at, kind: decision.kind,
            id: decision.subject.text(prefix: userIDPrefix), detail: decision.detail)
    }
}
