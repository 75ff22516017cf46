internal import EdgeHTTP
internal import Policies

/// What the gateway serves: its own API first, then the app's routes out of the policy.
struct RouteTable: Sendable {
    /// A route of the app's API.
    struct AppRoute: Sendable {
        let policy: Policies.Route
        let upstream: UpstreamGroup

        /// Path and query as the upstream gets them.
        func target(of head: RequestHead) -> [UInt8] {
            guard policy.stripPrefix else { return Array(head.target) }
            let rest = head.target.dropFirst(policy.pattern.literalPrefix.utf8.count)
            return rest.first == UInt8(ascii: "/") ? Array(rest) : [UInt8(ascii: "/")] + rest
        }
    }

    enum Match: Sendable {
        case native(NativeRoute)
        case app(AppRoute)
        case methodNotAllowed(allowed: [String])
        case notFound
    }

    /// The rows of one path of our own API.
    private struct NativePath: Sendable {
        let pattern: RoutePattern
        let label: RouteLabel
        let rows: [NativeRoute]
    }

    /// In the table's order; no two of them fit the same path.
    private let native: [NativePath]
    /// A row of the policy.
    private struct AppRow: Sendable {
        let label: RouteLabel
        let route: AppRoute
        /// Stricter rows, whose paths no other spelling may reach by this row; found once, and mostly none.
        let rivals: [Rival]
    }

    private struct Rival: Sendable {
        let pattern: RoutePattern
        let folded: FoldedPattern
    }

    /// In the policy's order: the first that fits is taken.
    private let app: [AppRow]

    init(native: [NativeRoute], app: [AppRoute]) {
        let rows = Dictionary(grouping: native, by: \.pattern)
        let paths = rows.sorted { $0.key.text < $1.key.text }
        self.native = paths.enumerated().map { index, path in
            NativePath(pattern: path.key, label: RouteLabel(index: index + 1, text: path.key.text), rows: path.value)
        }
        self.app = app.enumerated().map { index, route in
            AppRow(
                label: RouteLabel(index: paths.count + 1 + index, text: route.policy.path, isApp: true), route: route,
                rivals: route.policy.rivals(among: app.map(\.policy)).map { row in
                    Rival(pattern: row.pattern, folded: FoldedPattern(row.pattern))
                })
        }
    }

    /// The route of a canonical path.
    func match(_ method: HTTPMethod, _ path: Span<UInt8>) -> (label: RouteLabel, match: Match) {
        for candidate in native where candidate.pattern.matches(path) {
            return (candidate.label, match(method, among: candidate.rows))
        }
        for candidate in app where candidate.route.policy.pattern.matches(path) {
            if Self.isOfRival(path, candidate.rivals) { return (.other, .notFound) }
            guard let methods = candidate.route.policy.methods, !methods.contains(method.rawValue) else {
                return (candidate.label, .app(candidate.route))
            }
            return (candidate.label, .methodNotAllowed(allowed: methods))
        }
        return (.other, .notFound)
    }

    /// Whether an upstream may read `path` as one of a stricter row, which it is not as it is spelled.
    private static func isOfRival(_ path: Span<UInt8>, _ rivals: [Rival]) -> Bool {
        guard !rivals.isEmpty else { return false }
        guard hasEscape(path) else { return rivals.contains { $0.folded.fits(path) && !$0.pattern.matches(path) } }
        let plain = FoldedPath.plain(CanonicalPath.decoded(path))
        return rivals.contains { $0.folded.fits(plain.span) && !$0.pattern.matches(path) }
    }

    private static func hasEscape(_ path: Span<UInt8>) -> Bool {
        for position in path.indices where path[position] == UInt8(ascii: "%") { return true }
        return false
    }

    private func match(_ method: HTTPMethod, among rows: [NativeRoute]) -> Match {
        let asked = method == .head ? .get : method
        if let row = rows.first(where: { $0.method == asked }) { return .native(row) }
        return .methodNotAllowed(allowed: rows.map(\.method.rawValue))
    }
}
