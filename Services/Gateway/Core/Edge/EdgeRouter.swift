internal import AccessTokens
internal import CoreMetrics
internal import EdgeHTTP
internal import InternalAPI
internal import NIOCore
internal import Policies
internal import ServiceKit

/// Decides, on the connection's event loop, what is done with each request.
struct EdgeRouter: RequestRouter {
    /// How often a request waits for keys that change again while it does: a retired key is announced, then the next.
    private static let keyWaitsMax = 3

    let table: RouteTable
    let edge: EdgeGuard
    let lookup: RevocationLookup
    let metrics: EdgeMetrics
    let limits: EdgeLimits
    let identity: IdentitySigner?
    let crossOrigin: CrossOrigin?
    /// Lines that every answer bears.
    let answerLines: [UInt8]
    let trustedProxies: [CIDR]
    /// Of requests to our own endpoints.
    let bodyBytesMax: Int

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        let (label, match) = head.withPath { table.match(head.method, $0) }
        let lines = crossOrigin.map { $0.lines(for: head) + answerLines } ?? answerLines
        if let preflight = crossOrigin?.preflight(head) {
            return RoutedRequest(route: label, disposition: .answer(preflight), answerLines: answerLines)
        }
        return RoutedRequest(route: label, disposition: disposition(match, head, eventLoop), answerLines: lines)
    }

    private func disposition(
        _ match: RouteTable.Match, _ head: RequestHead, _ eventLoop: any EventLoop
    ) -> Disposition {
        switch match {
        case .native(let route): native(route, head, eventLoop)
        case .app(let route): app(route, head, eventLoop)
        case .methodNotAllowed(let allowed): .answer(EdgeReply.methodNotAllowed(allowed))
        case .notFound: .answer(NativeReply.problem(404, "not_found", "There is nothing here"))
        }
    }

    private func native(_ route: NativeRoute, _ head: RequestHead, _ eventLoop: any EventLoop) -> Disposition {
        let endpoint = route.endpoint
        let accepted = Disposition.endpoint(bodyBytesMax: bodyBytesMax) { request in
            do throws(ServiceUnavailable) {
                return try await endpoint.reply(to: request)
            } catch {
                return NativeReply.unavailable()
            }
        }
        let limit = route.isCounted ? limits.auth(address: clientAddress(of: head)) : nil
        return limited(limit, .exact, eventLoop) {
            switch route.access {
            case .open: accepted
            case .bearer: authenticated(head, roles: nil, eventLoop) { _ in accepted }
            }
        }
    }

    private func app(_ route: RouteTable.AppRoute, _ head: RequestHead, _ eventLoop: any EventLoop) -> Disposition {
        guard route.policy.limit?.caller == .address else { return judged(route, head, eventLoop) }
        // Before the token is looked at: those who have none are counted too.
        let limit = limits.app(route.policy, address: clientAddress(of: head))
        return limited(limit, .leased, eventLoop) { judged(route, head, eventLoop) }
    }

    private func judged(
        _ route: RouteTable.AppRoute, _ head: RequestHead, _ eventLoop: any EventLoop
    ) -> Disposition {
        let proceed = { @Sendable (token: TokenIdentity) in
            guard route.policy.limit?.caller == .user else { return proxied(route, head, as: token) }
            let limit = limits.app(route.policy, userID: token.userID)
            return limited(limit, .leased, eventLoop) { proxied(route, head, as: token) }
        }
        switch route.policy.access {
        case .open: return .proxy(plan(route, head, identityLines: []))
        case .bearer: return authenticated(head, roles: nil, eventLoop, proceed: proceed)
        case .role(let roles): return authenticated(head, roles: roles, eventLoop, proceed: proceed)
        }
    }

    /// Goes on once the request is counted under `limit`, else says when another one fits.
    private func limited(
        _ limit: AllowanceKey?, _ counting: EdgeLimiter.Counting, _ eventLoop: any EventLoop,
        proceed: @escaping @Sendable () -> Disposition
    ) -> Disposition {
        guard let limit else { return proceed() }
        let settle = { @Sendable (judgement: EdgeLimiter.Judgement) -> Disposition in
            guard case .refused(let seconds) = judgement else { return proceed() }
            metrics.countLimited(limit.limit)
            return .answer(EdgeReply.limited(limit.rate, retryAfterSeconds: seconds))
        }
        let now = UnixTime.seconds()
        if let judgement = limits.limiter.judge(limit, now: now) { return settle(judgement) }
        return .later(
            eventLoop.future { await limits.limiter.ask(limit, counting, now: now) }.map(settle))
    }

    /// Goes on with `proceed` once the bearer is known to be good, else answers why not.
    private func authenticated(
        _ head: RequestHead, roles: [String]?, _ eventLoop: any EventLoop,
        proceed: @escaping @Sendable (TokenIdentity) -> Disposition
    ) -> Disposition {
        authenticated(
            BearerCredential(head), roles: roles, waitsLeft: Self.keyWaitsMax, waitedSince: nil, eventLoop,
            proceed: proceed)
    }

    private func authenticated(
        _ credential: BearerCredential, roles: [String]?, waitsLeft: Int, waitedSince: UInt64?,
        _ eventLoop: any EventLoop, proceed: @escaping @Sendable (TokenIdentity) -> Disposition
    ) -> Disposition {
        let check = edge.check(credential, roles: roles, waitedSince: waitedSince)
        guard case .awaitKeys(let since) = check, waitsLeft > 0 else {
            return settled(check, roles: roles, eventLoop, proceed: proceed)
        }
        return .later(
            edge.keys.fetchEnded(since: since, on: eventLoop).map {
                authenticated(
                    credential, roles: roles, waitsLeft: waitsLeft - 1, waitedSince: since, eventLoop, proceed: proceed)
            })
    }

    private func settled(
        _ check: EdgeGuard.Check, roles: [String]?, _ eventLoop: any EventLoop,
        proceed: @escaping @Sendable (TokenIdentity) -> Disposition
    ) -> Disposition {
        switch check {
        case .decided(let decision): return disposition(decision, proceed: proceed)
        case .awaitKeys: return disposition(.unavailable(.keysUnavailable), proceed: proceed)
        case .ask(let token):
            metrics.fallbacks.increment()
            return .later(
                eventLoop.future {
                    let answer = await lookup.answer(for: token)
                    let decision = EdgeDecision.judge(token, revocation: answer, roles: roles, now: UnixTime.seconds())
                    return disposition(decision, proceed: proceed)
                })
        }
    }

    private func disposition(
        _ decision: EdgeDecision, proceed: (TokenIdentity) -> Disposition
    ) -> Disposition {
        switch decision {
        case .allow(let token?): return proceed(token)
        case .allow(nil): return .answer(NativeReply.unavailable())
        case .unauthorized(let reason), .forbidden(let reason), .unavailable(let reason):
            metrics.count(reason)
            return .answer(EdgeReply.refusal(decision))
        }
    }

    private func proxied(_ route: RouteTable.AppRoute, _ head: RequestHead, as token: TokenIdentity) -> Disposition {
        guard let lines = token.headerLines else { return .answer(EdgeReply.refusal(.unauthorized(.invalid))) }
        guard let audience = route.policy.identityAudience, let identity else {
            return .proxy(plan(route, head, identityLines: lines))
        }
        do throws(KeyError) {
            let proof = try identity.proof(of: token, for: audience, now: UnixTime.seconds())
            return .proxy(plan(route, head, identityLines: lines + IdentityHeaders.line(proof: proof)))
        } catch {
            // Without its proof an upstream that relies on it would take the caller for nobody.
            return .answer(NativeReply.unavailable())
        }
    }

    private func plan(_ route: RouteTable.AppRoute, _ head: RequestHead, identityLines: [UInt8]) -> ProxyPlan {
        ProxyPlan(
            upstream: route.upstream, target: route.target(of: head), clientAddress: clientAddress(of: head),
            scheme: scheme(of: head), identityLines: identityLines, keepsAuthorization: route.policy.keepAuthorization,
            bodyBytesMax: route.policy.bodyBytesMax.map { Int(clamping: $0) },
            timeoutSeconds: route.policy.timeoutSeconds, totalSeconds: route.policy.totalSeconds,
            ownsCrossOrigin: crossOrigin != nil)
    }

    func refusal(_ violation: HTTPViolation) -> Reply { EdgeReply.refusal(violation) }

    func upstreamFailure(_ failure: UpstreamFailure) -> Reply { EdgeReply.upstreamFailure(failure) }

    private func scheme(of head: RequestHead) -> ForwardedScheme {
        comesFromProxy(head) ? ForwardedScheme(statedBy: head.all("x-forwarded-proto")) : .http
    }

    private func comesFromProxy(_ head: RequestHead) -> Bool {
        trustedProxies.contains { $0.contains(head.peer.address) }
    }

    func clientAddress(of head: RequestHead) -> String {
        guard comesFromProxy(head) else { return head.peer.text }
        let forwarded = head.all("x-forwarded-for").map { String(decoding: $0, as: UTF8.self) }
        return ClientAddress.resolve(peer: head.peer.address, forwardedFor: forwarded, trustedProxies: trustedProxies)
            .description
    }
}
