internal import InternalAPI

/// The revocations a gateway holds in memory: a value, changed by the feed, asked by requests.
struct RevocationList: Sendable {
    /// What is revoked, until when it matters.
    private struct Entry: Sendable {
        var reason: RevocationReason
        /// Unix seconds at which the last access token of the session has expired.
        var until: Int64
    }

    private struct VersionFloor: Sendable {
        var version: Int64
        var until: Int64
    }

    private var sessions: [String: Entry] = [:]
    private var keys: [String: Int64] = [:]
    private var versions: [String: VersionFloor] = [:]

    /// Entries held.
    var count: Int { sessions.count + keys.count + versions.count }

    /// Takes in one revocation; taking it in again changes nothing.
    mutating func apply(_ revocation: Revocation) {
        switch revocation.subject {
        case .session(let sid):
            sessions[sid] = Entry(
                reason: sessions[sid]?.reason ?? revocation.reason,
                until: max(sessions[sid]?.until ?? 0, revocation.until))
        case .key(let kid):
            keys[kid] = max(keys[kid] ?? 0, revocation.until)
        case .version(let sid, let version):
            versions[sid] = VersionFloor(
                version: max(versions[sid]?.version ?? 0, version),
                until: max(versions[sid]?.until ?? 0, revocation.until))
        }
    }

    /// Why a token is refused, or nil.
    func refusal(of token: TokenIdentity) -> RevocationReason? {
        if let entry = sessions[token.sessionID] { return entry.reason }
        if keys[token.keyID] != nil { return .admin }
        if let floor = versions[token.sessionID], token.version < floor.version { return .admin }
        return nil
    }

    /// Forgets what can match no token that is still alive.
    mutating func removeExpired(now: Int64) {
        sessions = sessions.filter { $0.value.until > now }
        keys = keys.filter { $0.value > now }
        versions = versions.filter { $0.value.until > now }
    }
}

/// One entry of the revocation stream or key space.
struct Revocation: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
        case session(String)
        case key(String)
        /// The session's tokens below this version.
        case version(sid: String, Int64)
    }

    var subject: Subject
    var reason: RevocationReason
    /// Unix seconds.
    var until: Int64
}
