package import OutgoingConnections

/// A request that shows whether a provider can be reached, and where the provider allows it, whether the credentials are valid. It
/// sends no message and changes nothing.
package struct ProviderProbe: Sendable {
    /// The name of the check, such as `twilio`.
    package let name: String
    package let url: String
    package var headers: [String: String] = [:]
    /// Whether a response of 401 or 403 means invalid credentials.
    package var showsCredentials = false
    /// Whether any response but 2xx shows a wrong URL.
    package var mustSucceed = false
    /// The setting or policy key with the URL.
    package var place: String
    package var authorities: OwnAuthorities?

    package init(_ name: String, url: String, place: String, authorities: OwnAuthorities? = nil) {
        (self.name, self.url, self.place, self.authorities) = (name, url, place, authorities)
    }

    /// The origin of the URL, without path and query, which may be secret.
    package var server: String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return url }
        let host = parts[2].prefix { $0 != "/" && $0 != "?" }
        return "\(parts[0])//\(host.split(separator: "@").last ?? host)"
    }

    /// Returns the same probe of the origin's path `/`.
    package func atOrigin() -> ProviderProbe {
        var probe = ProviderProbe(name, url: server + "/", place: place, authorities: authorities)
        probe.headers = headers
        return probe
    }
}
