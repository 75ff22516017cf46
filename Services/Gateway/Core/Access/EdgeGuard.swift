import AccessTokens
import ServiceKit

/// Guards routes that need a signed-in user: checks the bearer token and its standing.
///
/// All of it happens on the connection's event loop. Redis is asked only if the replica cannot answer.
struct EdgeGuard: Sendable {
    let keys: KeySetRefresher
    let cache: VerifiedTokenCache
    let replica: RevocationReplica
    let metrics: EdgeMetrics

    /// The holders of tokens that a path admits. Any other holder's token is refused as one of another audience is.
    enum Admits: Sendable, Equatable {
        case users, clients, both
        /// Users, and people who act as them.
        case usersAndActing

        func includes(_ holder: TokenIdentity.Holder) -> Bool {
            switch holder {
            case .user: self != .clients
            case .client: self == .clients || self == .both
            case .acting: self == .usersAndActing
            }
        }
    }

    /// The outcome of a check.
    enum Check: Sendable, Equatable {
        case decided(EdgeVerdict)
        /// The token is valid. Redis has to be asked whether it is revoked.
        case ask(TokenIdentity)
        /// The token's key may be new. The token is checked again after a fetch of the keys that is sent at or after this time.
        case awaitKeys(since: UInt64)
    }

    /// Checks the credentials of a request.
    ///
    /// - Parameters:
    ///   - roles: the roles of which the user needs one; `nil` for any signed-in user.
    ///   - admitted: whose tokens are accepted.
    ///   - hasWaited: whether the request has waited for a fetch of the keys.
    func check(
        _ credential: BearerCredential, roles: [String]?, admits admitted: Admits = .users, hasWaited: Bool = false
    ) -> Check {
        switch credential {
        case .missing: return .decided(.unauthorized(.missing))
        case .malformed: return .decided(.unauthorized(.malformed))
        case .token(let token): return check(token, roles: roles, admitted, hasWaited: hasWaited)
        }
    }

    private func check(_ token: [UInt8], roles: [String]?, _ admitted: Admits, hasWaited: Bool) -> Check {
        let monotonicNow = MonotonicTime.nanoseconds()
        guard let keySet = keys.current(now: monotonicNow) else { return .decided(.unavailable(.keysUnavailable)) }
        let identity: TokenIdentity
        if let cached = cache.identity(for: token, keySetVersion: keySet.version) {
            metrics.countToken(isCached: true)
            identity = cached
        } else {
            do throws(TokenRejection) {
                identity = try verify(token, keySet, admitted)
            } catch {
                return refusal(error, now: monotonicNow, hasWaited: hasWaited)
            }
        }
        // A token that was checked for another path is remembered too.
        guard admitted.includes(identity.holder) else { return .decided(.unauthorized(.invalid)) }
        let revocation = replica.answer(for: identity, now: monotonicNow)
        let verdict = EdgeVerdict.judge(identity, revocation: revocation, roles: roles, now: UnixTime.seconds())
        return verdict == .unavailable(.revocationUnknown) ? .ask(identity) : .decided(verdict)
    }

    private func verify(
        _ token: [UInt8], _ keySet: KeySet, _ admitted: Admits
    ) throws(TokenRejection) -> TokenIdentity {
        metrics.countToken(isCached: false)
        let identity = try Self.identity(token, keySet, admitted)
        cache.insert(token, identity, keySetVersion: keySet.version)
        return identity
    }

    private static func identity(
        _ token: [UInt8], _ keySet: KeySet, _ admitted: Admits
    ) throws(TokenRejection) -> TokenIdentity {
        let now = UnixTime.seconds()
        if admitted != .clients {
            do throws(TokenRejection) { return TokenIdentity(try keySet.verifier.verified(token, now: now)) } catch {
                guard error == .wrongAudience, admitted != .users else { throw error }
            }
        }
        if admitted == .usersAndActing {
            return try TokenIdentity(acting: try keySet.actingVerifier.verified(token, now: now))
        }
        return TokenIdentity(try keySet.clientVerifier.verified(token, now: now), of: .client)
    }

    private func refusal(_ rejection: TokenRejection, now: UInt64, hasWaited: Bool) -> Check {
        switch rejection {
        case .expired: return .decided(.unauthorized(.expired))
        case .unknownKey:
            let isInContact = replica.isInContact(now: now)
            switch keys.judgeUnknownKey(now: now, isInContact: isInContact, hasWaited: hasWaited) {
            case .fetch: return .awaitKeys(since: now)
            case .wait(let since): return .awaitKeys(since: since)
            case .refuse: return .decided(.unauthorized(.invalid))
            case .unavailable: return .decided(.unavailable(.keysUnavailable))
            }
        default: return .decided(.unauthorized(.invalid))
        }
    }
}
