internal import AuthAPI
internal import InternalAPI
internal import Policies

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
            guard let revocation = try await store.end(target, reason: reason, now: now()) else { continue }
            if !revocations.contains(revocation) { revocations.append(revocation) }
        }
        return revocations
    }

    /// Ends the holder's sessions by the first of the tokens that is good.
    private func endAll(
        _ request: LogoutRequest, sparesOwn: Bool, _ reason: RevocationReason
    ) async throws -> Outcome {
        for target in targets(request) {
            if case .session = target, let token = request.accessToken, !(try await isGood(token)) { continue }
            guard
                let revocations = try await store.endAll(by: target, sparesOwn: sparesOwn, reason: reason, now: now())
            else { continue }
            try await publish(revocations, reason)
            return .done
        }
        return .invalidToken
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
