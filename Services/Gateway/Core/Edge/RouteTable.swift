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

    private let native: [String: [NativeRoute]]
    /// In the policy's order: the first that fits is taken.
    private let app: [AppRoute]

    init(native: [NativeRoute], app: [AppRoute]) {
        self.native = Dictionary(grouping: native, by: \.path)
        self.app = app
    }

    /// The route of a canonical path.
    func match(method: String, path: String) -> Match {
        if let rows = native[path] {
            let asked = method == "HEAD" ? "GET" : method
            if let row = rows.first(where: { $0.method == asked }) { return .native(row) }
            return .methodNotAllowed(allowed: rows.map(\.method))
        }
        guard let route = app.first(where: { $0.policy.pattern.matches(path) }) else { return .notFound }
        if let methods = route.policy.methods, !methods.contains(method) { return .methodNotAllowed(allowed: methods) }
        return .app(route)
    }

    /// The route's template for metrics; `other` for whatever is not served.
    func label(path: String) -> String {
        if native[path] != nil { return path }
        return app.first { $0.policy.pattern.matches(path) }?.policy.path ?? "other"
    }
}
