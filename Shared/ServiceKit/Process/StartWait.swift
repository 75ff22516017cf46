import Logging
import NIOPosix
import ServiceLifecycle
import Synchronization
import UnixSignals

/// The wait of a process for something that it needs at its start, during which it serves its operations port.
struct StartWait: Sendable {
    /// A signal to stop arrived during the wait.
    struct Stopped: Error {}

    let settings: ProcessSettings
    let metrics: MetricsRegistry
    let sink: LogSink
    let logger: Logger

    /// The pauses between attempts: short ones while the stack starts, then long ones.
    private static let firstPause: Duration = .milliseconds(100)
    private static let longestPause: Duration = .seconds(2)

    /// Repeats `attempt`, on a thread that it may block, as long as it throws `NotReadyYet`.
    ///
    /// - Parameter name: The name of the check in `/readyz`.
    /// - Throws: Other errors of `attempt`; `Stopped`.
    func until<Value: Sendable>(_ name: String, _ attempt: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        let first: String
        do { return try await run(attempt) } catch let error as NotReadyYet { first = error.description }
        let reason = Reason(first)
        let operations = OperationsServer(
            addresses: settings.operationsListen, peers: settings.redisPeers,
            readiness: [ReadinessCheck(name, problem: { reason.text })], drain: Drain(), metrics: metrics, sink: sink)
        report(first)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await operations.run()
                return nil
            }
            group.addTask { try await repeated(attempt, reason) }
            group.addTask {
                let signals = await UnixSignalsSequence(trapping: [.sigterm, .sigint])
                for await _ in signals { throw Stopped() }
                return nil
            }
            while let value = try await group.next() {
                guard let value else { continue }
                // The port is closed before the process serves it again.
                group.cancelAll()
                while try await group.next() != nil {}
                return value
            }
            throw Stopped()
        }
    }

    private func repeated<Value: Sendable>(
        _ attempt: @escaping @Sendable () throws -> Value, _ reason: Reason
    ) async throws -> Value {
        var pause = Self.firstPause
        while true {
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
            do { return try await run(attempt) } catch let error as NotReadyYet {
                if reason.changes(to: error.description) { report(error.description) }
            }
        }
    }

    private func run<Value: Sendable>(_ attempt: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive { try attempt() }
    }

    private func report(_ reason: String) { logger.warning("start.waiting", metadata: ["cause": "\(reason)"]) }

    /// The reason of the newest attempt.
    private final class Reason: Sendable {
        private let current: Mutex<String>

        init(_ text: String) { current = Mutex(text) }

        var text: String { current.withLock { $0 } }

        /// Stores a reason, and returns whether it is another one than before.
        func changes(to text: String) -> Bool {
            current.withLock { current in
                defer { current = text }
                return current != text
            }
        }
    }
}
