import AccessTokens
import EdgeHTTP
import NIOCore
import Policies
import ServiceKit

/// A request at a route of the app's API, on its way through the gate.
struct AppRequest: Sendable {
    let route: AppRoute
    let head: RequestHead
    let passage: Passage
    /// The request to open a WebSocket; `nil` at any other route.
    let handshake: WebSocketHandshake?

    /// The bearer's token: that of `Authorization`, or of a WebSocket's subprotocol. Two of them are one too many.
    fileprivate var bearer: BearerCredential {
        guard let token = handshake?.bearer else { return BearerCredential(head) }
        return head.has(.authorization) ? .malformed : BearerCredential(token: token)
    }

    /// The bearer's token at a route where it is optional; `nil` if the request presents none.
    fileprivate var optionalBearer: BearerCredential? {
        handshake?.bearer == nil ? BearerCredential.presented(by: head) : bearer
    }
}

extension EdgeRouter {
    /// Decides how a request of the app's API is handled: refused, or passed on with the identity of its user.
    func app(_ route: AppRoute, _ head: RequestHead, _ passage: Passage) -> Disposition {
        if route.isConsole { return administrators(route, head, passage) }
        guard route.policy.webSocket else {
            return app(AppRequest(route: route, head: head, passage: passage, handshake: nil))
        }
        do throws(HTTPViolation) {
            let handshake = try WebSocketHandshake(head)
            return app(AppRequest(route: route, head: head, passage: passage, handshake: handshake))
        } catch {
            return passage.refusedHandshake(error)
        }
    }

    /// Passes a request on to the console, if its address may use it.
    private func administrators(_ route: AppRoute, _ head: RequestHead, _ passage: Passage) -> Disposition {
        let address = clientAddress(of: head)
        guard let console, gate.admin.admits(address, trustedProxies: trustedProxies) else {
            return unserved(.notFound, head, passage)
        }
        return passage.counted(gate.limits.auth(address: address), .leased) {
            guard !console.refuses(head, over: scheme(of: head)) else { return passage.refused(.crossSite) }
            return .proxy(console.plan(head, clientAddress: address, scheme: scheme(of: head)))
        }
    }

    private func app(_ request: AppRequest) -> Disposition {
        // Most requests have none of our cookies, and cost nothing more.
        let page =
            request.head.hasOwnCookies ? pages?.request(request.head, over: scheme(of: request.head)) : nil
        let opensWebSocket = request.handshake != nil
        if let fault = page?.fault(
            of: request.head, at: request.route.policy.access, opensWebSocket: opensWebSocket)
        {
            return request.passage.refused(Refusal(fault))
        }
        guard request.route.policy.limit?.caller == .address else { return judged(request, page) }
        // The limit comes before the token, so that requests without one are counted too.
        let limit = gate.limits.app(request.route.policy, address: clientAddress(of: request.head))
        return request.passage.counted(limit, .leased) { judged(request, page) }
    }

    private func judged(_ request: AppRequest, _ page: PageRequest?) -> Disposition {
        switch request.route.policy.access {
        case .open: return .proxy(plan(request, .none, identityLines: []))
        case .optional:
            let use: CookieUse = pages?.keepsAccess(at: request.head) == true ? .possible : .none
            let bearer = request.optionalBearer
            guard let credential = bearer ?? page?.accessCredential else {
                return .proxy(plan(request, use, identityLines: []))
            }
            return admitted(credential, nil, request, bearer == nil ? .signedIn : use)
        case .bearer: return admitted(nil, request, page)
        case .role(let roles): return admitted(roles, request, page)
        // A page has no token of a client, so its cookies play no part.
        case .client: return admitted(request.bearer, nil, request, .none)
        }
    }

    /// Admits the request of a user by the bearer, or else by a page's cookie.
    private func admitted(_ roles: [String]?, _ request: AppRequest, _ page: PageRequest?) -> Disposition {
        let bearer = request.bearer
        guard bearer == .missing, let cookie = page?.accessCredential else {
            return admitted(bearer, roles, request, .none)
        }
        return admitted(cookie, roles, request, .signedIn)
    }

    /// Admits the request of the user or client of a token, or of a person who acts as the user, within their limit.
    private func admitted(
        _ credential: BearerCredential, _ roles: [String]?, _ request: AppRequest, _ use: CookieUse
    ) -> Disposition {
        let (access, actAs) = (request.route.policy.access, request.route.policy.actAs)
        return request.passage.authenticated(
            credential, roles: roles, admits: access == .client ? .clients : actAs == nil ? .users : .usersAndActing
        ) { token in
            if case .acting = token.holder, actAs != .write, !request.head.method.isSafe {
                return request.passage.refusedAsActing()
            }
            if let needed = request.route.authentication,
                let (reason, challenge) = needed.refusal(of: token, now: UnixTime.seconds())
            {
                return request.passage.refused(reason, challenge)
            }
            guard request.route.policy.limit?.caller == .user else { return proxied(request, as: token, use) }
            let limit = gate.limits.app(request.route.policy, userID: token.counted)
            return request.passage.counted(limit, .leased) { proxied(request, as: token, use) }
        }
    }

    private func proxied(_ request: AppRequest, as token: TokenIdentity, _ use: CookieUse) -> Disposition {
        guard let identityLines = token.headerLines else { return request.passage.refused(.accessTokenInvalid) }
        let headers = request.route.policy.claimHeaders
        let lines = headers.isEmpty ? identityLines : identityLines + IdentityHeaders.lines(headers, of: token.mapped)
        guard let audience = request.route.policy.identityAudience, let identity else {
            return .proxy(plan(request, use, token, identityLines: lines))
        }
        do throws(KeyError) {
            let proof = try identity.proof(of: token, for: audience, now: UnixTime.seconds())
            return .proxy(plan(request, use, token, identityLines: lines + IdentityHeaders.line(proof: proof)))
        } catch {
            // Without its proof an upstream that relies on it would take the request for one without a user.
            return request.passage.refused(.unavailable)
        }
    }

    /// - Parameter token: the user's token; `nil` if the request has none.
    private func plan(
        _ request: AppRequest, _ use: CookieUse, _ token: TokenIdentity? = nil, identityLines: [UInt8]
    ) -> ProxyPlan {
        let isLong = request.route.policy.webSocket || request.route.policy.live
        return ProxyPlan(
            upstream: request.route.upstream, target: request.route.target(of: request.head),
            clientAddress: clientAddress(of: request.head), scheme: scheme(of: request.head),
            identityLines: identityLines, ownFieldNames: claimHeaderNames,
            keepsAuthorization: request.route.policy.keepAuthorization,
            // A WebSocket's bytes are no body.
            bodyBytesMax: request.handshake != nil ? nil : request.route.policy.bodyBytesMax.map { Int(clamping: $0) },
            timeoutSeconds: request.route.policy.timeoutSeconds, totalSeconds: request.route.policy.totalSeconds,
            ownsCrossOrigin: crossOrigin != nil, ownsCookies: pages != nil, cookieUse: use,
            long: isLong ? longPlan(request, token) : nil)
    }

    private func longPlan(_ request: AppRequest, _ token: TokenIdentity?) -> LongPlan {
        LongPlan(
            handshake: request.handshake,
            idleSeconds: request.route.policy.idleSeconds ?? Policies.Route.usualIdleSeconds,
            expiresAt: token?.expiry(now: .now(), milliseconds: UnixTime.milliseconds()),
            watch: LongConnection(request.head, at: request.route, as: token, among: gate.long))
    }
}
