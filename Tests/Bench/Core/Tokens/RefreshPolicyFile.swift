internal import AccessTokens
internal import FoundationEssentials
internal import Policies
internal import TestSupport

/// The policy `howru` with another algorithm and a refresh limit that counts but never holds a load up.
struct RefreshPolicyFile: Sendable {
    let path: String
    let policy: Policy

    /// The policy has changed so much that nothing in it can be replaced.
    struct Outdated: Error, CustomStringConvertible {
        let description: String
    }

    /// Writes the file into `folder`.
    init(algorithm: SignatureAlgorithm, in folder: String) throws {
        let policies =
            ProcessInfo.processInfo.environment["LATCHKEY_POLICIES_DIR"] ?? LatchkeyStack.root + "deploy/policies"
        var text = try String(contentsOfFile: policies + "/howru.yaml", encoding: .utf8)
        for (old, new) in [
            ("algorithm: RS256", "algorithm: \(algorithm.rawValue)"),
            ("limit: { max: 10, windowSeconds: 60 }", "limit: { max: 1000, windowSeconds: 60 }"),
        ] {
            guard text.contains(old) else { throw Outdated(description: "howru.yaml has no \(old)") }
            text.replace(old, with: new)
        }
        path = folder + "/refresh.yaml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        policy = try Policy.load(named: path, directory: policies)
    }
}
