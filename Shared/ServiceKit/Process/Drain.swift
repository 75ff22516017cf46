import ServiceLifecycle
import Synchronization

/// Knows that the process is about to end; runs last, so that it hears of the shutdown before any other service.
final class Drain: Service, Sendable {
    private let draining = Atomic<Bool>(false)

    var isDraining: Bool { draining.load(ordering: .relaxed) }

    func run() async throws {
        try await gracefulShutdown()
        draining.store(true, ordering: .relaxed)
    }
}
