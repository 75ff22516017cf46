import CallDeadlines
import CoreMetrics
import NIOPosix
import Storage
import Synchronization

/// The connections of a process, each used by one thread at a time: there are as many threads as connections.
///
/// A broken connection is replaced by the next call. While the server does not accept any, calls fail at once, except for one
/// after each delay, which tries again.
final class SessionPool: Sendable {
    /// The connections that no thread uses, and the state of reconnecting.
    private struct State {
        var idle: [Idle] = []
        /// The connections that are open, also those that a thread uses.
        var openCount = 0
        var failures = 0
        var failure: StorageError?
        var retryAt = ContinuousClock.now
        var waitingCount = 0
    }

    /// A connection between two threads.
    private struct Idle: @unchecked Sendable {
        // A thread takes it out before it uses it, and puts it back afterwards.
        let session: Session
    }

    private let configuration: PostgreSQLConfiguration
    private let threads: NIOThreadPool
    private let state = Mutex(State())
    private let openConnections = Gauge(label: "postgresql_connections")

    init(_ configuration: PostgreSQLConfiguration, _ sessions: sending [Session]) {
        self.configuration = configuration
        threads = NIOThreadPool(numberOfThreads: configuration.connectionCount)
        state.withLock { $0.openCount = sessions.count }
        for session in sessions { giveBack(session) }
        openConnections.record(sessions.count)
        threads.start()
    }

    deinit { threads.shutdownGracefully { _ in } }

    /// Runs `body` on a thread with a connection, again after a failure that changed nothing.
    ///
    /// - Parameter deadline: the latest time at which it may begin; `nil` for none.
    func run<Value: Sendable>(
        before deadline: CallDeadline?, _ body: @escaping @Sendable (Session) throws -> Value
    ) async throws -> Value {
        let isAdmitted = state.withLock { state in
            guard state.waitingCount < StorageLimits.queuedMax else { return false }
            state.waitingCount += 1
            return true
        }
        guard isAdmitted else { throw StorageError(.queueFull, "too many calls wait for a connection") }
        defer { state.withLock { $0.waitingCount -= 1 } }
        return try await threads.runIfActive { [self] in
            guard deadline?.hasPassed != true else { throw StorageError(.late, "the caller waits no longer") }
            return try attempt(body)
        }
    }

    /// Ends the threads after the calls that run; nothing may be called afterwards.
    func shutDown() async throws {
        try await threads.shutdownGracefully()
        state.withLock { $0.idle = [] }
    }

    private func attempt<Value>(_ body: (Session) throws -> Value) throws -> Value {
        var attempts = 1
        while true {
            let session = try take()
            defer { giveBack(session) }
            do { return try body(session) } catch let error as PostgreSQLError {
                guard error.mayBeRetried, attempts < PostgreSQLLimits.attemptsMax else { throw StorageError(error) }
                attempts += 1
            }
        }
    }
}

// MARK: - Connections

extension SessionPool {
    private func take() throws -> Session {
        while let idle = state.withLock({ $0.idle.popLast() }) {
            // A transaction of one round trip would send its COMMIT with the rest, so its outcome would be unknown.
            let isGone = idle.session.connection.isClosedByServer
            guard isGone || configuration.fence.isReplaced(idle.session.rank) else { return idle.session }
            state.withLock { $0.openCount -= 1 }
        }
        try state.withLock { state throws(StorageError) in
            guard let failure = state.failure else { return }
            guard state.retryAt <= .now else { throw failure }
            // The others fail at once while this one tries.
            state.retryAt = .now + PostgreSQLLimits.longestDelay
        }
        return try connect()
    }

    private func connect() throws -> Session {
        do {
            let session = try Session.ofService(configuration)
            let count = state.withLock { state in
                (state.failures, state.failure) = (0, nil)
                state.openCount += 1
                return state.openCount
            }
            openConnections.record(count)
            return session
        } catch {
            let failure = (error as? PostgreSQLError).map { StorageError($0) } ?? error as? StorageError
            let known = failure ?? StorageError(.other, "\(error)")
            state.withLock { state in
                state.failures += 1
                state.failure = known
                state.retryAt = .now + Self.delay(afterFailures: state.failures)
            }
            throw known
        }
    }

    /// Keeps a connection for the next call. With a broken one all idle ones go, since they are to the same server.
    private func giveBack(_ session: Session) {
        let idle = Idle(session: session)
        let isLost = session.isBroken || configuration.fence.isReplaced(session.rank)
        let old = state.withLock { state -> [Idle] in
            guard isLost else {
                state.idle.append(idle)
                return []
            }
            defer { state.idle = [] }
            state.openCount -= state.idle.count + 1
            return state.idle
        }
        if isLost {
            configuration.hosts.leave(session.host)
            openConnections.record(state.withLock(\.openCount))
        }
        // Closed outside the lock, since the last reference to a connection closes its socket.
        withExtendedLifetime(old) {}
    }

    /// The delay doubles, and is shortened at random by up to half, so that processes do not all connect at once.
    private static func delay(afterFailures failures: Int) -> Duration {
        let doubled = PostgreSQLLimits.firstDelay * (1 << min(failures - 1, 10))
        return min(doubled, PostgreSQLLimits.longestDelay) * Double.random(in: 0.5...1)
    }
}
