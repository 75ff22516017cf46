/// A refresh as a dialect spells it.
package struct RefreshCall: Sendable, Equatable {
    package static let native = RefreshCall(dialect: "native", path: "/auth/refresh", member: "refreshToken")
    package static let aarokya = RefreshCall(
        dialect: "aarokya", path: "/auth/token/refresh", member: "refresh_token", boundRatio: 1.08)
    package static let voltyks = RefreshCall(
        dialect: "voltyks", path: "/api/Auth/RefreshToken", member: "refreshToken", isBearer: true)
    package static let gremlin = RefreshCall(dialect: "gremlin", path: "/api/auth/refresh", member: "refreshToken")
    /// At a host of its own: it shares the native path.
    package static let uta = RefreshCall(
        dialect: "uta", path: "/auth/refresh", member: "refreshToken", host: "uta.example")
    /// A web page's, in the native dialect, with the tokens in cookies.
    package static let cookies = RefreshCall(
        name: "cookies", dialect: "native", path: "/auth/refresh", member: "latchkey-refresh", boundRatio: 1.05)
    /// All that are compared with the native one.
    package static let others = [aarokya, voltyks, gremlin, uta, cookies]

    /// The name in figures; `nil` for the dialect's.
    private let ownName: String?
    /// The dialect's name in policies and sessions.
    package let dialect: String
    package let path: String
    /// The name of the used token, and of its successor in the response, at any depth or as a cookie.
    package let member: String
    /// Whether the token that is spent comes in the header, with an empty body.
    let isBearer: Bool
    /// The host of the requests; `nil` for any host.
    let host: String?
    /// The bound of the cost relative to the native dialect.
    let boundRatio: Double

    private init(
        name: String? = nil, dialect: String, path: String, member: String, isBearer: Bool = false,
        host: String? = nil, boundRatio: Double = 1.10
    ) {
        ownName = name
        self.dialect = dialect
        self.path = path
        self.member = member
        self.isBearer = isBearer
        self.host = host
        self.boundRatio = boundRatio
    }

    package var name: String { ownName ?? dialect }
    /// Whether the tokens are in cookies, the page's secret beside the refresh token.
    var isByCookie: Bool { self == .cookies }

    /// The request that spends a session's token.
    ///
    /// - Parameter origin: the API's own, which a page's request names.
    func request(spending session: RefreshableSession, origin: String) -> LoadRequest {
        let token = session.token
        if let secret = session.pageSecret {
            let cookies = "\(member)=\(String(decoding: token, as: UTF8.self)); latchkey-page=\(secret)"
            let page = [("Origin", origin), ("Cookie", cookies)]
            return LoadRequest("POST", path, headers: Self.headers + page, body: Array("{}".utf8))
        }
        guard isBearer else {
            let body = Array("{\"\(member)\":\"".utf8) + token + Array(#""}"#.utf8)
            return LoadRequest("POST", path, headers: Self.headers, body: body, host: host)
        }
        let bearer = ("Authorization", "Bearer \(String(decoding: token, as: UTF8.self))")
        return LoadRequest("POST", path, headers: Self.headers + [bearer], host: host)
    }

    /// The successor of the used token in the answer, or `nil` if it has none.
    func successor(in answer: LoadAnswer) -> [UInt8]? {
        isByCookie ? answer.cookie(member) : JSONText.string(member, in: answer.body)
    }

    private static let headers = [
        ("Content-Type", "application/json"), ("User-Agent", "HowRU/2.1 (iPhone; iOS 19.0)"),
    ]
}

/// The credentials that a client keeps for one session.
package struct RefreshableSession: Sendable {
    package var token: [UInt8]
    /// The value of the page cookie; `nil` for an app's session.
    package let pageSecret: String?

    package init(token: String, pageSecret: String? = nil) {
        self.token = Array(token.utf8)
        self.pageSecret = pageSecret
    }
}
