import EdgeHTTP

/// The rows that the dialects have at one path of our own.
struct OwnPath: Sendable {
    /// A row, and the dialect and host that it belongs to.
    struct Candidate: Sendable {
        let row: DialectRow
        let dialect: any Dialect
        var host: String?
    }

    /// The rows that may answer one request; mostly a single one.
    struct Rows: Sendable {
        let first: Candidate
        /// All rows in the order of the dialects, including the first.
        let all: [Candidate]

        /// Picks the first row that recognises a member of the body, or the first of all if none does.
        func chosen(body: [UInt8]) -> Candidate {
            guard all.count > 1, all.contains(where: { !$0.row.members.isEmpty }) else { return first }
            let members = JSONBody.members(of: body)
            return all.first { !$0.row.members.isDisjoint(with: members) } ?? first
        }
    }

    let label: RouteLabel
    /// The methods of all rows, each once.
    let methods: [String]
    private let rows: [HTTPMethod: Rows]

    init(label: RouteLabel, candidates: [Candidate]) {
        self.label = label
        methods = candidates.reduce(into: []) { methods, candidate in
            let method = candidate.row.method.rawValue
            if !methods.contains(method) { methods.append(method) }
        }
        rows = Dictionary(grouping: candidates, by: \.row.method).compactMapValues(Rows.init)
    }

    /// Returns the rows for a request, or `nil` if the path needs another method.
    ///
    /// - Parameter host: the request's host, in lower case and without port; called only if dialects share the row.
    func rows(_ method: HTTPMethod, host: () -> String?) -> Rows? {
        guard let rows = rows[method == .head ? .get : method] else { return nil }
        return rows.all.count > 1 ? rows.settled(host: host()) : rows
    }
}

extension OwnPath.Rows {
    fileprivate init?(_ candidates: [OwnPath.Candidate]) {
        guard let first = candidates.first else { return nil }
        self.init(first: first, all: candidates)
    }

    /// Returns the rows of the dialects with this host, or else those without a host, or else all.
    fileprivate func settled(host: String?) -> Self {
        Self(all.filter { $0.host != nil && $0.host == host }) ?? Self(all.filter { $0.host == nil }) ?? self
    }
}
