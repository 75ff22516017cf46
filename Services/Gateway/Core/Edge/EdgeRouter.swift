import AccessTokens
import EdgeHTTP
import NIOCore
import Policies
import ServiceKit

/// Decides by one policy, on the connection's event loop, how each request is handled.
struct EdgeRouter: RequestRouter {
    let table: RouteTable
    let gate: EdgeGate
    let useCases: UseCases
    let identity: IdentitySigner?
    let crossOrigin: CrossOrigin?
    /// The pages whose sessions are in cookies; `nil` if the policy keeps none there.
    let pages: WebPages?
    /// The header lines of every response over https.
    let secureLines: [UInt8]
    /// The rule for requests without TLS; `nil` if they are served like all others.
    let plain: PlainRule?
    /// The path for health checks; `nil` if the policy has none.
    let health: HealthPath?
    /// The way to the console; `nil` if there is none.
    let console: ConsoleRoute?
    let trustedProxies: [CIDR]
    /// The names of the headers that have claims on some route. A client's own are removed on all routes.
    let claimHeaderNames: OwnFieldNames
    /// The greatest size of a body that our own endpoints accept.
    let bodyBytesMax: Int

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        let answerLines = lines(for: head)
        let lines = crossOrigin.map { $0.lines(for: head) + answerLines } ?? answerLines
        if let reply = health?.reply(head, in: table.dialect(of: .health)) {
            return RoutedRequest(route: .health, disposition: .answer(reply), answerLines: lines)
        }
        let (label, match) = head.withPath { table.match(head.method, $0, host: { head.hostName }) }
        if let plain, var detour = detour(head, at: label, by: plain, on: eventLoop) {
            detour.answerLines = lines
            return detour
        }
        if let preflight = crossOrigin?.preflight(head) {
            return RoutedRequest(route: label, disposition: .answer(preflight), answerLines: answerLines)
        }
        let passage = Passage(gate: gate, dialect: table.dialect(of: label), eventLoop: eventLoop)
        return RoutedRequest(route: label, disposition: disposition(match, head, passage), answerLines: lines)
    }

    /// Returns the route that replaces the usual one for a request without TLS, or `nil` if the usual one stays.
    private func detour(
        _ head: RequestHead, at label: RouteLabel, by plain: PlainRule, on eventLoop: any EventLoop
    ) -> RoutedRequest? {
        guard scheme(of: head) == .http, console?.browserAddress(of: head) == nil else { return nil }
        switch plain.judge(head) {
        case .serve: return nil
        case .challenge:
            return plain.challenges.map {
                RoutedRequest(
                    route: PlainRule.challengeRoute,
                    disposition: .proxy(plain.plan(head, to: $0, clientAddress: clientAddress(of: head))))
            }
        case .answer(let text):
            let headers = [("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store")]
            let reply = Reply(status: 200, headers: headers, body: Array(text.utf8))
            return RoutedRequest(route: PlainRule.challengeRoute, disposition: .answer(reply))
        case .unavailable:
            return RoutedRequest(
                route: label, disposition: .answer(table.dialect(of: label).reply(to: .unavailable)))
        case .redirect(let location):
            let reply = Reply(status: 308, headers: [("Location", location)], body: [])
            return RoutedRequest(route: label, disposition: .answer(reply))
        case .refuse:
            let passage = Passage(gate: gate, dialect: table.dialect(of: label), eventLoop: eventLoop)
            return RoutedRequest(route: label, disposition: passage.refused(.httpsRequired))
        }
    }

    func answerLines(for refused: RefusedHead) -> [UInt8] {
        // A proxy's statement of the scheme is not read from a head that breaks the rules.
        let secure = refused.peer.scheme == .https ? secureLines : []
        return (crossOrigin?.lines(origin: refused.origin) ?? []) + secure
    }

    /// Returns the header lines for a client that comes over https and is to use only https from now on (RFC 6797 section 7.2:
    /// never over http).
    private func lines(for head: RequestHead) -> [UInt8] {
        secureLines.isEmpty || scheme(of: head) == .http ? [] : secureLines
    }

    private func disposition(_ match: HostRoutes.Match, _ head: RequestHead, _ passage: Passage) -> Disposition {
        switch match {
        case .own(let path): own(path, head, passage)
        case .app(let route): app(route, head, passage)
        case .methodNotAllowed(let allowed): unserved(.methodNotAllowed(allowed), head, passage)
        case .notFound: unserved(.notFound, head, passage)
        }
    }

    /// Refuses a request for something that does not exist. It counts for the client's IP address like other refused requests.
    func unserved(_ refusal: Refusal, _ head: RequestHead, _ passage: Passage) -> Disposition {
        passage.counted(gate.limits.auth(address: clientAddress(of: head)), .leased) { passage.refused(refusal) }
    }

    private func own(_ rows: OwnPath.Rows, _ head: RequestHead, _ passage: Passage) -> Disposition {
        let row = rows.first.row
        if row.isForAdministrators,
            !gate.admin.admits(clientAddress(of: head), trustedProxies: trustedProxies)
        {
            return unserved(.notFound, head, passage)
        }
        let host = row.refusesAsHost ? passage.dialect : nil
        let passage = Passage(
            gate: gate, dialect: host ?? rows.first.dialect, eventLoop: passage.eventLoop,
            refusalHeaders: row.refusalHeaders)
        let limit = row.counting == .nothing ? nil : gate.limits.auth(address: clientAddress(of: head))
        gate.libraries.count(head.text("latchkey-client"))
        let page = row.ignoresCookies ? nil : pages?.request(head, over: scheme(of: head))
        if let fault = page?.fault(of: head) {
            return passage.counted(limit, .exact) { passage.refused(Refusal(fault)) }
        }
        let isEncoded = head.all("content-encoding").contains { !$0.isEmpty && !Self.isIdentity($0) }
        let accepted = isEncoded ? passage.refused(.encodedBody) : endpoint(rows, limit, page, refusing: host)
        // A request that is refused by its head never reaches the endpoint, which counts the others.
        let isRefused = isEncoded || head.hasRefusedBody(bytesMax: bodyBytesMax)
        let served = { @Sendable in
            switch row.access {
            case .open: accepted
            case .bearer where row.isForAdministrators:
                passage.authenticated(credential(of: head, page), roles: nil, admits: .both) { token in
                    passage.counted(gate.limits.administrator(userID: token.userID), .exact) { accepted }
                }
            case .bearer: passage.authenticated(credential(of: head, page), roles: nil) { _ in accepted }
            }
        }
        return row.counting == .refused && !isRefused
            ? passage.unlessExhausted(limit, proceed: served) : passage.counted(limit, .exact, proceed: served)
    }

    /// The access token of a request: the bearer's, or else that of a page's cookie.
    private func credential(of head: RequestHead, _ page: PageRequest?) -> BearerCredential {
        let bearer = BearerCredential(head)
        return bearer == .missing ? page?.accessCredential ?? bearer : bearer
    }

    private static func isIdentity(_ coding: [UInt8]) -> Bool {
        coding.map(ByteClass.lowercased).elementsEqual("identity".utf8)
    }

    /// - Parameter host: the dialect whose words refusals have, or `nil` for the row's own.
    private func endpoint(
        _ rows: OwnPath.Rows, _ limit: AllowanceKey?, _ page: PageRequest?, refusing host: (any Dialect)?
    ) -> Disposition {
        let limiter = gate.limits.limiter
        let refusedLimit = rows.first.row.counting == .refused ? limit : nil
        let countRefused = { @Sendable () async in
            guard let refusedLimit else { return }
            _ = await limiter.ask(refusedLimit, .exact, now: UnixTime.seconds())
        }
        return .endpoint(bodyBytesMax: bodyBytesMax, bodyWasRefused: countRefused) { [useCases] request in
            let request = ClientRequest(request, page: page)
            let chosen = rows.chosen(by: request.json)
            let (reply, isRefused): (Reply, Bool)
            do throws(Refusal) {
                let answer = try await chosen.row.answer(request, useCases)
                (reply, isRefused) = (answer, (400..<500).contains(answer.status))
            } catch {
                var answer = (host ?? chosen.dialect).reply(to: error)
                answer.headers += request.clearing(after: error) + chosen.row.refusalHeaders
                // A failure on our side is not the client's fault.
                (reply, isRefused) = (answer, answer.status < 500)
            }
            if isRefused { await countRefused() }
            return reply
        }
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

    /// Returns the scheme that a trusted proxy states, since only the proxy knows its client, or else the connection's own.
    func scheme(of head: RequestHead) -> ForwardedScheme {
        guard comesFromProxy(head) else { return head.peer.scheme }
        let stated = head.all("x-forwarded-proto")
        return stated.isEmpty ? head.peer.scheme : ForwardedScheme(statedBy: stated, through: path(of: head).proxyCount)
    }

    private func comesFromProxy(_ head: RequestHead) -> Bool { head.peer.isProxy(among: trustedProxies) }

    func clientAddress(of head: RequestHead) -> String {
        if let address = console?.browserAddress(of: head) { return address }
        return comesFromProxy(head) ? path(of: head).client.description : head.peer.text
    }

    private func path(of head: RequestHead) -> ClientPath {
        let forwarded = head.all("x-forwarded-for").map { String(decoding: $0, as: UTF8.self) }
        return ClientPath(peer: head.peer.address, forwardedFor: forwarded, trustedProxies: trustedProxies)
    }
}
