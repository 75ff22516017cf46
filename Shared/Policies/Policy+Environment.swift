extension Policy {
    /// What forbids this policy in `environment`, one sentence each; empty when nothing does.
    ///
    /// Apart from `load`, because one file serves every environment.
    package func problems(in environment: DeploymentEnvironment) -> [String] {
        var problems: [String] = []
        if let problem = publicURL?.problem(in: environment) { problems.append("\(name): publicURL \(problem)") }
        if let link = email?.linkURL.flatMap(PublicURL.init), let problem = link.problem(in: environment) {
            problems.append("\(name): email.linkURL \(problem)")
        }
        problems += oidc.compactMap { $0.problem(in: environment) }.map { "\(name): \($0)" }
        if environment == .production, trustedProxies.contains(where: { $0.prefixLength == 0 }) {
            problems.append("\(name): trustedProxies that hold every address are not allowed in production")
        }
        return problems
    }

    /// What is allowed in `environment` and seldom meant, one sentence each.
    package func cautions(in environment: DeploymentEnvironment) -> [String] {
        guard environment == .production, sendsCodes else { return [] }
        var cautions: [String] = []
        if countries.allowedPrefixes == nil {
            cautions.append(
                "\(name): countries.allowed is all: whoever asks makes you pay for messages to any country; "
                    + "list the prefixes of those where your users are")
        }
        if spend == nil {
            cautions.append(
                "\(name): there is no section spend: nothing but their number bounds what messages cost; name prices and "
                    + "budgets")
        }
        return cautions
    }
}
