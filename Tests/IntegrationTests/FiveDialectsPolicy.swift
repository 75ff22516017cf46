/// howru's policy with the four other documents' APIs beside it, each with its own profile; voltyks and uta at hosts of their
/// own.
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
          - name: native
            profile: mobile
          - name: aarokya
            profile: aarokya
            defaultRegion: IN
            otp:
              lifetimeSeconds: 600
              fixedCode: { code: "123456", environments: [uat] }
          - { name: voltyks, profile: voltyks, host: \(voltyksHost) }
          - { name: gremlin, profile: gremlin }
          - { name: uta, profile: uta, host: \(utaHost) }
        """

    private static let routes = """
          - { path: /api/gremlin/**, upstream: app, access: { role: [admin] }, dialect: gremlin }
          - { path: /api/aarokya/**, upstream: app, access: bearer, dialect: aarokya }
          - path: /api/**          # required
        """

    /// The path; a file that could not be written stops the stack, which names it.
    static let path: String = {
        do {
            var policy = try PolicyCopy(of: "howru")
            try policy.replace("\n# APIs that are spoken", with: profiles)
            try policy.replace("  - name: native\n    profile: mobile", with: dialects)
            try policy.replace("\naccounts:\n", with: "\npasswords: {}\naccounts:\n")
            try policy.replace("registration: closed ", with: "registration: open ")
            try policy.replace("  - path: /api/**          # required", with: routes)
            return try policy.written(as: "five-dialects")
        } catch {
            print("five dialects: \(error)")
            return "five-dialects"
        }
    }()
}
