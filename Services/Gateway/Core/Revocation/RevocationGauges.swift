import CoreMetrics
import ServiceKit
import ServiceLifecycle

/// Reports how far the gateway's copy of the revocations can be trusted: its size, and the age of its contact.
struct RevocationGauges: Service {
    static let interval: Duration = .seconds(1)

    let replica: RevocationReplica

    func run() async throws {
        let age = Gauge(label: "auth_revocation_replica_age_seconds")
        let entries = Gauge(label: "auth_revocation_entries")
        await repeatUntilShutdown(every: Self.interval) {
            age.record(replica.ageSeconds(now: MonotonicTime.nanoseconds()))
            entries.record(replica.count)
        }
    }
}
