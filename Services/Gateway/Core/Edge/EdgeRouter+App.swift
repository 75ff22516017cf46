import AccessTokens
import EdgeHTTP
import Policies
import ServiceKit

extension EdgeRouter {
    /// Decides how a request of the app's API is handled: refused, or passed on with the identity of its user.
    func app(_ route: AppRoute, _ head: RequestHead, _ passage: Passage) -> Disposition {
        // Most requests have none of our cookies, and cost nothing more.
        let page = head.hasOwnCookies ? pages?.request(head, over: scheme(of: head)) : nil
        if let fault = page?.fault(of: head, at: route.policy.access) { return passage.refused(Refusal(fault)) }
        guard route.policy.limit?.caller == .address else { return judged(route, head, page, passage) }
        // The limit comes before the token, so that requests without one are counted too.
        let limit = gate.limits.app(route.policy, address: clientAddress(of: head))
        return passage.counted(limit, .leased) { judged(route, head, page, passage) }
    }

    private func judged(
        _ route: AppRoute, _ head: RequestHead, _ page: PageRequest?, _ passage: Passage
    ) -> Disposition {
        switch route.policy.access {
        case .open: return .proxy(plan(route, head, .none, identityLines: []))
        case .optional:
            let use: CookieUse = pages?.keepsAccess(at: head) == true ? .possible : .none
            let bearer = BearerCredential.presented(by: head)
            guard let credential = bearer ?? page?.accessCredential else {
                return .proxy(plan(route, head, use, identityLines: []))
            }
            return admitted(credential, nil, route, head, bearer == nil ? .signedIn : use, passage)
        case .bearer: return admitted(nil, route, head, page, passage)
        case .role(let roles): return admitted(roles, route, head, page, passage)
        }
    }

    /// Admits the request of a user by the bearer, or else by a page's cookie.
    private func admitted(
        _ roles: [String]?, _ route: AppRoute, _ head: RequestHead, _ page: PageRequest?, _ passage: Passage
    ) -> Disposition {
        let bearer = BearerCredential(head)
        guard bearer == .missing, let cookie = page?.accessCredential else {
            return admitted(bearer, roles, route, head, .none, passage)
        }
        return admitted(cookie, roles, route, head, .signedIn, passage)
    }

    /// Admits the request of the user of a token, within the user's limit.
    private func admitted(
        _ credential: BearerCredential, _ roles: [String]?, _ route: AppRoute, _ head: RequestHead,
        _ use: CookieUse, _ passage: Passage
    ) -> Disposition {
        passage.authenticated(credential, roles: roles) { token in
            if let seconds = route.policy.maxAgeSeconds,
                !token.isAuthenticated(within: seconds, now: UnixTime.seconds())
            {
                return passage.refusedAsOld(maxAgeSeconds: seconds)
            }
            guard route.policy.limit?.caller == .user else { return proxied(route, head, as: token, use, passage) }
            let limit = gate.limits.app(route.policy, userID: token.userID)
            return passage.counted(limit, .leased) { proxied(route, head, as: token, use, passage) }
        }
    }

    private func proxied(
        _ route: AppRoute, _ head: RequestHead, as token: TokenIdentity, _ use: CookieUse,
        _ passage: Passage
    ) -> Disposition {
        guard let lines = token.headerLines else { return passage.refused(.accessTokenInvalid) }
        guard let audience = route.policy.identityAudience, let identity else {
            return .proxy(plan(route, head, use, identityLines: lines))
        }
        do throws(KeyError) {
            let proof = try identity.proof(of: token, for: audience, now: UnixTime.seconds())
            return .proxy(plan(route, head, use, identityLines: lines + IdentityHeaders.line(proof: proof)))
        } catch {
            // Without its proof an upstream that relies on it would take the request for one without a user.
            return passage.refused(.unavailable)
        }
    }

    private func plan(
        _ route: AppRoute, _ head: RequestHead, _ use: CookieUse, identityLines: [UInt8]
    ) -> ProxyPlan {
        ProxyPlan(
            upstream: route.upstream, target: route.target(of: head), clientAddress: clientAddress(of: head),
            scheme: scheme(of: head), identityLines: identityLines, keepsAuthorization: route.policy.keepAuthorization,
            bodyBytesMax: route.policy.bodyBytesMax.map { Int(clamping: $0) },
            timeoutSeconds: route.policy.timeoutSeconds, totalSeconds: route.policy.totalSeconds,
            ownsCrossOrigin: crossOrigin != nil, ownsCookies: pages != nil, cookieUse: use)
    }
}
