public import Foundation

/// Links that open the app.
extension LatchkeyAuth {
    /// Whether a URL that the app was opened with is the link of a mail: of the server's host, over https, with a token.
    ///
    /// Pass it to ``signInWithLink(_:_:)`` with the pending code, or for other mails to ``confirmRegistration(link:password:)`` or
    /// ``resetPassword(link:password:)``. Anyone can send a link to an app, so it is not opened without the user's doing.
    public func isLink(_ url: URL) -> Bool {
        engine.api.baseURL.mayKnowToken(url, otherHosts: configuration.linkHosts) && Self.token(of: url) != nil
    }

    /// The values of the entitlement `com.apple.developer.associated-domains` for links of mails, for saved passwords and for
    /// https redirects of a provider's page.
    public var associatedDomains: [String] {
        var hosts =
            configuration.linkHosts.isEmpty
            ? [configuration.baseURL.host()].compactMap(\.self) : configuration.linkHosts.sorted()
        for redirect in configuration.webRedirects where redirect.scheme?.lowercased() == "https" {
            if let host = redirect.host(), !hosts.contains(host) { hosts.append(host) }
        }
        return hosts.flatMap { ["applinks:\($0)", "webcredentials:\($0)"] }
    }
}
