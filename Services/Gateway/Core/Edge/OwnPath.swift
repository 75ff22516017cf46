import EdgeHTTP

/// The rows that the dialects have at one path of our own.
struct OwnPath: Sendable {
    /// A row, and the dialect and host that it belongs to.
    struct Candidate: Sendable {
        let row: DialectRow
        let dialect: any Dialect
        var host: String?
    }

    /// What may answer one request; mostly a single row.
    struct Rows: Sendable {
        let first: Candidate
        /// In the order of the dialects, the first too.
        let all: [Candidate]

        /// Of several rows the first that knows a member of the body as its own, else the first of all.
        func chosen(body: [UInt8]) -> Candidate {
            guard all.count > 1, all.contains(where: { !$0.row.members.isEmpty }) else { return first }
            let members = JSONBody.members(of: body)
            return all.first { !$0.row.members.isDisjoint(with: members) } ?? first
        }
    }

    let label: RouteLabel
    /// Of all rows, each once.
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

    /// The rows for a request; nil: another method is needed.
    ///
    /// - Parameter host: the request's, in lower case and without port; asked for only where dialects share the row.
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

    /// The rows of dialects whose host this is; else of those that have none; else all.
    fileprivate func settled(host: String?) -> Self {
        Self(all.filter { $0.host != nil && $0.host == host }) ?? Self(all.filter { $0.host == nil }) ?? self
    }
}
