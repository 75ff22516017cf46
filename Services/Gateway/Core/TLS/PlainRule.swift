import EdgeHTTP
import Policies

/// The treatment of requests without TLS, if not all of them are served.
struct PlainRule: Sendable {
    /// `LATCHKEY_PLAIN`.
    enum Use: String, Sendable, CaseIterable { case serve, redirect }

    /// The decision about one request.
    enum Verdict: Sendable, Equatable {
        case serve
        /// A certificate authority's challenge, which comes only over plain HTTP (RFC 8555 section 8.3), for the program outside
        /// that answers it.
        case challenge
        /// A challenge of the gateway's own order.
        case answer(String)
        /// There is no certificate yet, and nothing else is served without TLS.
        case unavailable
        case redirect(to: String)
        /// The request is refused. Its secrets may have been read on the way, and if it were served, the client would send them so
        /// again.
        case refuse
    }

    static let challengePath = "/.well-known/acme-challenge/"
    /// The time that the program which answers challenges has for a response.
    static let challengeSeconds: Int64 = 10
    static let challengeRoute = RouteLabel(index: -1, text: challengePath + "{token}")

    let use: Use
    /// The port at which clients reach the socket for TLS.
    let port: Int
    /// Whether a certificate covers a host: a name, or an IP address in its canonical text.
    let covers: @Sendable (String) -> Bool
    /// The server that answers challenges; `nil` if there is none.
    let challenges: UpstreamGroup?
    /// The challenges of the gateway's own orders; `nil` if it orders no certificate.
    var board: ChallengeBoard?
    /// Whether the gateway waits for its first certificate.
    var lacksCertificate: @Sendable () -> Bool = { false }

    /// Judges a request whose client has come without TLS.
    func judge(_ head: RequestHead) -> Verdict {
        let isReading = head.method == .get || head.method == .head
        if isReading, challenges != nil || board != nil, head.pathText.hasPrefix(Self.challengePath) {
            let token = head.pathText.dropFirst(Self.challengePath.utf8.count)
            if let answer = board?.answer(to: String(token)) { return .answer(answer) }
            if challenges != nil { return .challenge }
        }
        guard !lacksCertificate() else { return .unavailable }
        guard use == .redirect else { return .serve }
        // A client that sends a token or a cookie would send it to the next http:// link too.
        guard isReading, head.count(.authorization) == 0, head.all("cookie").isEmpty else { return .refuse }
        guard let host = head.hostName, let certified = head.certifiedHost, covers(certified) else { return .refuse }
        let target = String(decoding: head.target, as: UTF8.self)
        return .redirect(to: "https://\(host)\(port == EdgeListening.usualPort ? "" : ":\(port)")\(target)")
    }

    /// Returns the plan by which a challenge is passed on.
    func plan(_ head: RequestHead, to group: UpstreamGroup, clientAddress: String) -> ProxyPlan {
        ProxyPlan(
            upstream: group, target: Array(head.target), clientAddress: clientAddress, identityLines: [],
            keepsAuthorization: false, bodyBytesMax: 0, timeoutSeconds: Self.challengeSeconds,
            totalSeconds: Self.challengeSeconds)
    }
}
