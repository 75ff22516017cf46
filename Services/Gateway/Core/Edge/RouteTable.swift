import EdgeHTTP
import Policies

/// The routes of the gateway: the paths of its dialects first, then the app's routes from the policy.
struct RouteTable: Sendable {
    /// A route of the app's API.
    struct AppRoute: Sendable {
        let policy: Policies.Route
        let upstream: UpstreamGroup

        /// Returns the path and query that the upstream gets.
        func target(of head: RequestHead) -> [UInt8] {
            guard policy.stripPrefix else { return Array(head.target) }
            let rest = head.target.dropFirst(policy.pattern.literalPrefix.utf8.count)
            return rest.first == UInt8(ascii: "/") ? Array(rest) : [UInt8(ascii: "/")] + rest
        }
    }

    enum Match: Sendable {
        /// One row, or several between which the body decides.
        case own(OwnPath.Rows)
        case app(AppRoute)
        case methodNotAllowed(allowed: [String])
        case notFound
    }

    /// A row of the policy.
    private struct AppRow: Sendable {
        let label: RouteLabel
        let route: AppRoute
        /// Stricter rows, whose paths no other spelling may reach through this row. They are found once; mostly there are none.
        let rivals: [Rival]
    }

    private struct Rival: Sendable {
        let pattern: RoutePattern
        /// The pattern for upstreams that fold paths; `nil` if the row's upstream compares decoded paths byte by byte.
        let folded: FoldedPattern?

        /// Whether an upstream may read `path` as one of the row.
        ///
        /// - Parameters:
        ///   - decoded: the path without its escapes; `nil` if it has none.
        ///   - plain: the ASCII text that it may be read as.
        func fits(_ path: Span<UInt8>, decoded: [UInt8]?, plain: Span<UInt8>) -> Bool {
            let isRead =
                if let folded { folded.fits(plain) } else if let decoded { pattern.matches(decoded.span) } else {
                    false
                }
            return isRead && !pattern.matches(path)
        }
    }

    private let own: PathIndex<OwnPath>
    /// The paths of dialects that ignore case in paths; `nil` if there is no such dialect.
    private let caseless: PathIndex<OwnPath>?
    /// The app's rows in the policy's order, of which the first that matches applies.
    private let app: [AppRow]
    private let shapes: RefusalShapes

    /// - Parameter spoken: the dialects, in the order that decides between them; not empty.
    init(_ spoken: [SpokenDialect], app: [AppRoute]) {
        var shapes = RefusalShapes(spoken)
        let rows = spoken.flatMap { spoken in
            spoken.rows.map { OwnPath.Candidate(row: $0, dialect: spoken.dialect, host: spoken.host) }
        }
        own = Self.index(rows.filter { !$0.row.ignoresCase }, ignoresCase: false, &shapes)
        let folded = rows.filter(\.row.ignoresCase)
        caseless = folded.isEmpty ? nil : Self.index(folded, ignoresCase: true, &shapes)
        self.app = app.map { route in
            let dialect = spoken.first { $0.dialect.name == route.policy.dialect }?.dialect
            return AppRow(
                label: shapes.add(route.policy.path, dialect: dialect), route: route,
                rivals: route.policy.rivals(among: app.map(\.policy)).map { row in
                    Rival(pattern: row.pattern, folded: row.isExact ? nil : FoldedPattern(row.pattern))
                })
        }
        self.shapes = shapes
    }

    private static func index(
        _ rows: [OwnPath.Candidate], ignoresCase: Bool, _ shapes: inout RefusalShapes
    ) -> PathIndex<OwnPath> {
        var index = PathIndex<OwnPath>(ignoresCase: ignoresCase)
        let paths = Dictionary(grouping: rows, by: \.row.foundPattern).sorted { $0.key.text < $1.key.text }
        for (pattern, candidates) in paths {
            // The label has the pattern as it is written, not in the case in which it is found.
            let text = candidates.first?.row.pattern.text ?? pattern.text
            let label = shapes.add(text, of: candidates)
            index.insert(OwnPath(label: label, candidates: candidates), at: pattern)
        }
        return index
    }

    /// Returns the dialect in which a request at the route is refused.
    func dialect(of label: RouteLabel) -> any Dialect { shapes[label] }

    /// Returns the route of a canonical path.
    ///
    /// - Parameter host: the request's host, in lower case and without port; called only if it decides.
    func match(
        _ method: HTTPMethod, _ path: Span<UInt8>, host: () -> String?
    ) -> (label: RouteLabel, match: Match) {
        if let own = own.first(path) ?? caseless?.first(path) {
            let label = shapes.label(own.label, host: host)
            guard let rows = own.rows(method, host: host) else {
                return (label, .methodNotAllowed(allowed: own.methods))
            }
            return (label, .own(rows))
        }
        for candidate in app where candidate.route.policy.pattern.matches(path) {
            if Self.isOfRival(path, candidate.rivals) { break }
            let label = shapes.label(candidate.label, host: host)
            guard let methods = candidate.route.policy.methods, !methods.contains(method.rawValue) else {
                return (label, .app(candidate.route))
            }
            return (label, .methodNotAllowed(allowed: methods))
        }
        return (shapes.label(.other, host: host), .notFound)
    }

    /// Whether an upstream may read `path` as the path of a stricter row, although it is spelled differently.
    private static func isOfRival(_ path: Span<UInt8>, _ rivals: [Rival]) -> Bool {
        guard !rivals.isEmpty else { return false }
        guard hasEscape(path) else { return rivals.contains { $0.fits(path, decoded: nil, plain: path) } }
        let decoded = CanonicalPath.decoded(path)
        let plain = FoldedPath.plain(decoded)
        if rivals.contains(where: { $0.fits(path, decoded: decoded, plain: plain.span) }) { return true }
        // A server that parses the path again after decoding it cuts it off at an escaped `?` or `#`.
        let (cut, cutPlain) = (pathAlone(decoded), pathAlone(plain))
        guard cut.count < decoded.count || cutPlain.count < plain.count else { return false }
        return rivals.contains { $0.fits(path, decoded: cut, plain: cutPlain.span) }
    }

    /// Returns the part of a decoded path before its first `?` or `#`.
    private static func pathAlone(_ decoded: [UInt8]) -> [UInt8] {
        Array(decoded.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    private static func hasEscape(_ path: Span<UInt8>) -> Bool {
        for position in path.indices where path[position] == UInt8(ascii: "%") { return true }
        return false
    }
}
