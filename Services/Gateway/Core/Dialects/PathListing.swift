import EdgeHTTP
package import Policies

/// The paths at which a policy's dialects answer, and the rows and routes that no request can reach, for the operator.
package struct PathListing: Sendable, Equatable {
    /// One row of a dialect.
    package struct Path: Sendable, Equatable {
        package let method: String
        package let path: String
        package let dialect: String
        /// The host whose requests the dialect answers if it shares the path; `nil` for any host.
        package let host: String?
    }

    /// The paths that are answered, sorted by path, then in the policy's order.
    package let paths: [Path]
    /// Rows that are hidden by others, and rows whose access differs from another's at their path, with the line of the policy.
    package let clashes: [PolicyError.Finding]

    package init(of policy: Policy) {
        self.init(
            SpokenDialect.all(of: policy), routes: policy.routes, healthPath: policy.edge.healthPath,
            hasConsole: policy.admin.console, file: "\(policy.name).yaml")
    }

    init(_ spoken: [SpokenDialect], routes: [Route], healthPath: String? = nil, hasConsole: Bool = false, file: String)
    {
        let rows = spoken.flatMap { spoken in spoken.rows.map { Row(row: $0, spoken: spoken) } }
        let reached = rows.indices.filter { index in !rows[..<index].contains { rows[index].isHidden(by: $0) } }
        paths = reached.map { rows[$0].path }.enumerated().sorted {
            ($0.element.path, $0.offset) < ($1.element.path, $1.offset)
        }
        .map(\.element)
        let hidden = (hasConsole ? routes : []).filter { AdminPolicy.consolePattern.covers($0.pattern) }.map { route in
            PolicyError.Finding(
                file: file, line: route.line, keyPath: "routes",
                message:
                    "the route \(route.path) is never reached; the console answers at \(AdminPolicy.consolePattern.text)"
            )
        }
        clashes =
            hidden
            + rows.indices.flatMap { index in
                rows[..<index].compactMap { rows[index].clash(with: $0) }.map { message in
                    PolicyError.Finding(
                        file: file, line: rows[index].spoken.line, keyPath: "dialects", message: message)
                }
            }
            + routes.flatMap { route in
                rows.compactMap { $0.clash(with: route) }.map { message in
                    PolicyError.Finding(file: file, line: route.line, keyPath: "routes", message: message)
                }
            }
            + rows.filter { $0.isAt(healthPath) }.map { row in
                PolicyError.Finding(
                    file: file, line: nil, keyPath: "edge.healthPath",
                    message: "\(row.spoken.dialect.name) answers at this path. Use another, or none.")
            }
    }
}

/// A row of one of the policy's dialects.
private struct Row {
    let row: DialectRow
    let spoken: SpokenDialect

    var path: PathListing.Path {
        PathListing.Path(
            method: row.method.rawValue, path: row.pattern.text, dialect: spoken.dialect.name, host: spoken.host)
    }

    private var text: String { "\(row.method.rawValue) \(row.pattern.text) of \(spoken.dialect.name)" }

    private func sharesPath(with other: Row) -> Bool {
        guard row.ignoresCase || other.row.ignoresCase else { return row.pattern == other.row.pattern }
        return row.pattern.lowercased == other.row.pattern.lowercased
    }

    /// Whether requests to a path reach this row.
    func isAt(_ path: String?) -> Bool {
        guard let path, let pattern = RoutePattern(path) else { return false }
        return row.foundPattern.covers(row.ignoresCase ? pattern.lowercased : pattern)
    }

    /// Whether an earlier row receives all of this one's requests. Bodies are compared in order, and the first row also receives
    /// those that no row claims.
    func isHidden(by earlier: Row) -> Bool {
        row.method == earlier.row.method && sharesPath(with: earlier) && spoken.host == earlier.spoken.host
            && row.members.isSubset(of: earlier.row.members)
    }

    /// Describes the conflict of this row with an earlier one, or returns `nil` if there is none.
    func clash(with earlier: Row) -> String? {
        guard row.method == earlier.row.method, sharesPath(with: earlier) else { return nil }
        guard row.access == earlier.row.access else {
            return "\(text) lets in others than \(earlier.spoken.dialect.name) does at the same path"
        }
        guard !row.yields, isHidden(by: earlier) else { return nil }
        return "\(text) is never reached; \(earlier.spoken.dialect.name) takes the same requests"
    }

    /// Describes the conflict of this row with a route of the app that it hides, or returns `nil` if there is none.
    func clash(with route: Route) -> String? {
        guard !row.isAtHostOnly, row.foundPattern.covers(row.ignoresCase ? route.pattern.lowercased : route.pattern)
        else { return nil }
        return "the route \(route.path) is never reached; \(spoken.dialect.name) answers at \(row.pattern.text)"
    }
}
