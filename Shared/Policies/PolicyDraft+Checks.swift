extension PolicyDraft {
    /// Names that one part of the policy uses and another part must define.
    func checkNames(_ root: PolicySection) {
        let profileNames = profiles.map(\.name)
        for (index, dialect) in dialects.enumerated() where !profileNames.contains(dialect.profile) {
            guard !dialect.profile.isEmpty else { continue }
            root.refuse(
                "dialects[\(index)].profile",
                "\(dialect.profile) is not a profile; allowed: \(profileNames.joined(separator: ", "))")
        }
        let names = dialects.map(\.name)
        if Set(names).count != names.count { root.refuse("dialects", "names a dialect twice; allowed: each once") }
        if !names.isEmpty, !names.contains(Dialect.native) {
            root.refuse("dialects", "\(Dialect.native) is missing; it is always on")
        }
        for (index, route) in routes.enumerated() where upstreams[route.upstream] == nil {
            guard !route.upstream.isEmpty else { continue }
            let allowed = upstreams.keys.sorted().joined(separator: ", ")
            root.refuse("routes[\(index)].upstream", "\(route.upstream) is not an upstream; allowed: \(allowed)")
        }
    }

    /// A route that can never be taken is a mistake: it hides behind one of ours or behind an earlier one.
    func checkRoutes(_ root: PolicySection) {
        for (index, route) in routes.enumerated() {
            if let own = Self.ownPaths.first(where: { route.path == $0 || route.path.hasPrefix($0 + "/") }) {
                root.refuse("routes[\(index)].path", "\(route.path) is not allowed; \(own) is Latchkey's own")
            }
            if routes[..<index].contains(where: { $0.path == route.path && $0.covers(route) }) {
                root.refuse("routes[\(index)].path", "\(route.path) stands earlier with the same methods")
            }
        }
    }

    private static let ownPaths = ["/auth", "/oauth", "/sessions", "/users/me", "/webhooks"]
}

extension Route {
    /// Whether every method of `other` is taken by this route.
    fileprivate func covers(_ other: Route) -> Bool {
        guard let methods else { return true }
        return other.methods.map { Set($0).isSubset(of: methods) } ?? false
    }
}
