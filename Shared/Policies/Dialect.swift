/// An API spoken at the gateway's edge and the profile of the sessions that begin there.
package struct Dialect: Sendable, Hashable {
    /// The native API, on in every policy.
    package static let native = "native"
    /// Dialects that the gateway has an adapter for.
    package static let knownNames = [native]

    package var name: String
    package var profile: String
    /// The host in lower case whose requests this dialect answers where it shares a path with others; nil: any.
    package var host: String?

    package init(name: String, profile: String, host: String? = nil) {
        self.name = name
        self.profile = profile
        self.host = host
    }
}

extension Dialect {
    /// One item of the list `dialects`, whose order decides where two dialects share a path and their bodies do not:
    /// - `name` one of native, required
    /// - `profile` name of an entry of `profiles`, required
    /// - `host` a host name in lower case that no other dialect has, default none
    init(reading section: PolicySection, profiles: [String]) {
        self.init(name: "", profile: "")
        section.requiredText("name", .oneOf(Self.knownNames), into: &name)
        section.requiredText("profile", .oneOf(profiles), into: &profile)
        section.text("host", .domain, into: &host)
    }
}
