internal import CoreMetrics
internal import InternalAPI
internal import NIOCore
internal import Policies
internal import ServiceKit

/// Decides, on the connection's event loop, what is done with each request.
struct EdgeRouter: RequestRouter {
    let table: RouteTable
    let edge: EdgeGuard
    let lookup: RevocationLookup
    let metrics: EdgeMetrics
    let trustedProxies: [CIDR]
    /// Of requests to our own endpoints.
    let bodyBytesMax: Int

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        let (label, match) = head.withPath { table.match(head.method, $0) }
        return RoutedRequest(route: label, disposition: disposition(match, head, eventLoop))
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
        switch route.access {
        case .open: return accepted
        case .bearer: return authenticated(head, roles: nil, eventLoop) { _ in accepted }
        }
    }

    private func app(_ route: RouteTable.AppRoute, _ head: RequestHead, _ eventLoop: any EventLoop) -> Disposition {
        switch route.policy.access {
        case .open: .proxy(plan(route, head, identityLines: []))
        case .bearer: authenticated(head, roles: nil, eventLoop) { proxied(route, head, as: $0) }
        case .role(let roles): authenticated(head, roles: roles, eventLoop) { proxied(route, head, as: $0) }
        }
    }

    /// Goes on with `proceed` once the bearer is known to be good, else answers why not.
    private func authenticated(
        _ head: RequestHead, roles: [String]?, _ eventLoop: any EventLoop,
        proceed: @escaping @Sendable (TokenIdentity) -> Disposition
    ) -> Disposition {
        let credential = BearerCredential(head)
        let settle = { @Sendable (check: EdgeGuard.Check) in
            settled(check, roles: roles, eventLoop, proceed: proceed)
        }
        let check = edge.check(credential, roles: roles)
        guard case .awaitKeys(let since) = check else { return settle(check) }
        return .later(
            edge.keys.fetchEnded(since: since, on: eventLoop).map {
                settle(edge.check(credential, roles: roles, hasWaited: true))
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
                eventLoop.makeFutureWithTask {
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
        return .proxy(plan(route, head, identityLines: lines))
    }

    private func plan(_ route: RouteTable.AppRoute, _ head: RequestHead, identityLines: [UInt8]) -> ProxyPlan {
        ProxyPlan(
            upstream: route.upstream, target: route.target(of: head), clientAddress: clientAddress(of: head),
            identityLines: identityLines, keepsAuthorization: route.policy.keepAuthorization,
            bodyBytesMax: route.policy.bodyBytesMax.map { Int(clamping: $0) },
            timeoutSeconds: route.policy.timeoutSeconds)
    }

    func refusal(_ violation: HTTPViolation) -> Reply { EdgeReply.refusal(violation) }

    func upstreamFailure(_ failure: UpstreamFailure) -> Reply { EdgeReply.upstreamFailure(failure) }

    func clientAddress(of head: RequestHead) -> String {
        guard trustedProxies.contains(where: { $0.contains(head.peer.address) }) else { return head.peer.text }
        let forwarded = head.all("x-forwarded-for").map { String(decoding: $0, as: UTF8.self) }
        return ClientAddress.resolve(peer: head.peer.address, forwardedFor: forwarded, trustedProxies: trustedProxies)
            .description
    }
}
