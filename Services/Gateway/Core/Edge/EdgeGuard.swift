internal import AccessTokens
internal import ServiceKit

/// Guards routes that need a signed-in user: checks the bearer token and its standing.
///
/// All of it happens on the connection's event loop; only when the replica cannot answer is Redis asked.
struct EdgeGuard: Sendable {
    let keys: KeySetRefresher
    let cache: VerifiedTokenCache
    let replica: RevocationReplica
    /// Cache lifetime of the key set; past it an unknown `kid` may be a key that we have not heard of.
    let keySetMaxAgeSeconds: Int

    /// What the check came to.
    enum Check: Sendable, Equatable {
        case decided(EdgeDecision)
        /// The token is good; whether it is revoked has to be asked.
        case ask(TokenIdentity)
    }

    /// Checks the credentials of a request.
    ///
    /// - Parameter roles: one of which the user needs; nil for any signed-in user.
    func check(_ credential: BearerCredential, roles: [String]?) -> Check {
        switch credential {
        case .missing: return .decided(.unauthorized(.missing))
        case .malformed: return .decided(.unauthorized(.malformed))
        case .token(let token): return check(token, roles: roles)
        }
    }

    private func check(_ token: [UInt8], roles: [String]?) -> Check {
        let monotonicNow = MonotonicTime.nanoseconds()
        guard let keySet = keys.current(now: monotonicNow) else { return .decided(.unavailable(.keysUnavailable)) }
        let identity: TokenIdentity
        if let cached = cache.identity(for: token, keySetVersion: keySet.version) {
            identity = cached
        } else {
            do throws(TokenRejection) {
                identity = try verify(token, keySet)
            } catch {
                return .decided(decision(on: error, keySet, now: monotonicNow))
            }
        }
        let revocation = replica.answer(for: identity, now: monotonicNow)
        let decision = EdgeDecision.judge(identity, revocation: revocation, roles: roles, now: UnixTime.seconds())
        return decision == .unavailable(.revocationUnknown) ? .ask(identity) : .decided(decision)
    }

    private func verify(_ token: [UInt8], _ keySet: KeySet) throws(TokenRejection) -> TokenIdentity {
        let identity = TokenIdentity(try keySet.verifier.verified(token, now: UnixTime.seconds()))
        cache.insert(token, identity, keySetVersion: keySet.version)
        return identity
    }

    private func decision(on rejection: TokenRejection, _ keySet: KeySet, now: UInt64) -> EdgeDecision {
        switch rejection {
        case .expired: return .unauthorized(.expired)
        case .unknownKey:
            keys.noteUnknownKey(now: now)
            let mayBeNew = keySet.isStale(now: now, maxAgeSeconds: keySetMaxAgeSeconds)
            return mayBeNew ? .unavailable(.keysUnavailable) : .unauthorized(.invalid)
        default: return .unauthorized(.invalid)
        }
    }
}
