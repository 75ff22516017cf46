import EdgeHTTP
import Policies

/// The gateway's routes: a table for each host of a dialect, and one for all other hosts.
struct RouteTable: Sendable {
    private let others: HostRoutes
    private let hosts: [String: HostRoutes]
    private let refusals: RefusalDialects

    /// - Parameters:
    ///   - spoken: the dialects, in the order that decides between them.
    ///   - app: the app's routes in the policy's order.
    init(_ spoken: [SpokenDialect], app: [AppRoute]) {
        var refusals = RefusalDialects(spoken)
        others = HostRoutes(spoken, at: nil, app: app, &refusals)
        let named = spoken.filter { $0.host != nil }
        hosts = Dictionary(
            named.map { ($0.host ?? "", HostRoutes(spoken, at: $0, app: app, &refusals)) },
            uniquingKeysWith: { first, _ in first })
        self.refusals = refusals
    }

    /// Returns the route of a canonical path.
    ///
    /// - Parameter host: the request's host, in lower case and without port; called only if the policy names hosts.
    func match(
        _ method: HTTPMethod, _ path: Span<UInt8>, host: () -> String?
    ) -> (label: RouteLabel, match: HostRoutes.Match) {
        let routes = hosts.isEmpty ? others : host().flatMap { hosts[$0] } ?? others
        return routes.match(method, path)
    }

    /// Returns the dialect in which a request at the route is refused.
    func dialect(of label: RouteLabel) -> any Dialect { refusals[label] }
}

/// The dialect of the refusals at each route, found by the route's label only. When a body is too large or an upstream fails,
/// nothing else of the request is at hand.
struct RefusalDialects: Sendable {
    let first: any Dialect
    /// By the index of a label.
    private var all: [any Dialect]

    init(_ spoken: [SpokenDialect]) {
        first = spoken.first?.dialect ?? NativeDialect()
        all = [SpokenDialect.early(of: spoken)]
    }

    /// Adds a route and returns its label.
    mutating func label(_ text: String, _ dialect: any Dialect, isApp: Bool = false) -> RouteLabel {
        all.append(dialect)
        return RouteLabel(index: all.count - 1, text: text, isApp: isApp)
    }

    /// The dialect of a route, or the first one for a label that no table has.
    subscript(label: RouteLabel) -> any Dialect { all.indices.contains(label.index) ? all[label.index] : first }
}
