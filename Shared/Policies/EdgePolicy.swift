/// The bounds on requests that clients send to the gateway, and on their duration (security guide L9, R-17, R-99).
package struct EdgePolicy: Sendable, Equatable {
    /// The bytes of request line and header fields together.
    package var headerBytesMax = 32_768
    package var headerCountMax = 100
    /// The bytes of a body for Latchkey's own endpoints; a route of the app has its own bound.
    package var bodyBytesMax = 16_384
    package var connectionsMax = 16_384
    /// Connections of one client IP address (`limitScopes`); allows for carrier NAT.
    package var connectionsPerAddressMax = 2_000
    /// The seconds from the first byte of a request to the end of its header.
    package var headerTimeoutSeconds: Int64 = 10
    /// The seconds between two pieces of a body.
    package var bodyIdleTimeoutSeconds: Int64 = 10
    /// The seconds between two requests of one connection.
    package var idleTimeoutSeconds: Int64 = 30
    /// The bytes per second below which a client is too slow. If a client sends its body or reads its response more slowly than
    /// this for ten seconds, and nothing else delays the transfer, its connection is closed.
    package var bytesPerSecondMin = 128
    /// Requests of one client IP address (`limitScopes`) to Latchkey's own endpoints; `nil` if they are not limited. Allows for
    /// carrier NAT. Requests for codes are not among them, since their own limits count IP addresses.
    package var authLimit: RateLimit? = RateLimit(max: 1_200, windowSeconds: 60)
    /// The path at which the public ports respond to health checks; `nil` if there is none.
    package var healthPath: String? = "/healthz"
    /// Whether every connection comes from a trusted proxy and begins with a PROXY protocol header (version 1 or 2) that
    /// states the client's address.
    package var proxyProtocol = false
    /// The `max-age` of `Strict-Transport-Security`, in seconds, sent only to clients over https; 0 if the field is not sent.
    package var hstsSeconds: Int64 = 0
    /// One in this many successful requests to the app's API is in the access log; all other requests are always there.
    package var accessLogOneIn: Int64 = 100
    /// The rules of TLS connections, if the gateway serves them itself.
    package var tls = EdgeTLSPolicy()

    package init() {}
}

extension EdgePolicy {
    /// Section `edge`:
    /// - `headerBytesMax` integer, 4,096...65,536, default 32,768
    /// - `headerCountMax` integer, 16...256, default 100
    /// - `bodyBytesMax` integer, 1,024...65,536, default 16,384
    /// - `connectionsMax` integer, 16...1,000,000, default 16,384
    /// - `connectionsPerAddressMax` integer, 1...1,000,000, default 2,000
    /// - `headerTimeoutSeconds` integer, 1...60, default 10
    /// - `bodyIdleTimeoutSeconds` integer, 1...300, default 10
    /// - `idleTimeoutSeconds` integer, 1...600, default 30
    /// - `bytesPerSecondMin` integer, 1...1,000,000, default 128
    /// - `authLimit` section (`max`, `windowSeconds`) per client IP address, or none, default 1,200 a minute
    /// - `healthPath` a path without `*` that is not one of Latchkey's own, or none, default /healthz
    /// - `proxyProtocol` true or false, default false; with true `trustedProxies` is required
    /// - `hstsSeconds` integer, 0...63,072,000 (2 years), default 0
    /// - `accessLogOneIn` integer, 1...1,000,000, default 100
    /// - `tls` section, see `EdgeTLSPolicy`
    init(reading section: PolicySection) {
        section.integer("headerBytesMax", in: 4_096...65_536, into: &headerBytesMax)
        section.integer("headerCountMax", in: 16...256, into: &headerCountMax)
        section.integer("bodyBytesMax", in: 1_024...65_536, into: &bodyBytesMax)
        section.integer("connectionsMax", in: 16...1_000_000, into: &connectionsMax)
        section.integer("connectionsPerAddressMax", in: 1...1_000_000, into: &connectionsPerAddressMax)
        section.integer("headerTimeoutSeconds", in: 1...60, into: &headerTimeoutSeconds)
        section.integer("bodyIdleTimeoutSeconds", in: 1...300, into: &bodyIdleTimeoutSeconds)
        section.integer("idleTimeoutSeconds", in: 1...600, into: &idleTimeoutSeconds)
        section.integer("bytesPerSecondMin", in: 1...1_000_000, into: &bytesPerSecondMin)
        section.sectionOrNone("authLimit", into: &authLimit, RateLimit.init(reading:))
        section.valueOrNone("healthPath", .healthPath, into: &healthPath)
        section.flag("proxyProtocol", into: &proxyProtocol)
        section.integer("hstsSeconds", in: 0...63_072_000, into: &hstsSeconds)
        section.integer("accessLogOneIn", in: 1...1_000_000, into: &accessLogOneIn)
        section.section("tls") { tls = EdgeTLSPolicy(reading: $0) }
    }
}

extension ValueRule where Value == String {
    /// A path as requests write it, outside the paths of Latchkey's own endpoints.
    fileprivate static var healthPath: TextRule {
        TextRule("a path of segments of A-Z a-z 0-9 . _ ~ -, outside \(Route.ownPaths.joined(separator: ", "))") {
            text in
            !text.contains("*") && RoutePattern(text) != nil && Route.ownPath(of: text) == nil
        }
    }
}
