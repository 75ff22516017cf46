extension Route.Access {
    /// Whether this access refuses a request that `other` allows. Open is weaker than optional, which refuses invalid tokens.
    /// Optional is weaker than bearer, and bearer than roles. A list of roles is weaker than one that lacks some of them. A route for
    /// clients refuses users, and every other one but an open one refuses clients.
    func isStricter(than other: Self) -> Bool {
        if case .role(let mine) = self, case .role(let theirs) = other { return !Set(theirs).isSubset(of: mine) }
        if self == .client || other == .client { return self != other && self != .open }
        return rank > other.rank
    }

    private var rank: Int {
        switch self {
        case .open: 0
        case .optional: 1
        case .bearer, .client: 2
        case .role: 3
        }
    }
}

extension Route {
    /// Whether the route refuses a request that `other` would pass on, because of its sender, its method or its frequency, because
    /// its sender acts as the user, or because the user showed too long ago who they are.
    package func isStricter(than other: Route) -> Bool {
        if access.isStricter(than: other.access) { return true }
        if let methods, !Set(other.methods ?? Self.methodNames).isSubset(of: methods) { return true }
        if let maxAgeSeconds, maxAgeSeconds < other.maxAgeSeconds ?? .max { return true }
        if acr != nil && other.acr == nil || amr != nil && other.amr == nil { return true }
        if other.admitsActing, !admitsActing || other.actAs == .write && actAs == .read { return true }
        return limit != nil && limit != other.limit
    }

    /// Whether it admits people who act as users. An open route does not read their tokens.
    private var admitsActing: Bool { actAs != nil || access == .open }

    /// The routes of `rows` that are stricter. An upstream may read one of this route's paths as one of theirs, although it is
    /// spelled otherwise. For an exact row, only escapes are another spelling.
    package func rivals(among rows: [Route]) -> [Route] { rows.filter { $0.isStricter(than: self) } }

    /// The paths that the upstream sees.
    var upstreamPattern: RoutePattern { stripPrefix ? pattern.withoutLiteralPrefix : pattern }

    /// The stricter row, if any, whose paths at the same upstream this route reaches because its prefix is removed.
    ///
    /// - Parameter rows: The whole table, which includes this route.
    func reachedByStripping(among rows: [Route]) -> Route? {
        guard stripPrefix else { return nil }
        let mine = FoldedPattern(upstreamPattern)
        return rows.first { row in
            row.upstream == upstream && row.isStricter(than: self) && FoldedPattern(row.upstreamPattern).meets(mine)
                && !isGuarded(row, by: rows)
        }
    }

    /// Whether an earlier row that is no weaker matches the requests that would reach the stricter row's paths.
    private func isGuarded(_ stricter: Route, by rows: [Route]) -> Bool {
        guard let guarded = RoutePattern(pattern.literalPrefix + stricter.upstreamPattern.text) else { return false }
        return rows.prefix { $0 != self }.contains { row in
            row.pattern.covers(guarded) && !row.isExact && !stricter.isStricter(than: row)
        }
    }
}
