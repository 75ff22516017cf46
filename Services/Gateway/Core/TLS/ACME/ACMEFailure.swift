import OutgoingConnections
import TLSPairs

/// Why the gateway got no certificate from its directory.
enum ACMEFailure: Error, Equatable, CustomStringConvertible {
    case unreachable(ConnectionFailure)
    case tooLarge
    /// A URL that leads away from the directory's own scheme, host and port.
    case foreignURL
    case contentType
    /// A response that is not the JSON or the certificates that RFC 8555 defines.
    case malformed
    case noNonce
    case status(Int)
    case problem(ACMEProblem)
    /// The authority could not verify a host.
    case challenge(host: String, ACMEProblem?)
    /// The directory does not offer the kind of challenge that the gateway can answer.
    case noChallenge
    case order(ACMEProblem?)
    case endless
    /// The policy pins keys, and the folder's key is not among them; `nil` if the folder has none.
    case unpinned(SPKIPin?)
    case certificate(TLSPairProblem)
    /// The certificate does not cover this host.
    case lacks(host: String)

    /// Whether another kind of challenge may succeed.
    var isOfChallenge: Bool {
        switch self {
        case .challenge, .noChallenge: true
        default: false
        }
    }

    /// A word for logs and `/readyz`.
    var code: String {
        switch self {
        case .unreachable(let failure): failure.rawValue
        case .tooLarge: "too_large"
        case .foreignURL: "foreign_url"
        case .contentType: "content_type"
        case .malformed: "malformed"
        case .noNonce: "no_nonce"
        case .status: "status"
        case .problem: "problem"
        case .challenge: "challenge"
        case .noChallenge: "no_challenge"
        case .order: "order"
        case .endless: "endless"
        case .unpinned: "unpinned"
        case .certificate: "certificate"
        case .lacks: "lacks_host"
        }
    }

    var description: String {
        switch self {
        case .unreachable(let failure): failure.words(of: "the directory")
        case .tooLarge: "a response of the directory is too large"
        case .foreignURL: "the directory names a URL outside of its own scheme, host and port"
        case .contentType: "a response of the directory has another Content-Type than RFC 8555 requires"
        case .malformed: "a response of the directory is not what RFC 8555 requires"
        case .noNonce: "the directory accepts none of its own nonces, or sends none"
        case .status(let status): "the directory responds with status \(status)"
        case .problem(let problem): "the directory refuses: \(Self.text(problem))"
        case .challenge(let host, let problem): "the authority cannot verify \(host): \(Self.text(problem))"
        case .noChallenge: "the directory offers neither http-01 nor tls-alpn-01"
        case .order(let problem): "the order has failed: \(Self.text(problem))"
        case .endless: "the directory did not finish the order in time"
        case .unpinned(let pin):
            "edge.tls.pins does not list the key. "
                + (pin.map { "Add its pin \($0), or replace acme.key by one that is listed, and delete acme.crt" }
                    ?? "Make acme.key with latchkeyctl tls new-key, and list its pin")
        case .certificate(let problem): "the directory's certificate cannot be served: \(problem)"
        case .lacks(let host): "the directory's certificate is not for \(host)"
        }
    }

    private static func text(_ problem: ACMEProblem?) -> String {
        problem.map { "\($0.type): \($0.detail)" } ?? "it states no reason"
    }
}
