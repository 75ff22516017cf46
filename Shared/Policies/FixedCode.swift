/// A code that every challenge has in some environments, so that nothing is sent there.
package struct FixedCode: Sendable, Hashable {
    package var code: String
    /// Where it holds; never in production, so that one file can serve every environment.
    package var environments: [DeploymentEnvironment]

    package init(code: String, environments: [DeploymentEnvironment]) {
        self.code = code
        self.environments = environments
    }
}

extension FixedCode {
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
    /// How many environments a code that is known beforehand can be for.
    static let testing = 1...2
}

extension ValueRule where Value == DeploymentEnvironment {
    /// Where codes may be known beforehand.
    static var testingEnvironment: Self {
        ValueRule("development, uat") { name in
            DeploymentEnvironment(rawValue: name).flatMap { $0 == .production ? nil : $0 }
        }
    }
}
