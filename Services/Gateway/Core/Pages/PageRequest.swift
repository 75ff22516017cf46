import EdgeHTTP
import InternalAPI
import Policies

/// A request at a host whose pages have their tokens in cookies.
struct PageRequest: Sendable {
    /// The fault for which a request with our cookies is refused.
    enum Fault: Sendable, Equatable {
        /// Another page made the request.
        case crossSite
        /// One of the cookies is there more than once.
        case ambiguousCookie
    }

    /// The dialect that sets cookies at the request's host.
    let dialect: PageDialect
    let names: CookieNames
    /// The path of the public URL, which browsers see before every path of the API.
    let basePath: String
    let cookies: PageCookies
    let origin: CrossSiteRule.Origin

    /// Whether a web page sent the request, so that its session is in cookies.
    var isPage: Bool { origin == .allowed }

    /// Returns what is wrong with the cookies of a request at one of our own paths, or `nil` if nothing is.
    func fault(of head: RequestHead) -> Fault? {
        fault(of: head, opensWebSocket: false, isAmbiguous: cookies.isAmbiguous)
    }

    /// Returns what is wrong with the cookies of a request at a route of the app.
    ///
    /// A second refresh cookie is nothing to such a route, and another host of the site could set one.
    func fault(of head: RequestHead, at access: Route.Access, opensWebSocket: Bool = false) -> Fault? {
        fault(
            of: head, opensWebSocket: opensWebSocket,
            isAmbiguous: access != .open && [cookies.access, cookies.page].contains(.ambiguous))
    }

    private func fault(of head: RequestHead, opensWebSocket: Bool, isAmbiguous: Bool) -> Fault? {
        guard !cookies.isEmpty else { return nil }
        let request = CrossSiteRule.Request(head, origin: origin, opensWebSocket: opensWebSocket)
        if CrossSiteRule.refuses(request) { return .crossSite }
        return isAmbiguous ? .ambiguousCookie : nil
    }

    /// The access cookie as credentials, if the dialect keeps the access token in a cookie.
    var accessCredential: BearerCredential? {
        guard dialect.keepsAccess, let token = cookies.access.text else { return nil }
        return BearerCredential(token: Array(token.utf8))
    }

    /// The page secret, or `nil` if the page cookie is missing or invalid.
    var secret: PageSecret? { cookies.page.text.flatMap(PageSecret.init) }

    // MARK: - Set-Cookie

    /// Returns the fields that store a session's tokens in the page's cookies.
    func storing(_ tokens: TokenSet, _ secret: PageSecret, now: Int64) -> [(String, String)] {
        let lifetime = tokens.refreshExpiresAt - now
        let cookies = [
            refresh(tokens.refreshToken, lifetime), page(secret.text, lifetime),
            access(tokens.accessToken, tokens.accessExpiresAt - now),
        ]
        return cookies.prefix(dialect.keepsAccess ? 3 : 2).map(\.field)
    }

    /// The fields that remove the page's cookies.
    var clearing: [(String, String)] {
        [refresh("", 0), page("", 0), access("", 0)].prefix(dialect.keepsAccess ? 3 : 2).map(\.field)
    }

    private func refresh(_ value: String, _ seconds: Int64) -> SetCookie {
        cookie(names.refresh, value, path: basePath + dialect.refreshCookiePath, .strict, seconds)
    }

    private func page(_ value: String, _ seconds: Int64) -> SetCookie { cookie(names.page, value, .strict, seconds) }

    /// A link from another site opens the app signed in, so the access cookie is the one that goes with such a navigation.
    private func access(_ value: String, _ seconds: Int64) -> SetCookie { cookie(names.access, value, .lax, seconds) }

    private func cookie(
        _ name: String, _ value: String, path: String = "/", _ sameSite: SetCookie.SameSite, _ seconds: Int64
    ) -> SetCookie {
        SetCookie(
            name: name, value: value, path: path, sameSite: sameSite, isSecure: names.isSecure, maxAgeSeconds: seconds)
    }
}
