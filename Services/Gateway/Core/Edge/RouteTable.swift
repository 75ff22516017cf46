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
    /// In the policy's order: the first that fits is taken.
    private let app: [(label: RouteLabel, route: AppRoute)]

    init(native: [NativeRoute], app: [AppRoute]) {
        let rows = Dictionary(grouping: native, by: \.pattern)
        let paths = rows.sorted { $0.key.text < $1.key.text }
        self.native = paths.enumerated().map { index, path in
            NativePath(pattern: path.key, label: RouteLabel(index: index + 1, text: path.key.text), rows: path.value)
        }
        self.app = app.enumerated().map { index, route in
            (RouteLabel(index: paths.count + 1 + index, text: route.policy.path, isApp: true), route)
        }
    }

    /// The route of a canonical path.
    func match(_ method: HTTPMethod, _ path: Span<UInt8>) -> (label: RouteLabel, match: Match) {
        for candidate in native where candidate.pattern.matches(path) {
            return (candidate.label, match(method, among: candidate.rows))
        }
        for candidate in app where candidate.route.policy.pattern.matches(path) {
            guard let methods = candidate.route.policy.methods, !methods.contains(method.rawValue) else {
                return (candidate.label, .app(candidate.route))
            }
            return (candidate.label, .methodNotAllowed(allowed: methods))
        }
        return (.other, .notFound)
    }

    private func match(_ method: HTTPMethod, among rows: [NativeRoute]) -> Match {
        let asked = method == .head ? .get : method
        if let row = rows.first(where: { $0.method == asked }) { return .native(row) }
        return .methodNotAllowed(allowed: rows.map(\.method.rawValue))
    }
}
