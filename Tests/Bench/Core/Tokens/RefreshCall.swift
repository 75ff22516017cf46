/// A refresh as a dialect spells it.
struct RefreshCall: Sendable, Equatable {
    static let native = RefreshCall(dialect: "native", path: "/auth/refresh", member: "refreshToken")
    static let aarokya = RefreshCall(
        dialect: "aarokya", path: "/auth/token/refresh", member: "refresh_token", boundRatio: 1.08)
    static let voltyks = RefreshCall(
        dialect: "voltyks", path: "/api/Auth/RefreshToken", member: "refreshToken", isBearer: true)
    static let gremlin = RefreshCall(dialect: "gremlin", path: "/api/auth/refresh", member: "refreshToken")
    /// At a host of its own: it shares the native path.
    static let uta = RefreshCall(
        dialect: "uta", path: "/auth/refresh", member: "refreshToken", host: "uta.example")
    /// A web page's, in the native dialect, with the tokens in cookies.
    static let cookies = RefreshCall(
        name: "cookies", dialect: "native", path: "/auth/refresh", member: "latchkey-refresh", boundRatio: 1.05)
    /// All that are compared with the native one.
    static let others = [aarokya, voltyks, gremlin, uta, cookies]

    /// The name in figures; the dialect's unless given.
    let name: String
    /// The dialect's name in policies and sessions.
    let dialect: String
    let path: String
    /// The name of the used token, and of its successor in the response, at any depth or as a cookie.
    let member: String
    /// Whether the token that is used comes in the header, with an empty body.
    let isBearer: Bool
    /// The host of the requests; `nil` for any host.
    let host: String?
    /// The bound of the cost relative to the native dialect.
    let boundRatio: Double

    private init(
        name: String? = nil, dialect: String, path: String, member: String, isBearer: Bool = false,
        host: String? = nil, boundRatio: Double = 1.10
    ) {
        self.name = name ?? dialect
        self.dialect = dialect
        self.path = path
        self.member = member
        self.isBearer = isBearer
        self.host = host
        self.boundRatio = boundRatio
    }

    /// Whether the tokens are in cookies, the page's secret beside the refresh token.
    var isByCookie: Bool { self == .cookies }

    /// The request that uses a session's token.
    ///
    /// - Parameter origin: the API's own, which a page's request names.
    func request(using session: RefreshableSession, origin: String) -> LoadRequest {
        let token = String(decoding: session.token, as: UTF8.self)
        if let secret = session.pageSecret {
            let page = [("Origin", origin), ("Cookie", "\(member)=\(token); latchkey-page=\(secret)")]
            return LoadRequest("POST", path, headers: LoadRequest.app + page, body: Array("{}".utf8))
        }
        let bearer = isBearer ? [("Authorization", "Bearer \(token)")] : []
        let body = isBearer ? [] : Array("{\"\(member)\":\"".utf8) + session.token + Array(#""}"#.utf8)
        return LoadRequest("POST", path, headers: LoadRequest.app + bearer, body: body, host: host)
    }

    /// The successor of the used token in the answer, or `nil` if it has none.
    func successor(in answer: LoadAnswer) -> [UInt8]? {
        isByCookie ? answer.cookie(member).map { Array($0.utf8) } : JSONText.string(member, in: answer.body)
    }
}

/// The credentials that a client keeps for one session.
struct RefreshableSession: Sendable {
    var token: [UInt8]
    /// The value of the page cookie; `nil` for an app's session.
    let pageSecret: String?

    init(token: String, pageSecret: String? = nil) {
        self.token = Array(token.utf8)
        self.pageSecret = pageSecret
    }
}

/// Text in an answer, found without reading the rest: a load generator's own work must stay small.
enum JSONText {
    /// The value of the first member `name` at any depth; only for values without escapes and text without spaces around
    /// its colons, as our own answers are.
    static func string(_ name: String, in json: [UInt8]) -> [UInt8]? {
        guard let key = json.firstRange(of: Array("\"\(name)\":\"".utf8)) else { return nil }
        let value = json[key.upperBound...]
        return value.firstIndex(of: UInt8(ascii: "\"")).map { Array(value[..<$0]) }
    }
}
