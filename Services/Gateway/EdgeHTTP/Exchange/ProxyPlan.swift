/// The part that a cookie with the access token plays in a response of the app's API.
package enum CookieUse: Sendable {
    /// No cookie makes a difference.
    case none
    /// A request with such a cookie could have another response.
    case possible
    /// The cookie signed the user in.
    case signedIn
}

/// How one request is passed on.
package struct ProxyPlan: Sendable {
    let upstream: UpstreamGroup
    /// The path and query as they are sent.
    let target: [UInt8]
    /// The client's own IP address, read through trusted proxies.
    let clientAddress: String
    /// The scheme of the client's request to us, or to the trusted proxy in front.
    let scheme: ForwardedScheme
    /// The user's identity as lines of a head; empty if there is no signed-in user.
    let identityLines: [UInt8]
    /// Further names of fields that only the edge states, whether or not the identity has them.
    let ownFieldNames: OwnFieldNames
    let keepsAuthorization: Bool
    /// The greatest size of a body; `nil` if any length is streamed through.
    let bodyBytesMax: Int?
    /// The longest time without progress, in seconds: until the response begins, and between pieces of a body in either direction.
    let timeoutSeconds: Int64
    /// The longest time from the end of the head to the end of the response, in seconds; `nil` if progress is enough.
    let totalSeconds: Int64?
    /// Whether only the edge decides which pages of other origins may read the response.
    let ownsCrossOrigin: Bool
    /// Whether the edge keeps sessions in cookies, which no upstream may clear.
    let ownsCookies: Bool
    let cookieUse: CookieUse
    /// Whether the upstream is Latchkey's own, which gets and sets the edge's cookies.
    let sharesCookies: Bool
    /// How a WebSocket or a live response is handled; `nil` for any other request.
    let long: LongPlan?

    /// Creates a plan. The defaults fit a client over plain HTTP, without a bound on the whole.
    package init(
        upstream: UpstreamGroup, target: [UInt8], clientAddress: String, scheme: ForwardedScheme = .http,
        identityLines: [UInt8], ownFieldNames: OwnFieldNames = .none, keepsAuthorization: Bool, bodyBytesMax: Int?,
        timeoutSeconds: Int64,
        totalSeconds: Int64? = nil, ownsCrossOrigin: Bool = false,
        ownsCookies: Bool = false, cookieUse: CookieUse = .none, sharesCookies: Bool = false,
        long: LongPlan? = nil
    ) {
        self.upstream = upstream
        self.target = target
        self.clientAddress = clientAddress
        self.scheme = scheme
        self.identityLines = identityLines
        self.ownFieldNames = ownFieldNames
        self.keepsAuthorization = keepsAuthorization
        self.bodyBytesMax = bodyBytesMax
        self.timeoutSeconds = timeoutSeconds
        self.totalSeconds = totalSeconds
        self.ownsCrossOrigin = ownsCrossOrigin
        self.ownsCookies = ownsCookies
        self.cookieUse = cookieUse
        self.sharesCookies = sharesCookies
        self.long = long
    }
}
