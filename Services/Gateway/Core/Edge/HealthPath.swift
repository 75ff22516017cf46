import EdgeHTTP
import Policies

/// The path at which load balancers check whether the gateway accepts traffic.
///
/// The response does not depend on other processes. While one of them is away this gateway is as useful as any other, and serves
/// the requests that it can. `/readyz` of the operations port reports the other processes.
struct HealthPath: Sendable {
    let path: [UInt8]
    let draining: DrainFlag

    /// Creates the path of a policy, or returns `nil` if the policy has none or the app has a route at the same path.
    init?(_ policy: Policy, draining: DrainFlag) {
        guard let path = policy.edge.healthPath, !policy.routes.contains(where: { $0.path == path }) else { return nil }
        self.path = Array(path.utf8)
        self.draining = draining
    }

    /// Returns the response to a request at the path, or `nil` at any other.
    ///
    /// - Parameter dialect: the dialect in which a request is refused.
    func reply(_ head: RequestHead, in dialect: any Dialect) -> Reply? {
        guard isAt(head) else { return nil }
        guard head.method == .get || head.method == .head else {
            return dialect.reply(to: .methodNotAllowed(["GET", "HEAD"]))
        }
        guard !draining.isSet else {
            var reply = dialect.reply(to: .unavailable)
            reply.closes = true
            return reply
        }
        return .json(["status": "ok"])
    }

    private func isAt(_ head: RequestHead) -> Bool {
        head.withPath { found in
            guard found.count == path.count else { return false }
            for index in found.indices where found[index] != path[index] { return false }
            return true
        }
    }
}
