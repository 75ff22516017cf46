extension Route.Access {
    /// Whether a request that `other` lets in is refused here: open is weaker than optional, which refuses invalid tokens,
    /// optional than bearer, bearer than roles, and a list of roles than one in which some of them are missing.
    func isStricter(than other: Self) -> Bool {
        if case .role(let mine) = self, case .role(let theirs) = other { return !Set(theirs).isSubset(of: mine) }
        return rank > other.rank
    }

    private var rank: Int {
        switch self {
        case .open: 0
        case .optional: 1
        case .bearer: 2
        case .role: 3
        }
    }
}

extension Route {
    /// Whether it refuses a request that `other` would pass on: for who sends it, by which method, or how often.
    package func isStricter(than other: Route) -> Bool {
        if access.isStricter(than: other.access) { return true }
        if let methods, !Set(other.methods ?? Self.methodNames).isSubset(of: methods) { return true }
        return limit != nil && limit != other.limit
    }

    /// The stricter of `rows`: an upstream may take one of this route's paths for one of theirs, though it is spelled
    /// otherwise. Of a row that is exact, escapes alone are another spelling.
    package func rivals(among rows: [Route]) -> [Route] { rows.filter { $0.isStricter(than: self) } }

    /// The paths that the upstream sees.
    var upstreamPattern: RoutePattern { stripPrefix ? pattern.withoutLiteralPrefix : pattern }

    /// The stricter row, if any, whose paths at the same upstream this route reaches because its prefix is taken away.
    ///
    /// - Parameter rows: the whole table, this route among them.
    func reachedByStripping(among rows: [Route]) -> Route? {
        guard stripPrefix else { return nil }
        let mine = FoldedPattern(upstreamPattern)
        return rows.first { row in
            row.upstream == upstream && row.isStricter(than: self) && FoldedPattern(row.upstreamPattern).meets(mine)
                && !isGuarded(row, by: rows)
        }
    }

    /// Whether requests that would reach the stricter row's paths are taken by an earlier row that is no weaker.
    private func isGuarded(_ stricter: Route, by rows: [Route]) -> Bool {
        guard let guarded = RoutePattern(pattern.literalPrefix + stricter.upstreamPattern.text) else { return false }
        return rows.prefix { $0 != self }.contains { row in
            row.pattern.covers(guarded) && !row.isExact && !stricter.isStricter(than: row)
        }
    }
}
