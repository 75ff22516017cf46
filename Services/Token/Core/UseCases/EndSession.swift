import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import Storage

/// Revokes the session of a refresh token, of an access token, or of both; or the user's other sessions, or all of them; each with
/// the sessions in which the user acts as others.
///
/// A session can be revoked by any of its tokens, including expired and used ones (RFC 7009 §2.2). Other sessions can be revoked
/// only by a token that is valid now, so that a copy found in an old log revokes one session at most. Returns only once the
/// revocation is durable here and known to Redis.
struct EndSession: Sendable {
    typealias Outcome = OperationOutcome<Done, LogoutRefusal>

    let policy: Policy
    let keys: RefreshTokenKeys
    let accessTokens: AccessTokenReader
    let bearers: BearerSessions
    let store: any SessionStore
    let revocations: any RevocationStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: the store's errors, or those of Redis. In the second case the session is revoked here, and the revocation is
    ///   published as soon as Redis is back.
    func callAsFunction(_ request: LogoutRequest, reason: RevocationReason = .logout) async throws -> Outcome {
        switch request.scope ?? .session {
        case .session:
            try await publish(try await end(targets(request), reason), reason)
            return .answer(Done())
        case .others: return try await endAll(request, sparesOwn: true, .device)
        case .all: return try await endAll(request, sparesOwn: false, .logoutAll)
        }
    }

    private func end(_ targets: [SessionTarget], _ reason: RevocationReason) async throws -> [Revocation] {
        var revocations: [Revocation] = []
        for target in targets {
            guard let session = try await session(target) else { continue }
            for revocation in try await store.endWithActing(session, reason: reason, now: now())
            where !revocations.contains(revocation) { revocations.append(revocation) }
        }
        return revocations
    }

    /// Returns the session to which a token belongs, or once belonged.
    private func session(_ target: SessionTarget) async throws -> SessionRecord? {
        switch target {
        case .session(let id):
            if let session = try await store.session(named: id) { return session }
        case .token(let token):
            if let session = try await store.session(at: token.locator), token.isOf(session) { return session }
        }
        return try await durableSession(target)
    }

    /// Returns that session as it is durably.
    private func durableSession(_ target: SessionTarget) async throws -> SessionRecord? {
        switch target {
        case .session(let id): return try await store.durableSession(named: id)
        case .token(let token):
            guard let session = try await store.durableSession(at: token.locator), token.isOf(session) else {
                return nil
            }
            return session
        }
    }

    /// Revokes the user's sessions with the first of the tokens that is valid.
    private func endAll(
        _ request: LogoutRequest, sparesOwn: Bool, _ reason: RevocationReason
    ) async throws -> Outcome {
        for target in targets(request) {
            if case .session = target, let token = request.accessToken, !(try await isGood(token)) { continue }
            guard let user = try await endAll(by: target, sparesOwn: sparesOwn, reason) else { continue }
            let acting = try await store.endActing(by: user, now: now())
            try await publish(try await revocations.unpublished(ofUser: user) + acting, reason)
            return .answer(Done())
        }
        return .refused(.invalidToken)
    }

    /// - Returns: the user whose sessions are revoked, or `nil` if the target may revoke no other session.
    private func endAll(
        by target: SessionTarget, sparesOwn: Bool, _ reason: RevocationReason
    ) async throws -> String? {
        let now = now()
        let mayEndOthers = { (own: SessionRecord) in
            target.mayEndOthers(of: own, sparesOwn: sparesOwn, reason, now: now)
        }
        return try await Decision.untilItHolds { () async throws -> Attempt<String?> in
            var own = try await session(target)
            if own.map({ $0.revokedFor != nil || !mayEndOthers($0) }) ?? false {
                own = try await durableSession(target)
            }
            guard let own, mayEndOthers(own) else { return .held(nil) }
            // If a repeat's own session was revoked by the first call, it waits for the revocations that the first call could not
            // publish.
            guard own.revokedFor == nil else { return .held(own.userID) }
            return try await store.endAll(by: own, sparesOwn: sparesOwn, reason: reason, now: now).yielding(own.userID)
        }
    }

    /// Whether an access token is not expired, and has the user's current rights.
    private func isGood(_ accessToken: String) async throws -> Bool {
        switch try await bearers.standing(of: accessToken, now: now()) {
        case .live: true
        // This very request, whose response was lost, may have revoked the session. The store checks that.
        case .ended: true
        case .refused, .inactive: false
        }
    }

    private func publish(_ revocations: [Revocation], _ reason: RevocationReason) async throws {
        guard !revocations.isEmpty else { return }
        try await publisher.publish(revocations)
        reason.count(revocations)
    }

    private func targets(_ request: LogoutRequest) -> [SessionTarget] {
        let prefixes = Set(policy.profiles.map(\.refresh.prefix))
        let refresh = request.refreshToken
            .flatMap { RefreshToken.bytes(of: $0, prefixes: prefixes) }.flatMap { keys.open($0) }
        let access = request.accessToken.flatMap { accessTokens.session(of: $0) }
        return [refresh.map { .token($0) }, access.map { .session($0) }].compactMap { $0 }
    }
}

/// The session that a logout targets.
private enum SessionTarget: Sendable {
    /// - A refresh token must be the newest of a live session to revoke others.
    case token(RefreshToken)
    case session(SessionID)

    /// Whether it may revoke the other sessions of the user of the session `own`, or has done so already.
    func mayEndOthers(of own: SessionRecord, sparesOwn: Bool, _ reason: RevocationReason, now: Int64) -> Bool {
        if case .token(let token) = self, !constantTimeEqual(token.hash, own.currentHash) { return false }
        if let ended = own.revokedFor { return ended == reason && !sparesOwn }
        return now < own.refreshExpiresAt
    }
}
