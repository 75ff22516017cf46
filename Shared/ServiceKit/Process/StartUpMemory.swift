import ServiceLifecycle

/// Gives back, once, the pages of program code that only the start of the process needed.
///
/// Loading libraries, reading settings and building the services touch most of the code, in pieces of 64 KiB, and a
/// process that then waits for requests would hold all of it for ever.
struct StartUpMemory: Service {
    /// Long enough for connections to be made and for the first requests of a rolling restart.
    static let settlesAfterSeconds = 5

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(Self.settlesAfterSeconds)) }
            SpareMemory.releaseCode()
            try await gracefulShutdown()
        } catch is CancellationError {
            // The process stops before it has settled; an error here would end what is still being answered.
        }
    }
}
