import Policies

/// A dialect as this deployment speaks it.
struct SpokenDialect: Sendable {
    let dialect: any Dialect
    /// The host in lower case whose requests it takes where it shares a path with others.
    var host: String?
    /// Of the policy file; nil for those that are always on.
    var line: Int?
}

extension SpokenDialect {
    /// The dialects of a policy in its order, then those that are always on.
    static func all(of policy: Policy) -> [SpokenDialect] {
        let known = known(to: policy)
        return policy.dialects.compactMap { entry in
            known.first { $0.name == entry.name }.map { SpokenDialect(dialect: $0, host: entry.host, line: entry.line) }
        } + [SpokenDialect(dialect: OAuthDialect())]
    }

    /// Those that a policy can name; their names stand in `Policies.Dialect.knownNames`.
    private static func known(to policy: Policy) -> [any Dialect] {
        let attributes = NativeAttributes(declared: policy.attributes)
        return [NativeDialect(attributes: attributes), AarokyaDialect(attributes: attributes)]
    }
}
