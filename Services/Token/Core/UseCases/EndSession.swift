internal import InternalAPI
internal import Policies

/// Ends the session of a refresh token, of an access token, or of both.
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
        var revocations: [Revocation] = []
        for target in targets(request) {
            guard let revocation = try await store.end(target, reason: reason, now: now()) else { continue }
            if !revocations.contains(revocation) { revocations.append(revocation) }
        }
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
