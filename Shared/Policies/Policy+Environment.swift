extension Policy {
    /// What forbids this policy in `environment`, one sentence each; empty when nothing does.
    ///
    /// Apart from `load`, because one file serves every environment.
    package func problems(in environment: DeploymentEnvironment) -> [String] {
        guard environment == .production else { return [] }
        var problems: [String] = []
        if otp.fixedCode != nil {
            problems.append("\(name): otp.fixedCode is not allowed in production; allowed: development, uat")
        }
        if !otp.testNumbers.isEmpty {
            problems.append("\(name): otp.testNumbers are not allowed in production; allowed: development, uat")
        }
        if trustedProxies.contains(where: { $0.prefixLength == 0 }) {
            problems.append("\(name): trustedProxies that hold every address are not allowed in production")
        }
        return problems
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
