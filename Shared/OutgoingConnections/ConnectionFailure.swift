/// The reason why a call to another server got no response. Logs, traces, metrics and latchkeyctl show the same words, for messages,
/// mails, hooks, sign-in providers and upstreams.
package enum ConnectionFailure: String, Error, Sendable, CaseIterable, CustomStringConvertible {
    /// The port is closed, or the network has no route to it.
    case refused = "connection_refused"
    /// The host's name has no address.
    case nameNotFound = "name_not_found"
    /// The certificate has another name, has expired, or comes from an authority that is not trusted.
    case untrustedCertificate = "untrusted_certificate"
    /// The server uses no TLS, or no version that is allowed.
    case handshakeFailed = "handshake_failed"
    /// No connection within the time for it, its TLS handshake and its greeting included.
    case connectTimedOut = "connect_timed_out"
    /// The connection closed before the response was complete.
    case closed = "connection_closed"
    /// No complete response in time.
    case timedOut = "timed_out"

    /// Reads a reason for the log that begins with the word; `nil` if it begins with another.
    package init?(startOf reason: String) { self.init(rawValue: String(reason.prefix { $0 != ":" })) }

    /// Whether the server may have received the request, and acted on it.
    package var mayHaveBeenSent: Bool { self == .closed || self == .timedOut }

    package var description: String { rawValue }

    /// The failure of a request to `server`, in the operator's words.
    package func words(of server: String) -> String {
        let sent = mayHaveBeenSent ? "; the message may have been sent nevertheless" : ""
        return switch self {
        case .refused: "\(server) refused the connection: its port is closed, or there is no way to it"
        case .nameNotFound: "\(server)'s name has no address"
        case .untrustedCertificate: "\(server)'s certificate is not trusted"
        case .handshakeFailed: "\(server) offers no TLS that is allowed"
        case .connectTimedOut: "no connection to \(server) in time"
        case .closed: "\(server) closed the connection without a response\(sent)"
        case .timedOut: "no response from \(server) in time\(sent)"
        }
    }
}
