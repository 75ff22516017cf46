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
        func chosen(by body: JSONBody) -> Candidate {
            guard all.count > 1, all.contains(where: { !$0.row.members.isEmpty }) else { return first }
            let names = body.names
            return all.first { !$0.row.members.isDisjoint(with: names) } ?? first
        }
    }

    let label: RouteLabel
    /// The methods of all rows, each once.
    let methods: [String]
    /// Whether a request with another method gets the response of a path that does not exist: for most addresses, those for
    /// administrators do not.
    let hidesMethods: Bool
    private let rows: [HTTPMethod: Rows]

    /// - Parameter host: the host of a dialect, whose rows are then the only ones where several dialects share one; or `nil`.
    init(label: RouteLabel, candidates: [Candidate], host: String?) {
        self.label = label
        methods = candidates.reduce(into: []) { methods, candidate in
            let method = candidate.row.method.rawValue
            if !methods.contains(method) { methods.append(method) }
        }
        hidesMethods = candidates.contains(where: \.row.isForAdministrators)
        rows = Dictionary(grouping: candidates, by: \.row.method).compactMapValues { Rows($0, at: host) }
    }

    /// Returns the rows for a request, or `nil` if the path needs another method.
    func rows(_ method: HTTPMethod) -> Rows? { rows[method == .head ? .get : method] }

    /// Returns the dialect in which requests for a path are refused: the host's own if it has the path, or else the first that
    /// has no host.
    static func refusingDialect(_ candidates: [Candidate], at host: SpokenDialect?) -> (any Dialect)? {
        if let host, candidates.contains(where: \.row.refusesAsHost) { return host.dialect }
        if let host, candidates.count > 1, candidates.contains(where: { $0.host == host.host }) { return host.dialect }
        return (candidates.first { $0.host == nil } ?? candidates.first)?.dialect
    }
}

extension OwnPath.Rows {
    /// The rows of the dialects with this host, or else those without a host, or else all.
    fileprivate init?(_ candidates: [OwnPath.Candidate], at host: String?) {
        let ofHost = candidates.filter { $0.host != nil && $0.host == host }
        let ofNone = candidates.filter { $0.host == nil }
        let all = ofHost.isEmpty ? (ofNone.isEmpty ? candidates : ofNone) : ofHost
        guard let first = all.first else { return nil }
        self.init(first: first, all: all)
    }
}
