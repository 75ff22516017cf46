import AccessTokens
import EdgeHTTP
import NIOCore
import Policies
import ServiceKit

/// Decides, on the connection's event loop, what is done with each request.
struct EdgeRouter: RequestRouter {
    let table: RouteTable
    let gate: EdgeGate
    let useCases: UseCases
    let identity: IdentitySigner?
    let crossOrigin: CrossOrigin?
    /// Lines that every answer bears.
    let answerLines: [UInt8]
    let trustedProxies: [CIDR]
    /// Of requests to our own endpoints.
    let bodyBytesMax: Int

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        let (label, match) = head.withPath { table.match(head.method, $0, host: { head.hostName }) }
        let lines = crossOrigin.map { $0.lines(for: head) + answerLines } ?? answerLines
        if let preflight = crossOrigin?.preflight(head) {
            return RoutedRequest(route: label, disposition: .answer(preflight), answerLines: answerLines)
        }
        let passage = Passage(gate: gate, dialect: table.dialect(of: label), eventLoop: eventLoop)
        return RoutedRequest(route: label, disposition: disposition(match, head, passage), answerLines: lines)
    }

    private func disposition(_ match: RouteTable.Match, _ head: RequestHead, _ passage: Passage) -> Disposition {
        switch match {
        case .own(let path): own(path, head, passage)
        case .app(let route): app(route, head, passage)
        case .methodNotAllowed(let allowed): passage.refused(.methodNotAllowed(allowed))
        case .notFound: passage.refused(.notFound)
        }
    }

    private func own(_ rows: OwnPath.Rows, _ head: RequestHead, _ passage: Passage) -> Disposition {
        let passage = Passage(gate: gate, dialect: rows.first.dialect, eventLoop: passage.eventLoop)
        let row = rows.first.row
        let limit = row.counting == .nothing ? nil : gate.limits.auth(address: clientAddress(of: head))
        let limiter = gate.limits.limiter
        let accepted = Disposition.endpoint(bodyBytesMax: bodyBytesMax) { [useCases] request in
            let chosen = rows.chosen(body: request.body)
            do throws(Refusal) {
                return try await chosen.row.answer(request, useCases)
            } catch {
                let reply = chosen.dialect.reply(to: error)
                // What fails here is nobody's fault out there.
                if row.counting == .refused, reply.status < 500, let limit {
                    _ = await limiter.ask(limit, .exact, now: UnixTime.seconds())
                }
                return reply
            }
        }
        if row.counting == .refused { return passage.unlessExhausted(limit) { accepted } }
        return passage.counted(limit, .exact) {
            switch row.access {
            case .open: accepted
            case .bearer: passage.authenticated(BearerCredential(head), roles: nil) { _ in accepted }
            }
        }
    }

    private func app(_ route: RouteTable.AppRoute, _ head: RequestHead, _ passage: Passage) -> Disposition {
        guard route.policy.limit?.caller == .address else { return judged(route, head, passage) }
        // Before the token is looked at: those who have none are counted too.
        let limit = gate.limits.app(route.policy, address: clientAddress(of: head))
        return passage.counted(limit, .leased) { judged(route, head, passage) }
    }

    private func judged(_ route: RouteTable.AppRoute, _ head: RequestHead, _ passage: Passage) -> Disposition {
        let proceed = { @Sendable (token: TokenIdentity) in
            guard route.policy.limit?.caller == .user else { return proxied(route, head, as: token, passage) }
            let limit = gate.limits.app(route.policy, userID: token.userID)
            return passage.counted(limit, .leased) { proxied(route, head, as: token, passage) }
        }
        switch route.policy.access {
        case .open: return .proxy(plan(route, head, identityLines: []))
        case .bearer: return passage.authenticated(BearerCredential(head), roles: nil, proceed: proceed)
        case .role(let roles): return passage.authenticated(BearerCredential(head), roles: roles, proceed: proceed)
        }
    }

    private func proxied(
        _ route: RouteTable.AppRoute, _ head: RequestHead, as token: TokenIdentity, _ passage: Passage
    ) -> Disposition {
        guard let lines = token.headerLines else { return passage.refused(.accessTokenInvalid) }
        guard let audience = route.policy.identityAudience, let identity else {
            return .proxy(plan(route, head, identityLines: lines))
        }
        do throws(KeyError) {
            let proof = try identity.proof(of: token, for: audience, now: UnixTime.seconds())
            return .proxy(plan(route, head, identityLines: lines + IdentityHeaders.line(proof: proof)))
        } catch {
            // Without its proof an upstream that relies on it would take the caller for nobody.
            return passage.refused(.unavailable)
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

    func refusal(_ violation: HTTPViolation, at route: RouteLabel) -> Reply {
        var reply = table.dialect(of: route).reply(to: .violation(violation))
        if violation == .forbiddenMethod {
            reply.headers.append(("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"))
        }
        reply.closes = true
        return reply
    }

    func upstreamFailure(_ failure: UpstreamFailure, at route: RouteLabel) -> Reply {
        table.dialect(of: route).reply(to: .upstream(failure))
    }

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
