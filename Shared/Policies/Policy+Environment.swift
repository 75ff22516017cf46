extension Policy {
    /// What forbids this policy in `environment`, one sentence each; empty when nothing does.
    ///
    /// Apart from `load`, because one file serves every environment.
    package func problems(in environment: DeploymentEnvironment) -> [String] {
        guard environment == .production else { return [] }
        guard trustedProxies.contains(where: { $0.prefixLength == 0 }) else { return [] }
        return ["\(name): trustedProxies that hold every address are not allowed in production"]
    }

    /// What is allowed in `environment` and seldom meant, one sentence each.
    package func cautions(in environment: DeploymentEnvironment) -> [String] {
        guard environment == .production, countries.allowedPrefixes == nil else { return [] }
        return [
            "\(name): countries.allowed is all: whoever asks makes you pay for messages to any country; "
                + "list the prefixes of those where your users are"
        ]
    }
}
