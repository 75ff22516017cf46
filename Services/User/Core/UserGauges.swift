import CoreMetrics
import InternalAPI
import Logging
import ServiceKit
import ServiceLifecycle

/// Counts the users for the metrics.
struct UserGauges: Service {
    /// The pause between two counts.
    static let interval: Duration = .seconds(600)

    let queries: any UserQueries
    let logger: Logger

    func run() async throws { await repeatUntilShutdown(every: Self.interval) { await count() } }

    func count() async {
        do {
            let counts = try await queries.counts()
            let states = [
                ("all", counts.users), ("inactive", counts.inactive), ("scheduled", counts.scheduled),
                ("review", counts.reviewers),
            ]
            for (state, count) in states { Gauge(label: "auth_users", dimensions: [("state", state)]).record(count) }
        } catch {
            logger.warning("users.uncounted", metadata: ["cause": "\(error)"])
        }
    }
}
