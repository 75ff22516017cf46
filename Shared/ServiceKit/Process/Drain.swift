import ServiceLifecycle
import Synchronization

/// Knows whether the process is about to exit. It is the last service, so that it learns of the shutdown before all others.
final class Drain: Service, Sendable {
    private let draining = Atomic<Bool>(false)

    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func run() async throws {
        try await gracefulShutdown()
        draining.store(true, ordering: .relaxed)
    }
}
