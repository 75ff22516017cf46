internal import AuthAPI
internal import InternalAPI
internal import Policies

/// Ends the session of a refresh token, of an access token, or of both; or the holder's other sessions, or all of them.
///
/// Succeeds whatever the tokens' state (RFC 7009 §2.2), and only once the end is durable here and known to Redis.
struct EndSession: Sendable {
    let policy: Policy
    let keys: RefreshTokenKeys
    let accessTokens: AccessTokenReader
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: the store's errors, or Redis' when the session has ended here and is published as soon as Redis is back.
    func callAsFunction(_ request: LogoutRequest, reason: RevocationReason = .logout) async throws {
        let targets = targets(request)
        switch request.scope ?? .session {
        case .session: try await publish(try await end(targets, reason), reason)
        case .others: try await publish(try await endAll(by: targets.first, sparesOwn: true, .device), .device)
        case .all: try await publish(try await endAll(by: targets.first, sparesOwn: false, .logoutAll), .logoutAll)
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

    private func endAll(
        by target: SessionTarget?, sparesOwn: Bool, _ reason: RevocationReason
    ) async throws -> [Revocation] {
        guard let target else { return [] }
        return try await store.endAll(by: target, sparesOwn: sparesOwn, reason: reason, now: now())
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
