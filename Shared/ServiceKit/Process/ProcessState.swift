import CoreMetrics
import CryptoPrimitives
package import Policies
import Synchronization

/// The state of a running process, for the administrators' view of the deployment.
package final class ProcessState: Sendable {
    private let readiness = Mutex<[ReadinessCheck]>([])

    package init() {}

    /// Sets the checks of the process, once they are made.
    func use(_ readiness: [ReadinessCheck]) { self.readiness.withLock { $0 = readiness } }

    /// The conditions that do not hold, with their reasons.
    package var problems: [String] {
        get async {
            var problems: [String] = []
            for check in readiness.withLock(\.self) {
                if let problem = await check.missing() { problems.append(problem) }
            }
            return problems
        }
    }

    /// The values of metrics of this process; empty if another back end than Latchkey's has them.
    package static func values(of metrics: Set<String>) -> [SeriesValue] {
        (MetricsSystem.factory as? MetricsRegistry)?.values(of: metrics) ?? []
    }
}

extension Policy {
    /// The bytes of a hash that are shown.
    private static let hashBytes = 6

    /// A text that two policies share only if they have the same effect. Codes that let people in are left out, so that they cannot
    /// be found by trying.
    package var hash: String { hash { _ in true } }

    /// A hash without the sections that the gateway reads again while the other processes keep theirs.
    package var hashOfAllProcesses: String {
        hash { !Self.reloadedSections.contains($0.keyPath.prefix { $0 != "." && $0 != "[" }) }
    }

    private func hash(_ contains: (StatedValue) -> Bool) -> String {
        let lines = values.filter { !$0.isSecret && contains($0) }.map { "\($0.keyPath): \($0.text)\n" }
        return Hex.encode(SHA256.hash(Array(lines.joined().utf8)).prefix(Self.hashBytes))
    }
}
