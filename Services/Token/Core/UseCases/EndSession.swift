import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies
import Storage

/// Ends the session of a refresh token, of an access token, or of both; or the holder's other sessions, or all of them.
///
/// A session ends by any token of it, expired or spent ones too (RFC 7009 §2.2). Other sessions end only by a token that is
/// good now: a copy found in an old log ends one session at most. Returns only once the end is durable here and known to
/// Redis.
struct EndSession: Sendable {
    enum Outcome: Sendable, Equatable {
        case done
        /// Neither token may end other sessions.
        case invalidToken
    }

    let policy: Policy
    let keys: RefreshTokenKeys
    let accessTokens: AccessTokenReader
    let bearers: BearerSessions
    let store: any SessionStore
    let revocations: any RevocationStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: the store's errors, or Redis' when the session has ended here and is published as soon as Redis is back.
    func callAsFunction(_ request: LogoutRequest, reason: RevocationReason = .logout) async throws -> Outcome {
        switch request.scope ?? .session {
        case .session:
            try await publish(try await end(targets(request), reason), reason)
            return .done
        case .others: return try await endAll(request, sparesOwn: true, .device)
        case .all: return try await endAll(request, sparesOwn: false, .logoutAll)
        }
    }

    private func end(_ targets: [SessionTarget], _ reason: RevocationReason) async throws -> [Revocation] {
        var revocations: [Revocation] = []
        for target in targets {
            guard let session = try await session(target),
                let revocation = try await store.end(session.id, reason: reason, now: now())
            else { continue }
            if !revocations.contains(revocation) { revocations.append(revocation) }
        }
        return revocations
    }

    /// The session that a token is, or once was, of.
    private func session(_ target: SessionTarget) async throws -> SessionRecord? {
        switch target {
        case .session(let id): return try await store.session(named: id)
        case .token(let token):
            guard let session = try await store.session(at: token.locator), token.isOf(session) else { return nil }
            return session
        }
    }

    /// Ends the holder's sessions by the first of the tokens that is good.
    private func endAll(
        _ request: LogoutRequest, sparesOwn: Bool, _ reason: RevocationReason
    ) async throws -> Outcome {
        for target in targets(request) {
            if case .session = target, let token = request.accessToken, !(try await isGood(token)) { continue }
            guard let user = try await endAll(by: target, sparesOwn: sparesOwn, reason) else { continue }
            try await publish(try await revocations.unpublished(ofUser: user), reason)
            return .done
        }
        return .invalidToken
    }

    /// - Returns: whose sessions have ended; nil when the target may end no other one.
    private func endAll(
        by target: SessionTarget, sparesOwn: Bool, _ reason: RevocationReason
    ) async throws -> String? {
        let now = now()
        return try await Decision.untilItHolds { () async throws -> Attempt<String?> in
            guard let own = try await session(target),
                target.mayEndOthers(of: own, sparesOwn: sparesOwn, reason, now: now)
            else { return .held(nil) }
            // A repeat, whose own session this act ended, waits for what the first time could not publish.
            guard own.revokedFor == nil else { return .held(own.userID) }
            return try await store.endAll(by: own, sparesOwn: sparesOwn, reason: reason, now: now).yielding(own.userID)
        }
    }

    /// Whether an access token has not expired, and is of the user's present rights.
    private func isGood(_ accessToken: String) async throws -> Bool {
        switch try await bearers.standing(of: accessToken, now: now()) {
        case .live: true
        // What ended it may have been this very request, whose answer was lost: the store looks.
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

/// The session that a logout means.
private enum SessionTarget: Sendable {
    /// - A refresh token has to be the newest of a session that lives, to end others.
    case token(RefreshToken)
    case session(SessionID)

    /// Whether it may end the other sessions of the user whose session `own` is, or has done so already.
    func mayEndOthers(of own: SessionRecord, sparesOwn: Bool, _ reason: RevocationReason, now: Int64) -> Bool {
        if case .token(let token) = self, !constantTimeEqual(token.hash, own.currentHash) { return false }
        if let ended = own.revokedFor { return ended == reason && !sparesOwn }
        return now < own.refreshExpiresAt
    }
}
