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
    /// All that are compared with the native one.
    package static let others = [aarokya, voltyks, gremlin, uta]

    /// The dialect's name in policies and sessions.
    package let dialect: String
    package let path: String
    /// The name of the used token, and of its successor in the response, at any depth.
    package let member: String
    /// Whether the token that is spent comes in the header, with an empty body.
    var isBearer = false
    /// The host of the requests; `nil` for any host.
    var host: String?
    /// The bound of the cost relative to the native dialect.
    var boundRatio = 1.10

    /// The request that spends `token`.
    func request(spending token: [UInt8]) -> LoadRequest {
        guard isBearer else {
            let body = Array("{\"\(member)\":\"".utf8) + token + Array(#""}"#.utf8)
            return LoadRequest("POST", path, headers: Self.headers, body: body, host: host)
        }
        let bearer = ("Authorization", "Bearer \(String(decoding: token, as: UTF8.self))")
        return LoadRequest("POST", path, headers: Self.headers + [bearer], host: host)
    }

    private static let headers = [
        ("Content-Type", "application/json"), ("User-Agent", "HowRU/2.1 (iPhone; iOS 19.0)"),
    ]
}
