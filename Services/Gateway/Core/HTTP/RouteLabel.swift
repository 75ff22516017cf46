/// A route's template, the label under which its requests are counted; never a path.
struct RouteLabel: Sendable, Hashable {
    /// What is not served.
    static let other = RouteLabel(index: 0, text: "other")

    /// Different for each route of a table.
    let index: Int
    let text: String
    /// Whether it is one of the app's API.
    var isApp = false

    static func == (left: RouteLabel, right: RouteLabel) -> Bool { left.index == right.index }
    func hash(into hasher: inout Hasher) { hasher.combine(index) }
}
