import CoreMetrics
import EdgeHTTP
import InternalAPI
import NIOCore
import ServiceKit

/// One request's way through the gate. Each step continues with `proceed`, or refuses in the dialect of the route.
struct Passage: Sendable {
    let gate: EdgeGate
    let dialect: any Dialect
    let eventLoop: any EventLoop
    /// The headers of refusals, in addition to the dialect's.
    var refusalHeaders: [(String, String)] = []

    func refused(_ refusal: Refusal) -> Disposition {
        var reply = dialect.reply(to: refusal)
        reply.headers += refusalHeaders
        return .answer(reply)
    }

    /// Refuses a request at a WebSocket's path. A 426 states what would be accepted (RFC 9110 section 15.5.22).
    func refusedHandshake(_ violation: HTTPViolation) -> Disposition {
        var passage = self
        if violation.status == 426 {
            passage.refusalHeaders += [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
            ]
        }
        return passage.refused(.violation(violation))
    }

    /// Refuses a user who has shown too little for the route, or too long ago (RFC 9470).
    func refused(_ reason: EdgeVerdict.Rejection, _ needed: RequiredAuthentication) -> Disposition {
        gate.metrics.count(reason)
        return refused(.authenticationTooWeak(needed))
    }

    /// Refuses a change by a person who may only read as the user.
    func refusedAsActing() -> Disposition {
        gate.metrics.count(.role)
        return refused(.roleMissing([]))
    }

    /// Continues once the request is counted under `limit`.
    func counted(
        _ limit: AllowanceKey?, _ counting: EdgeLimiter.Counting, proceed: @escaping @Sendable () -> Disposition
    ) -> Disposition {
        guard let limit else { return proceed() }
        let settle = { @Sendable (judgement: EdgeLimiter.Judgement) -> Disposition in
            guard case .refused(let seconds) = judgement else { return proceed() }
            gate.metrics.countLimited(limit.limit)
            return refused(.tooManyRequests(limit.rate, retryAfterSeconds: seconds))
        }
        let now = UnixTime.seconds()
        if let judgement = gate.limits.limiter.judge(limit, now: now) { return settle(judgement) }
        let limiter = gate.limits.limiter
        return .later(eventLoop.future { await limiter.ask(limit, counting, now: now) }.map(settle))
    }

    /// Continues without counting, unless the limit is reached already.
    func unlessExhausted(_ limit: AllowanceKey?, proceed: () -> Disposition) -> Disposition {
        guard let limit, let seconds = gate.limits.limiter.refusal(of: limit, now: UnixTime.seconds()) else {
            return proceed()
        }
        gate.metrics.countLimited(limit.limit)
        return refused(.tooManyRequests(limit.rate, retryAfterSeconds: seconds))
    }

    /// Continues once the bearer's token is verified.
    ///
    /// - Parameters:
    ///   - roles: the roles of which the user needs one; `nil` for any signed-in user.
    ///   - admitted: whose tokens are accepted.
    func authenticated(
        _ credential: BearerCredential, roles: [String]?, admits admitted: EdgeGuard.Admits = .users,
        proceed: @escaping @Sendable (TokenIdentity) -> Disposition
    ) -> Disposition {
        authenticated(credential, roles, admitted, hasWaited: false, proceed: proceed)
    }

    private func authenticated(
        _ credential: BearerCredential, _ roles: [String]?, _ admitted: EdgeGuard.Admits, hasWaited: Bool,
        proceed: @escaping @Sendable (TokenIdentity) -> Disposition
    ) -> Disposition {
        switch gate.access.check(credential, roles: roles, admits: admitted, hasWaited: hasWaited) {
        case .decided(let verdict): return settled(verdict, roles, proceed: proceed)
        case .awaitKeys(let since):
            return .later(
                gate.access.keys.fetchEnded(since: since, on: eventLoop).map {
                    authenticated(credential, roles, admitted, hasWaited: true, proceed: proceed)
                })
        case .ask(let token):
            gate.metrics.fallbacks.increment()
            return .later(
                eventLoop.future {
                    let answer = await gate.lookup.answer(for: token)
                    let verdict = EdgeVerdict.judge(token, revocation: answer, roles: roles, now: UnixTime.seconds())
                    return settled(verdict, roles, proceed: proceed)
                })
        }
    }

    private func settled(
        _ verdict: EdgeVerdict, _ roles: [String]?, proceed: (TokenIdentity) -> Disposition
    ) -> Disposition {
        switch verdict {
        case .allow(let token?): return proceed(token)
        case .allow(nil): return refused(.unavailable)
        case .unauthorized(let reason):
            gate.metrics.count(reason)
            return refused(Self.refusal(of: reason))
        case .forbidden(let reason):
            gate.metrics.count(reason)
            if case .revoked = reason { return refused(.accountInactive) }
            return refused(.roleMissing(roles ?? []))
        case .unavailable(let reason):
            gate.metrics.count(reason)
            return refused(.unavailable)
        }
    }

    private static func refusal(of reason: EdgeVerdict.Rejection) -> Refusal {
        switch reason {
        case .missing: .noAccessToken
        case .expired: .accessTokenExpired
        // A change of rights ends older tokens and no session.
        case .revoked(let reason) where reason != .rights: .sessionRevoked
        default: .accessTokenInvalid
        }
    }
}
