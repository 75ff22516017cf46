import ServiceLifecycle

/// Drops, once, the pages of program code that only the start of the process needed.
///
/// Loading libraries, reading settings and building the services read most of the code, in pieces of 64 KiB. Without this, a
/// process that then waits for requests would keep all of it for ever.
struct StartUpMemory: Service {
    /// The seconds before the pages are dropped: enough for connections and for the first requests of a rolling restart.
    static let settlesAfterSeconds = 5

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(Self.settlesAfterSeconds)) }
            SpareMemory.releaseCode()
            try await gracefulShutdown()
        } catch is CancellationError {
            // The process stops before the pages are dropped; an error here would cancel requests that are still in progress.
        }
    }
}
