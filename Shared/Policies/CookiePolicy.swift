/// The web pages of other origins whose sessions are in cookies too.
package struct CookiePolicy: Sendable, Equatable {
    /// The origins as browsers write them, all of them on the site of the API. The API's own origin is not listed.
    package var origins: [String] = []

    package init() {}
}

extension CookiePolicy {
    static let keys: [Key<Self>] = [
        Key(
            "origins", \.origins, .values(1...32, .cookieOrigin),
            "The pages' origins, on the site of the API. Each is in `cors.origins` too, with `cors.credentials: true`.",
            required: true, example: "[\"https://app.example.com\"]")
    ]
}

extension Policy {
    /// Requires that pages which send cookies may read the responses, and that some dialect sets cookies.
    func requireReadableCookies(_ root: PolicySection) {
        let allowed = Set(crossOrigin?.origins ?? [])
        for (index, origin) in cookies.origins.enumerated() {
            let item = ".origins[\(index)]"
            if !allowed.contains(origin) || crossOrigin?.credentials != true {
                root.refuse(
                    "cookies", item: item,
                    "\(origin) could not read any response. Add it to cors.origins, and set cors.credentials: true "
                        + "(deploy/docs/run/cookies.md).")
            }
        }
        guard !cookies.origins.isEmpty, dialects.allSatisfy({ $0.web == .none }) else { return }
        root.refuse(
            "cookies",
            "has no effect, because no dialect sets cookies. Add web: refreshCookie to an entry of dialects "
                + "(deploy/docs/run/cookies.md).")
    }

    /// Refuses cookies of the native API if uta answers its sign-in by password on the same host, and sets none.
    func requireReachedSignIn(_ root: PolicySection) {
        let sharing = dialects.filter { $0.host == nil }
        guard
            let index = dialects.firstIndex(where: { $0.name == Dialect.native && $0.host == nil && $0.web != .none }),
            sharing.contains(where: { $0.name == Dialect.uta && $0.web == .none })
        else { return }
        root.refuse(
            "dialects", item: "[\(index)].web",
            "uta answers POST /auth/login on this host and sets no cookies. Set web at uta and none at native, or give uta a host "
                + "of its own (deploy/docs/run/cookies.md).")
    }

    /// Refuses two dialects that would set cookies of the same names on one host.
    func requireOneCookieDialect(_ root: PolicySection) {
        var first: [String?: String] = [:]
        for (index, dialect) in dialects.enumerated() where dialect.web != .none {
            guard let other = first[dialect.host] else {
                first[dialect.host] = dialect.name
                continue
            }
            root.refuse(
                "dialects", item: "[\(index)].web",
                "\(other) and \(dialect.name) would set cookies of the same names on one host. Give one of them a host of its "
                    + "own, or web: none (deploy/docs/run/cookies.md).")
        }
    }
}
