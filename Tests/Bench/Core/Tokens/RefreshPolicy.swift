import AccessTokens
import FoundationEssentials
import Policies

/// The policy `howru` with another algorithm and a refresh limit that counts but never holds a load up.
struct RefreshPolicy: Sendable {
    private static let native = "  - name: native\n    profile: mobile\n"

    let path: String
    private let policies: String
    /// The setting that selects it.
    var environment: [String: String] { ["LATCHKEY_POLICY": path] }
    /// The policy, read by this build.
    var policy: Policy { get throws { try Policy.load(named: path, directory: policies) } }

    /// Writes the file into `folder`.
    ///
    /// - Parameters:
    ///   - sessionsMax: how many sessions a user may have, the policy's own number if nil.
    ///   - call: spoken beside `native`, with the same profile; or by pages with cookies.
    init(
        _ algorithm: SignatureAlgorithm, sessionsMax: Int? = nil, speaking call: RefreshCall? = nil,
        of build: Build = .own, in folder: String
    ) throws {
        policies = build.policies
        path = try BenchPolicy.write(of: build, in: folder) { text in
            if let sessionsMax { try text.change("perUserMax: 100", to: "perUserMax: \(sessionsMax)") }
            try text.change("algorithm: RS256", to: "algorithm: \(algorithm.rawValue)")
            try text.change("limit: { max: 10, windowSeconds: 60 }", to: "limit: { max: 1000, windowSeconds: 60 }")
            if call?.isByCookie == true { try text.change(Self.native, to: Self.native + "    web: cookies\n") }
            guard let call, !call.isByCookie else { return }
            let host = call.host.map { "    host: \($0)\n" } ?? ""
            let added = "  - name: \(call.dialect)\n    profile: mobile\n\(host)"
            try text.change(Self.native, to: Self.native + added)
            // All but aarokya are for passwords.
            text += "\npasswords: {}\n"
        }
    }
}
