import Testing

/// howru's policy with the four other documents' APIs beside it, each with its own profile; voltyks and uta at hosts of their
/// own, aarokya first, so that no problem comes from anything but its own path, route or host.
enum FiveDialectsPolicy {
    static let voltyksHost = "voltyks.example"
    static let utaHost = "uta.example"

    private static let profiles = """
          aarokya:
            algorithm: HS256
            accessLifetimeSeconds: 86400
            claims: [user_id]
            refresh: { absoluteLifetimeSeconds: none, limit: none }
          voltyks:
            algorithm: HS256
            accessLifetimeSeconds: 1800
            claims: [email, role]
            refresh: { idleLifetimeSeconds: 604800, absoluteLifetimeSeconds: none, onReuse: refuse, limit: none }
          gremlin:
            algorithm: RS256
            accessLifetimeSeconds: 3600
            claims: [email, role]
            refresh: { absoluteLifetimeSeconds: none, repeatWithoutKeySeconds: 60, limit: none }
          uta:
            algorithm: RS256
            accessLifetimeSeconds: 1800
            claims: [email, role]
            refresh: { idleLifetimeSeconds: 604800, absoluteLifetimeSeconds: 2592000, limit: none }

        # APIs that are spoken
        """

    private static let dialects = """
          - name: aarokya
            profile: aarokya
            defaultRegion: IN
            otp:
              lifetimeSeconds: 600
              fixedCode: { code: "123456", environments: [uat] }
          - name: native
            profile: mobile
          - { name: voltyks, profile: voltyks, host: \(voltyksHost) }
          - { name: gremlin, profile: gremlin }
          - { name: uta, profile: uta, host: \(utaHost) }
        """

    /// Routes of the app's API in three kinds of trouble, each in the shape of gremlin, of native, and of the host or the first.
    private static let troubles = [
        ("limited", "upstream: app, limit: { max: 1, windowSeconds: 3600 }"), ("away", "upstream: away"),
        ("troubled", "upstream: troubled, timeoutSeconds: 1"),
    ].map { path, rest in
        """
          - { path: /\(path)/gremlin/**, \(rest), access: open, dialect: gremlin }
          - { path: /\(path)/native/**, \(rest), access: open, dialect: native }
          - { path: /\(path)/**, \(rest), access: open }

        """
    }.joined()

    private static let routes = """
          - { path: /api/gremlin/**, upstream: app, access: { role: [admin] }, dialect: gremlin }
          - { path: /api/aarokya/**, upstream: app, access: bearer, dialect: aarokya }
          - path: /api/**
        """

    private static func upstreams(troubled port: Int) -> String {
        "\nupstreams:\n  away: http://127.0.0.1:1\n  troubled: http://127.0.0.1:\(port)\n"
    }

    /// Writes it.
    ///
    /// - Parameters:
    ///   - port: the `TroubledUpstream`'s.
    ///   - section: a further section, in one line.
    /// - Returns: the path.
    static func written(troubled port: Int, adding section: String = "") throws -> String {
        var policy = try PolicyCopy(of: "howru")
        try policy.replace("\n# Required. APIs that are spoken", with: profiles)
        try policy.replace("  - name: native\n    profile: mobile", with: dialects)
        try policy.replace("\naccounts:\n", with: "\npasswords: {}\naccounts:\n")
        try policy.replace("registration: closed", with: "registration: open")
        try policy.replace(
            "authLimit: { max: 1200, windowSeconds: 60 }", with: "authLimit: { max: 300, windowSeconds: 3600 }")
        try policy.replace("\nupstreams:\n", with: upstreams(troubled: port))
        try policy.replace("  - path: /api/**", with: troubles + routes)
        try policy.replace("trustedProxies: []", with: "trustedProxies: []\n" + section)
        return try policy.written(as: "five-dialects")
    }
}

/// Starts one stack for a suite, in which all five are spoken.
struct FiveDialectsTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await TroubledUpstream.run { port in
            let environment = [
                "LATCHKEY_POLICY": try FiveDialectsPolicy.written(troubled: port), "LATCHKEY_ENV": "uat",
                "LATCHKEY_TRUSTED_PROXIES": "127.0.0.1",
            ]
            try await StackTrait(environment: environment, secrets: [:])
                .provideScope(for: test, testCase: testCase, performing: function)
        }
    }
}

extension Trait where Self == FiveDialectsTrait {
    static var fiveDialects: Self { FiveDialectsTrait() }
}
