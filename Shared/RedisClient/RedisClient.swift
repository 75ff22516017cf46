package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Redis over few connections, on each of which concurrent commands are pipelined.
///
/// A command given while there is no connection waits for one, at most until its own time is over. The client never
/// sends a command twice; after a failure with `wasSent` the caller does not know its effect. Every error reply is
/// an error.
package final class RedisClient: Service, Sendable {
    private let configuration: RedisConfiguration
    private let slots: [ConnectionSlot]
    private let nextSlot = Atomic<Int>(0)
    private let metrics: RedisMetrics
    private let logger: Logger
    private let missingLoggedAt = Mutex<NIODeadline?>(nil)

    /// - Parameter jitter: gives a random number of 0…1 for each delay before a new attempt to connect.
    package init(
        _ configuration: RedisConfiguration, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        logger: Logger, jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        let metrics = RedisMetrics()
        self.configuration = configuration
        self.metrics = metrics
        self.logger = logger
        slots = (0..<max(configuration.connectionCount, 1)).map { _ in
            ConnectionSlot(
                configuration, eventLoop: group.next(), logger: logger, jitter: jitter,
                readinessChanged: metrics.readinessChanged)
        }
    }

    /// Connects, and connects again after each loss, until graceful shutdown or cancellation.
    ///
    /// Then it takes no more commands, and returns when those that were written have their replies.
    package func run() async throws {
        for slot in slots { slot.start() }
        // Cancelled: the way out is the same, and short, for the time of each command bounds it.
        do { try await gracefulShutdown() } catch is CancellationError {}
        let ends = slots.map { $0.end() }
        for end in ends { try await end.get() }
    }

    /// Whether a command given now would be written at once.
    package var isConnected: Bool { slots.contains(where: \.isReady) }

    /// Sends one command and returns its reply.
    package func send(_ command: [RedisArgument]) async throws(RedisError) -> RedisValue {
        try counted(await reply(to: command))
    }

    /// Sends commands consecutively on one connection; not a transaction.
    /// - Returns: a reply for each command, in order; error replies are failures of their own command.
    package func pipeline(_ commands: [[RedisArgument]]) async throws(RedisError) -> [RedisReply] {
        guard !commands.isEmpty else { return [] }
        let replies = try counted(await outcome(of: commands))
        for case .failure(let error) in replies { metrics.failed(error) }
        return replies
    }

    /// Calls a function of a library.
    ///
    /// A library that Redis does not have is an error like any other; the log says who loads it.
    package func call(
        _ function: RedisFunction, keys: [String], arguments: [RedisArgument]
    ) async throws(RedisError) -> RedisValue {
        let reply = await reply(to: function.call(keys: keys, arguments: arguments))
        if case .failure(let error) = reply, error.isFunctionMissing { noteMissing(function.library) }
        return try counted(reply)
    }
}

extension RedisClient {
    /// How often a missing library is logged at most.
    private static let missingLogInterval: TimeAmount = .seconds(30)

    private func noteMissing(_ library: String) {
        let isDue = missingLoggedAt.withLock { last in
            let now = NIODeadline.now()
            guard last.map({ now - $0 >= Self.missingLogInterval }) ?? true else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        logger.error(
            "redis.library_missing",
            metadata: [
                "library": "\(library)",
                "remedy":
                    "latchkeyctl redis load (deploy/run runs it after each start of Redis; compose: up -d functions)",
            ])
    }
}

extension RedisClient {
    private func reply(to command: [RedisArgument]) async -> RedisReply {
        await outcome(of: [command]).flatMap { replies in
            replies.first ?? .failure(RedisError(.protocolViolation, "no reply", wasSent: true))
        }
    }

    private func outcome(of commands: [[RedisArgument]]) async -> RedisRequest.Outcome {
        let deadline = NIODeadline.now() + TimeAmount(configuration.commandTimeout)
        return await RedisRequest(commands, deadline: deadline).outcome(submittedBy: slot().submit)
    }

    /// Takes turns, but passes over places without connection as long as another has one.
    private func slot() -> ConnectionSlot {
        let turn = nextSlot.wrappingAdd(1, ordering: .relaxed).oldValue
        let start = Int(UInt(bitPattern: turn) % UInt(slots.count))
        for offset in slots.indices {
            let slot = slots[(start + offset) % slots.count]
            if slot.isReady { return slot }
        }
        return slots[start]
    }

    private func counted<Value>(_ result: Result<Value, RedisError>) throws(RedisError) -> Value {
        if case .failure(let error) = result { metrics.failed(error) }
        return try result.get()
    }
}
