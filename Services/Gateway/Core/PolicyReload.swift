import CoreMetrics
import EdgeHTTP
import NIOPosix
import Policies
import ServiceKit
import Synchronization

/// Reads the policy again, and replaces the edge's rules by those of the new one.
///
/// Upstreams whose URLs stay keep their connections, and verified tokens stay verified. A policy with which the gateway would not
/// start, or that differs in a key of another process, is refused as a whole.
final class PolicyReload: Sendable {
    /// Keys have changed that apply only after a restart.
    struct NeedsRestart: Error, CustomStringConvertible {
        /// The number of keys that are named.
        private static let namedMax = 10
        let policy: String
        let keys: [String]

        var description: String {
            let more = keys.count > Self.namedMax ? " and \(keys.count - Self.namedMax) more" : ""
            let named = keys.prefix(Self.namedMax).joined(separator: ", ")
            return "\(policy): \(named)\(more) changed, which takes effect only in a restart. Restart all processes, "
                + "or change it back (deploy/docs/reference/edge.md#change-the-policy)."
        }
    }

    private enum Result: String, CaseIterable { case reloaded, refused }

    private static let counted = "policy_reloads_total"
    private let start: ProcessContext
    private let parts: EdgeParts
    private let keeper: CertificateKeeper?
    private let server: HTTPServer
    private let upstreams: Mutex<AppUpstreams>
    private let info: Mutex<Gauge>

    init(
        _ start: ProcessContext, parts: EdgeParts, upstreams: AppUpstreams, keeper: CertificateKeeper?,
        server: HTTPServer
    ) {
        (self.start, self.parts, self.keeper, self.server) = (start, parts, keeper, server)
        self.upstreams = Mutex(upstreams)
        info = Mutex(Self.info(start.policy))
        Counter.start(Self.counted, ["result": Result.allCases.map(\.rawValue)])
    }

    /// Replaces the rules, or throws and leaves everything as it is. One call follows the other.
    func run() async throws {
        do {
            // Reading and checking takes milliseconds, in which an event loop would serve no request.
            let next = try await NIOThreadPool.singleton.runIfActive { try self.prepare() }
            // Comes first, so that a request which the new rules pass on is never judged by the old routes.
            if let router = next.rules.router as? EdgeRouter { parts.long.use(router.table) }
            try await server.use(next.rules)
            replace(next.upstreams, next.policy)
            count(.reloaded)
        } catch {
            count(.refused)
            throw error
        }
    }

    private func prepare() throws -> (policy: Policy, upstreams: AppUpstreams, rules: EdgeRules) {
        let context = try start.withPolicyReadAgain()
        let keys = start.policy.keysForRestart(to: context.policy)
        guard keys.isEmpty else { throw NeedsRestart(policy: context.policy.name, keys: keys) }
        try Gateway.check(context)
        let upstreams = try AppUpstreams(context, previous: self.upstreams.withLock(\.self))
        let rules = try parts.rules(context, upstreams)
        // The last step that can fail, because it changes what is served.
        try keeper?.use(context.policy.edge.tls, http2: context.policy.edge.http2)
        return (context.policy, upstreams, rules)
    }

    private func replace(_ next: AppUpstreams, _ policy: Policy) {
        upstreams.withLock { upstreams in
            upstreams.retire(besides: next)
            upstreams = next
        }
        info.withLock { info in
            info.destroy()
            info = Self.info(policy)
        }
    }

    private func count(_ result: Result) {
        Counter(label: Self.counted, dimensions: [("result", result.rawValue)]).increment()
    }

    private static func info(_ policy: Policy) -> Gauge {
        let gauge = Gauge(label: "policy_info", dimensions: [("hash", policy.hash)])
        gauge.record(1)
        return gauge
    }
}
