import EdgeHTTP
import Policies

/// The URLs of this deployment to which providers return browsers. They come from settings alone: a request only chooses among
/// the deployment's hosts, so that any other `Host` leads nowhere.
struct SignInCallbacks: Sendable, Equatable {
    /// The base URLs by the host, in lower case and without port.
    private let bases: [String: String]

    /// Creates the URLs of a deployment without sign-ins in a browser.
    init() { bases = [:] }

    /// - Parameter publicURL: the URL at which clients reach the deployment; `nil` if it is unknown.
    init(_ policy: Policy, publicURL: PublicURL?) {
        guard let publicURL else {
            bases = [:]
            return
        }
        var bases = Dictionary(
            policy.dialects.compactMap(\.host).map { ($0, publicURL.origin(at: $0)) },
            uniquingKeysWith: { first, _ in first })
        bases[publicURL.host] = publicURL.text
        self.bases = bases
    }

    /// Returns the URL at which a provider returns a browser that is at the request's host.
    ///
    /// - Throws: `.invalid(member: "Host")` for a host that is not the deployment's.
    func url(for provider: IdentityProviderPolicy, at head: RequestHead) throws(Refusal) -> String {
        guard let host = head.hostName, let base = bases[host.trimmingBrackets] else { throw .invalid(member: "Host") }
        return base + provider.callbackPath
    }
}

extension PublicURL {
    /// The origin with another host in place of its own: the hosts of a deployment share scheme and port.
    fileprivate func origin(at other: String) -> String {
        guard let scheme = origin.firstRange(of: "://")?.upperBound else { return origin }
        let authority = origin[scheme...]
        let port = authority.lastIndex(of: ":").map { authority[$0...] } ?? ""
        return origin[..<scheme] + other + (port.contains("]") ? "" : port)
    }
}
