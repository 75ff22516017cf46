import FoundationEssentials

/// The policy's sections of passkeys and second factors, which every stack has if `LATCHKEY_TEST_FACTORS` is 1. Nothing of a suite
/// that knows neither may change by them.
enum FactorSections {
    private static let sections = ["passkeys": "{ rpID: localhost }", "mfa": "{}"]

    /// Returns the policy of a stack: the one that is set, or a copy in `folder` with the sections that it lacks.
    static func policy(_ environment: [String: String], in folder: String) throws -> String {
        let variables = ProcessInfo.processInfo.environment
        let named = environment["LATCHKEY_POLICY"] ?? variables["LATCHKEY_POLICY"] ?? "howru"
        guard variables["LATCHKEY_TEST_FACTORS"] == "1" else { return named }
        let policies = environment["LATCHKEY_POLICIES_DIR"] ?? LatchkeyStack.root + "deploy/policies"
        let text = try String(
            contentsOfFile: named.contains("/") ? named : "\(policies)/\(named).yaml", encoding: .utf8)
        let lines = text.split(separator: "\n")
        let missing = sections.filter { section in !lines.contains { $0.hasPrefix(section.key + ":") } }
        let path = folder + "/policy-with-factors.yaml"
        let added = missing.map { "\($0.key): \($0.value)\n" }.sorted().joined()
        try (text + "\n" + added).write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
