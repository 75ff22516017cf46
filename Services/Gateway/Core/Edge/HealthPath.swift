import EdgeHTTP
import Policies

/// The path at which load balancers look whether the gateway accepts traffic.
///
/// It says nothing of other processes: while one of them is away the gateway is of as much use as any other, and answers what
/// it can. `/readyz` of the operations port does.
struct HealthPath: Sendable {
    let path: [UInt8]
    let draining: DrainFlag

    /// Creates the path of a policy, or returns `nil` if it has none, or a route of the app's own at the same path.
    init?(_ policy: Policy, draining: DrainFlag) {
        guard let path = policy.edge.healthPath, !policy.routes.contains(where: { $0.path == path }) else { return nil }
        self.path = Array(path.utf8)
        self.draining = draining
    }

    /// The answer to a request at the path; `nil` at any other.
    func disposition(_ head: RequestHead) -> Disposition? {
        guard isAt(head) else { return nil }
        guard head.method == .get || head.method == .head else {
            return .answer(Reply(status: 405, headers: [("Allow", "GET, HEAD")], body: []))
        }
        guard !draining.isSet else {
            var reply = Reply.json(["status": "draining"], status: 503, headers: [("Retry-After", "1")])
            reply.closes = true
            return .answer(reply)
        }
        return .answer(.json(["status": "ok"]))
    }

    private func isAt(_ head: RequestHead) -> Bool {
        head.withPath { found in
            guard found.count == path.count else { return false }
            for index in found.indices where found[index] != path[index] { return false }
            return true
        }
    }
}
