/// A route's template, the label under which its requests are counted; never a path.
package struct RouteLabel: Sendable, Hashable {
    /// The label of requests that are not served.
    package static let other = RouteLabel(index: 0, text: "other")

    /// The label of health checks.
    package static let health = RouteLabel(index: -2, text: "health")

    /// A number that differs for each route of a table. A route may have several, whose requests are refused in different shapes.
    package let index: Int
    package let text: String
    /// Whether the route is one of the app's API.
    package var isApp: Bool

    /// - Parameter index: a number that differs for each route of a table; 0 is for requests that are not served.
    package init(index: Int, text: String, isApp: Bool = false) {
        self.index = index
        self.text = text
        self.isApp = isApp
    }

    // Tables that replace each other number their routes in the same way.
    package static func == (left: RouteLabel, right: RouteLabel) -> Bool {
        left.index == right.index && left.text == right.text
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(index) }
}
