package import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle
import Spans
import Synchronization
import Tracing

/// A Redis client that pipelines concurrent commands over a few connections.
///
/// A command waits for a connection if there is none, up to its own time limit. The client never sends a command twice;
/// after a failure with `wasSent` its effect is unknown. Every error reply is thrown.
package final class RedisClient: Service, Sendable {
    private let configuration: RedisConfiguration
    private let slots: [ConnectionSlot]
    private let nextSlot = Atomic<Int>(0)
    private let metrics: RedisMetrics
    private let logger: Logger
    private let missingLoggedAt = Mutex<NIODeadline?>(nil)

    /// - Parameter jitter: Returns a random number in 0…1 for each delay before a new attempt to connect.
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

    /// Connects, and reconnects after each loss, until graceful shutdown or cancellation.
    ///
    /// After that it accepts no more commands, and returns when all written ones have their replies.
    package func run() async throws {
        for slot in slots { slot.start() }
        // The shutdown is short, since each command has a time limit.
        await withTaskGroup { group in
            if case .sentinels(let master) = configuration.location {
                group.addTask {
                    await master.watch(self.logger) { for slot in self.slots { slot.leaveReplaced() } }
                }
            }
            group.addTask {
                // Cancellation ends the wait as a shutdown does.
                do { try await gracefulShutdown() } catch {}
            }
            _ = await group.next()
            group.cancelAll()
        }
        let ends = slots.map { $0.end() }
        for end in ends { try await end.get() }
    }

    /// Whether a command is written at once.
    package var isConnected: Bool { slots.contains(where: \.isReady) && configuration.location.current != nil }

    /// Why no command can be written, empty if that is not known; `nil` if one can.
    package var problem: String? {
        guard !isConnected else { return nil }
        if let masterProblem { return masterProblem }
        let failure = slots.lazy.compactMap(\.failure).first?.message ?? ""
        // An address of another network, such as a container's, is recognised only if it is seen.
        guard hasSentinels, let master = configuration.location.current else { return failure }
        return "the Sentinels name \(master)" + (failure.isEmpty ? "" : ": \(failure)")
    }

    /// Why the Sentinels name no master; `nil` if they do, or if there are none.
    package var masterProblem: String? {
        guard case .sentinels(let master) = configuration.location else { return nil }
        return master.problem
    }

    /// The certificates of connections over TLS; `nil` without TLS.
    package var tls: RedisTLS? { configuration.tls }

    /// Whether Sentinels say which server is the master.
    package var hasSentinels: Bool {
        if case .sentinels = configuration.location { true } else { false }
    }

    /// Signs in at each server that the Sentinels name, and returns what it replies; empty without Sentinels.
    package func nodes() async throws(RedisError) -> [RedisNode] {
        guard case .sentinels(let master) = configuration.location else { return [] }
        return await RedisNode.all(try await master.servers(logger), configuration, logger)
    }

    /// Whether no process can rely on an earlier master any more; always `true` without Sentinels.
    package var isSettled: Bool {
        guard case .sentinels(let master) = configuration.location else { return true }
        return master.isSettled
    }

    /// Sends one command and returns its reply.
    package func send(_ command: [RedisArgument]) async throws(RedisError) -> RedisValue {
        try counted(await reply(to: command))
    }

    /// Sends commands consecutively on one connection; not a transaction.
    /// - Returns: A reply for each command, in order; an error reply is a failure of its own command.
    package func pipeline(_ commands: [[RedisArgument]]) async throws(RedisError) -> [RedisReply] {
        guard !commands.isEmpty else { return [] }
        let replies = try counted(await outcome(of: commands))
        for case .failure(let error) in replies { metrics.failed(error) }
        return replies
    }

    /// Calls a function of a library.
    ///
    /// A library that is missing in Redis is an error like any other; the log says how to load it.
    package func call(
        _ function: RedisFunction, keys: [String], arguments: [RedisArgument]
    ) async throws(RedisError) -> RedisValue {
        let reply = await reply(to: function.call(keys: keys, arguments: arguments))
        if case .failure(let error) = reply, error.isFunctionMissing { noteMissing(function.library) }
        return try counted(reply)
    }
}

extension RedisClient {
    /// The minimum interval between two log lines about a missing library.
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
        await withClientSpan("redis") { span in
            let deadline = NIODeadline.now() + TimeAmount(configuration.commandTimeout)
            let outcome = await RedisRequest(commands, deadline: deadline).outcome(submittedBy: slot().submit)
            if let span { Self.describe(commands, outcome, in: span) }
            return outcome
        }
    }

    /// Names the first command of a request, or the function that it calls; never a key.
    private static func describe(
        _ commands: [[RedisArgument]], _ outcome: RedisRequest.Outcome, in span: any Span
    ) {
        span.attributes[.database] = "redis"
        let words = (commands.first ?? []).prefix(2).map { if case .text(let text) = $0 { text } else { "" } }
        guard let command = words.first else { return }
        let isCall = command.hasPrefix("FCALL")
        // The last part of a function's name is its library's hash.
        span.attributes[.operation] =
            isCall ? words.last?.split(separator: "_").dropLast().joined(separator: "_") : command
        let failed = { (reply: RedisReply) in if case .failure = reply { true } else { false } }
        if case .success(let replies) = outcome, !replies.contains(where: failed) { return }
        span.setStatus(.init(code: .error))
    }

    /// Returns the next connection in turn; skips those that are not connected while another one is.
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
