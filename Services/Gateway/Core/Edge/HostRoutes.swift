import EdgeHTTP
import Policies

/// The routes of one host: the paths of the dialects first, then the app's routes from the policy.
struct HostRoutes: Sendable {
    enum Match: Sendable {
        /// One row, or several between which the body decides.
        case own(OwnPath.Rows)
        case app(AppRoute)
        case methodNotAllowed(allowed: [String])
        case notFound
    }

    private struct AppRow: Sendable {
        let label: RouteLabel
        let route: AppRoute
        /// Stricter rows, whose paths no other spelling may reach through this row. They are found once; mostly there are none.
        let rivals: [RivalRoute]
    }

    private let own: PathIndex<OwnPath>
    /// The paths of dialects that ignore case in paths; `nil` if there is no such dialect.
    private let caseless: PathIndex<OwnPath>?
    /// The app's rows in the policy's order, of which the first that matches applies.
    private let app: [AppRow]
    private let unserved: RouteLabel

    /// - Parameter host: the dialect whose host it is; `nil` for the routes of all hosts that no dialect has.
    init(_ spoken: [SpokenDialect], at host: SpokenDialect?, app: [AppRoute], _ refusals: inout RefusalDialects) {
        let rows = spoken.flatMap { spoken in
            spoken.rows.filter { !$0.isAtHostOnly || spoken.host == host?.host }.map {
                OwnPath.Candidate(row: $0, dialect: $0.refusing ?? spoken.dialect, host: spoken.host)
            }
        }
        own = Self.index(rows.filter { !$0.row.ignoresCase }, ignoresCase: false, at: host, &refusals)
        let folded = rows.filter(\.row.ignoresCase)
        caseless = folded.isEmpty ? nil : Self.index(folded, ignoresCase: true, at: host, &refusals)
        self.app = app.map { route in
            let stated = spoken.first { $0.dialect.name == route.policy.dialect }
            let dialect = (stated ?? host)?.dialect ?? refusals.first
            return AppRow(
                label: refusals.label(route.policy.path, dialect, isApp: true), route: route,
                rivals: RivalRoute.all(of: route, among: app))
        }
        unserved = host.map { refusals.label(RouteLabel.other.text, $0.dialect) } ?? .other
    }

    private static func index(
        _ rows: [OwnPath.Candidate], ignoresCase: Bool, at host: SpokenDialect?, _ refusals: inout RefusalDialects
    ) -> PathIndex<OwnPath> {
        var index = PathIndex<OwnPath>(ignoresCase: ignoresCase)
        // A path that is written out precedes one of the same length with `*`, which would match it too.
        let paths = Dictionary(grouping: rows, by: \.row.foundPattern).sorted {
            $0.key.text.replacing("*", with: "\u{7F}") < $1.key.text.replacing("*", with: "\u{7F}")
        }
        for (pattern, candidates) in paths {
            // The label has the pattern as it is written, not in the case in which it is found.
            let text = candidates.first?.row.pattern.text ?? pattern.text
            let dialect = OwnPath.refusingDialect(candidates, at: host) ?? refusals.first
            index.insert(
                OwnPath(label: refusals.label(text, dialect), candidates: candidates, host: host?.host), at: pattern)
        }
        return index
    }

    /// Returns the route of a canonical path.
    func match(_ method: HTTPMethod, _ path: Span<UInt8>) -> (label: RouteLabel, match: Match) {
        if let own = own.first(path) ?? caseless?.first(path) {
            if let rows = own.rows(method) { return (own.label, .own(rows)) }
            return (own.label, own.hidesMethods ? .notFound : .methodNotAllowed(allowed: own.methods))
        }
        for row in app where row.route.policy.pattern.matches(path) {
            if RivalRoute.isMeant(path, among: row.rivals) { break }
            guard let methods = row.route.policy.methods, !methods.contains(method.rawValue) else {
                return (row.label, .app(row.route))
            }
            return (row.label, .methodNotAllowed(allowed: methods))
        }
        return (unserved, .notFound)
    }
}
