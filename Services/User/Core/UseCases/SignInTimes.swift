import InternalAPI
import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization

/// The times of sign-ins that write nothing else, which are collected for a second and then written together.
///
/// They are shown to the operator, and tell which users were away for long. A process that is killed loses those of its last second, so
/// a removal after inactivity also asks token-service for the last use.
final class SignInTimes: Service {
    static let interval: Duration = .seconds(1)
    /// The most times that wait: as many as fit one short transaction, and more than passwords are hashed in a second.
    static let waitingMax = 1_000

    private let logger: Logger
    private let write: @Sendable ([VerifiedIdentity: Int64]) async throws -> Void
    private let waiting = Mutex<[VerifiedIdentity: Int64]>([:])

    /// Creates the service with a function that writes times.
    init(logger: Logger, write: @escaping @Sendable ([VerifiedIdentity: Int64]) async throws -> Void) {
        self.logger = logger
        self.write = write
    }

    /// - Parameter time: Unix time in seconds.
    func note(_ identity: VerifiedIdentity, at time: Int64) { take([identity: time]) }

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) { await self.round() }
        await round()
    }

    /// Writes the times that wait. After a fault they wait for the next round.
    func round() async {
        let times = waiting.withLock { waiting in
            defer { waiting = [:] }
            return waiting
        }
        guard !times.isEmpty else { return }
        do { try await write(times) } catch {
            logger.warning("signin_times.write_failed", metadata: ["cause": "\(error)"])
            take(times)
        }
    }

    /// Adds times. Of two times of an identity, the later one is kept.
    private func take(_ times: [VerifiedIdentity: Int64]) {
        waiting.withLock { waiting in
            for (identity, time) in times where waiting[identity] != nil || waiting.count < Self.waitingMax {
                waiting[identity] = max(waiting[identity] ?? time, time)
            }
        }
    }
}

extension UserStore {
    /// Records the times at which identities were last used (Unix time in seconds), unless a later use is recorded.
    func noteUses(_ times: [VerifiedIdentity: Int64]) async throws {
        // Rows are locked in one order, so that two replicas never wait in a circle.
        let sorted = times.sorted { ($0.key.kind.rawValue, $0.key.value) < ($1.key.kind.rawValue, $1.key.value) }
        try await note(sorted.map { .noteUse($0.key, at: $0.value) }, now: times.values.max() ?? 0)
    }
}
