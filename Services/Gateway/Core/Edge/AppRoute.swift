import EdgeHTTP
import Policies

/// A route of the app's API.
struct AppRoute: Sendable {
    let policy: Policies.Route
    let upstream: UpstreamGroup
    /// Whether it leads to the console.
    var isConsole = false

    /// Returns the path and query that the upstream gets.
    func target(of head: RequestHead) -> [UInt8] {
        guard policy.stripPrefix else { return Array(head.target) }
        let rest = head.target.dropFirst(policy.pattern.literalPrefix.utf8.count)
        return rest.first == UInt8(ascii: "/") ? Array(rest) : [UInt8(ascii: "/")] + rest
    }
}
