/// A code that every challenge has in some environments, so that no message is sent there.
package struct FixedCode: Sendable, Hashable {
    package var code: String
    package var environments: [DeploymentEnvironment]

    package init(code: String, environments: [DeploymentEnvironment]) {
        self.code = code
        self.environments = environments
    }
}

extension FixedCode {
    static func keys(length: Int) -> [Key<Self>] {
        [
            Key("code", \.code, .text(.code(length: length)), "", required: true, example: "\"123456\""),
            Key(
                "environments", \.environments, .values(DeploymentEnvironment.testing, .testingEnvironment),
                "The environments in which it applies, never production.", required: true, example: "[uat]"),
        ]
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
