import CoreMetrics

/// Counts and times requests by route, method and status: `http_server_request_duration_seconds`.
///
/// A `Route` identifies a route, and may be cheaper to look up than its text. The text is a template, never a path.
package struct RequestTimers<Route: Hashable & Sendable>: Sendable {
    private struct Key: Hashable, Sendable {
        let route: Route
        let method: String
        let status: Int
    }

    private let timers: SeriesMemory<Key, Timer>

    /// - Parameter text: Returns the label of a route.
    package init(text: @escaping @Sendable (Route) -> String) {
        timers = SeriesMemory { key in
            Timer(
                label: "http_server_request_duration_seconds",
                dimensions: [("route", text(key.route)), ("method", key.method), ("status", "\(key.status)")])
        }
    }

    /// Records a request that got the response `status`.
    package func record(_ route: Route, method: String, status: Int, nanoseconds: Int64) {
        timers[Key(route: route, method: method, status: status)].recordNanoseconds(nanoseconds)
    }
}
