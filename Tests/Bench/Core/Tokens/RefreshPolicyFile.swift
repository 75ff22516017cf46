import AccessTokens
import FoundationEssentials
import Policies

/// The policy `howru` with another algorithm and a refresh limit that counts but never holds a load up.
struct RefreshPolicyFile: Sendable {
    let path: String
    private let policies: String

    /// The policy has changed so much that nothing in it can be replaced.
    struct Outdated: Error, CustomStringConvertible {
        let description: String
    }

    /// Writes the file into `folder`.
    ///
    /// - Parameters:
    ///   - sessionsMax: how many sessions a user may have, the policy's own number if nil.
    ///   - dialect: one that is spoken beside `native`, with a profile that differs in name only.
    init(
        algorithm: SignatureAlgorithm, sessionsMax: Int? = nil, dialect: RefreshCall? = nil, of build: Build = .own,
        in folder: String
    ) throws {
        policies = build.policies
        var text = try String(contentsOfFile: policies + "/howru.yaml", encoding: .utf8)
        let cap = sessionsMax.map { [("perUserMax: 100", "perUserMax: \($0)")] } ?? []
        for (old, new) in cap + [
            ("algorithm: RS256", "algorithm: \(algorithm.rawValue)"),
            ("limit: { max: 10, windowSeconds: 60 }", "limit: { max: 1000, windowSeconds: 60 }"),
        ] {
            guard text.contains(old) else { throw Outdated(description: "howru.yaml has no \(old)") }
            text.replace(old, with: new)
        }
        if dialect == .cookies {
            text = try Self.givingPagesCookies(text)
        } else if let dialect {
            text = try Self.adding(dialect: dialect.dialect, host: dialect.host, to: text)
        }
        path = folder + "/refresh.yaml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The policy, read by this build.
    var policy: Policy { get throws { try Policy.load(named: path, directory: policies) } }
}
