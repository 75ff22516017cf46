package import InternalAPI

/// The revocations that a gateway has in memory, as a value. The feed changes it, and requests read it.
struct RevocationList: Sendable {
    private var sessions = ExpiringTable<RevocationReason>()
    /// The lowest `ver` that is accepted for each session.
    private var versions = ExpiringTable<Int64>()
    /// The time until which each signing key is revoked, in Unix seconds. There is one for each emergency.
    private var keys: [String: Int64] = [:]

    /// The number of entries.
    var count: Int { sessions.count + keys.count + versions.count }

    /// Applies one revocation; applying it again changes nothing.
    mutating func apply(_ revocation: Revocation) {
        switch revocation.subject {
        case .session(let sid):
            sessions.set(SessionKey(sid), revocation.reason, until: revocation.until) { known, _ in known }
        case .version(let sid, let version): versions.set(SessionKey(sid), version, until: revocation.until, merge: max)
        case .key(let kid): keys[kid] = max(keys[kid] ?? 0, revocation.until)
        }
    }

    /// Returns the reason for which a token is refused, or `nil` if it is not.
    func refusal(of token: TokenIdentity) -> RevocationReason? {
        if let reason = sessions[token.sessionKey] { return reason }
        if !keys.isEmpty, keys[token.keyID] != nil { return .admin }
        if let version = versions[token.sessionKey], token.version < version { return .rights }
        return nil
    }

    /// Removes the entries that can match no token that is still valid.
    mutating func removeExpired(now: Int64) {
        sessions.removeExpired(now: now)
        versions.removeExpired(now: now)
        keys = keys.filter { $0.value > now }
    }
}

/// One entry of the revocation stream or key space.
package struct Revocation: Sendable, Equatable {
    package enum Subject: Sendable, Equatable {
        case session(String)
        case key(String)
        /// The session's tokens below this version.
        case version(sid: String, Int64)
    }

    var subject: Subject
    var reason: RevocationReason
    /// The time until which the revocation applies, in Unix seconds.
    var until: Int64

    package init(subject: Subject, reason: RevocationReason, until: Int64) {
        self.subject = subject
        self.reason = reason
        self.until = until
    }
}
