/// A code that every challenge has in some environments, so that no message is sent there.
package struct FixedCode: Sendable, Hashable {
    package var code: String
    /// The environments in which it applies; never production, so that one file can serve every environment.
    package var environments: [DeploymentEnvironment]

    package init(code: String, environments: [DeploymentEnvironment]) {
        self.code = code
        self.environments = environments
    }
}

extension FixedCode {
    /// Reads the keys:
    /// - `code` text of `otp.length` digits, required
    /// - `environments` list of development and uat, required
    init(reading section: PolicySection, length: Int) {
        self.init(code: "", environments: [])
        section.requiredText("code", .digits(count: length), into: &code)
        section.requiredValues(
            "environments", count: DeploymentEnvironment.testing, .testingEnvironment, into: &environments)
    }
}

extension DeploymentEnvironment {
    /// The number of environments that a code known beforehand can be for.
    static let testing = 1...2
}

extension ValueRule where Value == DeploymentEnvironment {
    /// An environment in which codes may be known beforehand.
    static var testingEnvironment: Self {
        ValueRule("development, uat") { name in
            DeploymentEnvironment(rawValue: name).flatMap { $0 == .production ? nil : $0 }
        }
    }
}
