/// howru's policy with aarokya beside it: another profile, another region, other rules for codes.
enum SharedDeploymentPolicy {
    private static let profile = """
          aarokya:
            algorithm: HS256
            accessLifetimeSeconds: 86400
            claims: [user_id]
            refresh: { onReuse: revoke, absoluteLifetimeSeconds: none, limit: none }

        # APIs that are spoken
        """

    private static let dialect = """
          - name: native
            profile: mobile
          - name: aarokya
            profile: aarokya
            defaultRegion: IN
            otp:
              lifetimeSeconds: 600
              sendsPerPhone: [{ max: 5, windowSeconds: 3600 }]
              attemptsPerPhone: [{ max: 20, windowSeconds: 86400 }]
              lockouts: []
              message: "Your Aarokya code is {code}"
              fixedCode: { code: "123456", environments: [uat] }
        """

    static let path = PolicyCopy.path(
        of: "howru", as: "howru-and-aarokya",
        changing: [
            "\n# Required. APIs that are spoken": profile, "  - name: native\n    profile: mobile": dialect,
        ])
}
