import EdgeHTTP

/// The rule for requests with one of our cookies: another page must not be able to act or read with them.
///
/// `SameSite` keeps other sites out but not other hosts of the site, and older browsers know less of it; so the request's own
/// statements decide, which no page can forge (Fetch standard, `Origin` and `Sec-Fetch-…`).
enum CrossSiteRule {
    /// The request's `Origin`.
    enum Origin: Sendable, Equatable {
        /// The request states none.
        case none
        /// The API's own origin, or one of `cookies.origins`.
        case allowed
        /// Any other, `null` among them, and several.
        case other
    }

    /// The facts about a request on which the rule depends.
    struct Request: Sendable {
        let method: HTTPMethod
        let origin: Origin
        /// The value of `Sec-Fetch-Site`; `nil` if there is none, as in browsers from before 2023.
        let site: String?
        /// Returns whether the browser opens the response as a page of its own; called only if it decides.
        let isNavigation: @Sendable () -> Bool
        /// Whether it opens a WebSocket. Any page may do that, and read what comes.
        var opensWebSocket = false
    }

    static func refuses(_ request: Request) -> Bool {
        guard request.method.isRead, !request.opensWebSocket else {
            return request.origin != .allowed || !isKnownSite(request)
        }
        guard request.origin == .other || !isKnownSite(request) else { return false }
        return request.method == .options || !request.isNavigation()
    }

    /// Whether the page that caused the request is the API's own, or one that is allowed.
    private static func isKnownSite(_ request: Request) -> Bool {
        switch request.site {
        case nil, "same-origin", "none": true
        case "same-site": request.origin == .allowed
        default: false
        }
    }
}

extension CrossSiteRule.Request {
    init(_ head: RequestHead, origin: CrossSiteRule.Origin, opensWebSocket: Bool = false) {
        self.init(
            method: head.method, origin: origin,
            site: head.text("sec-fetch-site") ?? (head.all("sec-fetch-site").isEmpty ? nil : ""),
            isNavigation: { head.text("sec-fetch-mode") == "navigate" && head.text("sec-fetch-dest") == "document" },
            opensWebSocket: opensWebSocket)
    }
}

extension HTTPMethod {
    /// Whether the method only reads (RFC 9110 section 9.2.1).
    fileprivate var isRead: Bool { self == .get || self == .head || self == .options }
}
