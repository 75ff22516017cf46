/// One server that requests are sent on to.
struct UpstreamEndpoint: Sendable, Hashable {
    let host: String
    let port: Int

    /// As it goes into `Host`.
    var authority: String { port == 80 ? host : "\(host):\(port)" }

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `http://host[:port]`; nil for anything else.
    init?(url: String) {
        guard url.hasPrefix("http://") else { return nil }
        let authority = url.dropFirst(7).prefix { $0 != "/" }
        if let colon = authority.lastIndex(of: ":"), let port = UInt16(authority[authority.index(after: colon)...]) {
            self.init(host: String(authority[..<colon]), port: Int(port))
        } else {
            self.init(host: String(authority), port: 80)
        }
        guard !host.isEmpty else { return nil }
    }
}

/// The replicas of one upstream.
final class UpstreamGroup: Sendable {
    let name: String
    let endpoints: [UpstreamEndpoint]
    let limits: UpstreamLimits

    init(name: String, endpoints: [UpstreamEndpoint], limits: UpstreamLimits = UpstreamLimits()) {
        self.name = name
        self.endpoints = endpoints
        self.limits = limits
    }
}

/// Bounds of the connections to one endpoint from one event loop.
struct UpstreamLimits: Sendable {
    var connectionsMax = 256
    var idleConnectionsMax = 64
    /// Below the idle time of common servers, so that a request seldom meets a connection that is just being closed.
    var idleSeconds: Int64 = 15
    var waitingMax = 1024
    var waitMilliseconds: Int64 = 1000
    var connectMilliseconds: Int64 = 1000
    var headBytesMax = 64 * 1024
    /// How long an endpoint that refuses connections is passed over, at first and at most.
    var ejectionMilliseconds: Int64 = 100
    var ejectionMillisecondsMax: Int64 = 5000
}

/// Why an upstream gave no whole answer.
enum UpstreamFailure: String, Error, Sendable, CaseIterable {
    /// No endpoint accepted a connection.
    case unreachable
    /// All connections are busy and too many requests wait.
    case overloaded
    /// The connection ended before an answer began.
    case closedBeforeAnswer
    /// The answer broke off.
    case brokenAnswer
    case malformedAnswer
    case timeout
    case cancelled
}
