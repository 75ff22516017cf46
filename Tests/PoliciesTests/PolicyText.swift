import Policies

/// A policy with nothing but what is required; tests add or change lines.
enum PolicyText {
    static let minimal = """
        issuer: example.com
        audience: example-api
        profiles:
          mobile:
            algorithm: RS256
        dialects:
          - { name: native, profile: mobile }
        countries:
          allowed: all

        """

    static func parse(_ text: String) throws(PolicyError) -> Policy { try Policy.parse(text, file: "test.yaml") }

    /// The messages of a policy that is wrong; empty when it is right.
    static func findings(_ text: String) -> [String] {
        do {
            _ = try parse(text)
            return []
        } catch {
            return error.findings.map(\.description)
        }
    }

    /// The folder of the policies that ship.
    static func policiesDirectory(file: String = #filePath) -> String {
        file.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
            + "/deploy/policies"
    }
}
