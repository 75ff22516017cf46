/// The bounds on requests that clients send to the gateway, and on their duration (security guide L9, R-17, R-99).
package struct EdgePolicy: Sendable, Equatable {
    package var headerBytesMax = 32_768
    package var headerCountMax = 100
    package var bodyBytesMax = 16_384
    package var connectionsMax = 16_384
    package var connectionsPerAddressMax = 2_000
    package var headerTimeoutSeconds: Int64 = 10
    package var bodyIdleTimeoutSeconds: Int64 = 10
    package var idleTimeoutSeconds: Int64 = 30
    package var bytesPerSecondMin = 128
    /// `nil` if there is no limit.
    package var authLimit: RateLimit? = RateLimit(max: 1_200, windowSeconds: 60)
    /// `nil` if there is none.
    package var healthPath: String? = "/healthz"
    package var proxyProtocol = false
    package var hstsSeconds: Int64 = 0
    package var accessLogOneIn: Int64 = 100
    package var apiDocument = false
    package var http2 = true
    package var tls = EdgeTLSPolicy()

    package init() {}
}

extension EdgePolicy {
    static let keys: [Key<Self>] = [
        Key(
            "headerBytesMax", \.headerBytesMax, .integer(4_096...65_536),
            "The bytes of request line and header fields together."),
        Key("headerCountMax", \.headerCountMax, .integer(16...256), "The header fields of a request."),
        Key(
            "bodyBytesMax", \.bodyBytesMax, .integer(1_024...65_536),
            "The bytes of a body for Latchkey's own endpoints; a route of the app has its own bound."),
        Key("connectionsMax", \.connectionsMax, .integer(16...1_000_000), "The connections of all clients."),
        Key(
            "connectionsPerAddressMax", \.connectionsPerAddressMax, .integer(1...1_000_000),
            "The connections of one client IP address; allows for carrier NAT."),
        Key(
            "headerTimeoutSeconds", \.headerTimeoutSeconds, .integer(1...60),
            "The seconds from the first byte of a request to the end of its header."),
        Key(
            "bodyIdleTimeoutSeconds", \.bodyIdleTimeoutSeconds, .integer(1...300),
            "The seconds between two pieces of a body."),
        Key(
            "idleTimeoutSeconds", \.idleTimeoutSeconds, .integer(1...600),
            "The seconds between two requests of one connection."),
        Key(
            "bytesPerSecondMin", \.bytesPerSecondMin, .integer(1...1_000_000),
            "A client that sends or reads more slowly for ten seconds, while nothing else delays the transfer, is "
                + "disconnected."),
        Key(
            "authLimit", \.authLimit, .orNone(.limit()),
            "Requests of one IP address to Latchkey's own endpoints, except those for codes, which count addresses "
                + "themselves; allows for carrier NAT."),
        Key(
            "healthPath", \.healthPath, .orNone(.text(.healthPath)),
            "The path at which the public ports respond to health checks of load balancers."),
        Key(
            "proxyProtocol", \.proxyProtocol, .flag,
            "Whether every connection begins with a PROXY protocol header (version 1 or 2); needs `trustedProxies`."),
        Key(
            "hstsSeconds", \.hstsSeconds, .integer(0...63_072_000),
            "The `max-age` of Strict-Transport-Security, sent only over https; 0: not sent."),
        Key(
            "accessLogOneIn", \.accessLogOneIn, .integer(1...1_000_000),
            "One in this many successful requests to the app's API is in the access log; all others always are."),
        Key(
            "apiDocument", \.apiDocument, .flag,
            "Whether the gateway serves its API's OpenAPI document and page under `/.well-known/latchkey/`."),
        Key(
            "http2", \.http2, .flag,
            "Whether clients may use HTTP/2 where the gateway serves https itself. Upstreams get HTTP/1.1 in any case."),
        Key(
            "tls", section: \.tls, EdgeTLSPolicy.keys,
            "The rules of TLS if the gateway serves https itself (docs/run/tls.md)."
        ) { $1.check($0) },
    ]
}

extension ValueRule where Value == String {
    /// A path as requests write it, outside the paths of Latchkey's own endpoints.
    fileprivate static var healthPath: TextRule {
        TextRule(
            "a path of segments of A-Z a-z 0-9 . _ ~ -, outside \(Route.ownPaths.joined(separator: ", "))",
            pattern: "^/"
        ) { text in
            !text.contains("*") && RoutePattern(text) != nil && Route.ownPath(of: text) == nil
        }
    }
}
