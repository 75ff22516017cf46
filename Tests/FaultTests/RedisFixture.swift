import Logging
import RedisClient
import Synchronization
import TestSupport

/// A Redis, a proxy before it, and one client that two users share.
struct RedisFixture: Sendable {
    private static let users = ["anna", "bert"]
    private static let tasksPerUser = 8
    private static let recoveryLimit = Patience.limit
    private static let roundsAfterwards = 3

    let server: RedisServer
    let proxy: FaultProxy
    let client: RedisClient

    /// No command is answered, long after the fault.
    struct NeverAnswered: Error {}

    /// The result of a round.
    struct Round {
        /// From the end of the fault to the first reply of each connection.
        let recovery: Duration
        let replies: Int
        /// Replies that belong to another request.
        let shifted: [String]
    }

    /// Both users work while the fault begins and ends, and a little longer.
    func round(_ fault: RedisFault, after delay: Duration) async throws -> Round {
        let talk = Talk()
        let recovery = try await withThrowingTaskGroup(of: Void.self) { group in
            for user in Self.users {
                for task in 0..<Self.tasksPerUser {
                    group.addTask { try await work("\(user)-\(task)", talk) }
                }
            }
            defer { talk.finish() }
            try await Task.sleep(for: delay)
            try await inflict(fault)
            let recovery = try await recover()
            let replies = talk.replies
            try await eventually("the users go on", within: Self.recoveryLimit) {
                talk.replies >= replies + Self.roundsAfterwards * Self.users.count * Self.tasksPerUser
            }
            return recovery
        }
        return Round(recovery: recovery, replies: talk.replies, shifted: talk.shifted)
    }

    private func inflict(_ fault: RedisFault) async throws {
        switch fault {
        case .kill:
            try await server.kill()
            try await server.launch()
        case .freeze(let time):
            try server.freeze()
            try await Task.sleep(for: time)
            try server.thaw()
        case .pause(let time):
            try await Self.pause(server, time)
        case .resetAmidReply(let bytes):
            let before = proxy.resetCount
            proxy.reset(afterReplyBytes: bytes)
            try await eventually("the reset happens", within: Self.recoveryLimit, every: .milliseconds(1)) {
                proxy.resetCount > before
            }
        case .reset: proxy.reset()
        case .cut: proxy.cut()
        case .swallow(let time):
            proxy.swallow()
            try await Task.sleep(for: time)
            proxy.release()
        case .delay(let time):
            proxy.delay(time)
            try await Task.sleep(for: .milliseconds(100))
            proxy.delay(.zero)
        }
    }

    /// Waits for replies until as many in a row have come as there are connections to take turns.
    private func recover() async throws -> Duration {
        let end = ContinuousClock.now
        var inARow = 0
        while inARow < 2 {
            guard ContinuousClock.now - end < Self.recoveryLimit else { throw NeverAnswered() }
            do throws(RedisError) {
                _ = try await client.send(["ECHO", "recovery"])
                inARow += 1
            } catch {
                inARow = 0
            }
        }
        return ContinuousClock.now - end
    }

    /// Pauses through a connection of its own; over when the time is.
    private static func pause(_ server: RedisServer, _ time: Duration) async throws {
        let direct = RedisClient(.patient(port: server.port), logger: .silent)
        let run = Task { try await direct.run() }
        let milliseconds = Int64(time / .milliseconds(1))
        _ = try await direct.send(["CLIENT", "PAUSE", .integer(milliseconds), "ALL"])
        run.cancel()
        try await run.value
        try await Task.sleep(for: time)
    }
}

// MARK: - Users

extension RedisFixture {
    /// The replies that the users have received.
    private final class Talk: Sendable {
        private struct State {
            var replies = 0
            var shifted: [String] = []
            var isOver = false
        }

        private let state = Mutex(State())

        var replies: Int { state.withLock { $0.replies } }
        var shifted: [String] { state.withLock { $0.shifted } }
        var isOver: Bool { state.withLock { $0.isOver } }

        func finish() { state.withLock { $0.isOver = true } }

        func heard(_ replies: [String?], expected: [String]) {
            state.withLock { state in
                state.replies += 1
                if replies != expected { state.shifted.append("\(replies) instead of \(expected)") }
            }
        }
    }

    /// Sends commands whose replies repeat a value that only they contain.
    private func work(_ name: String, _ talk: Talk) async throws {
        var number = 0
        while !talk.isOver {
            number += 1
            let value = "\(name)-\(number)"
            do throws(RedisError) {
                let replies = try await replies(to: value, shape: number % 4)
                talk.heard(replies, expected: replies.map { _ in value })
            } catch {
                // No reply: that is what faults do. A pause, or a client that is cut off would be asked without end.
                do { try await Task.sleep(for: .milliseconds(2)) } catch { return }
            }
        }
    }

    private func replies(to value: String, shape: Int) async throws(RedisError) -> [String?] {
        let text = RedisArgument(value)
        switch shape {
        case 0: return [try await client.send(["ECHO", text]).text]
        case 1:
            let long = String(repeating: "x", count: 700)
            let reply = try await client.send(["ECHO", RedisArgument(value + long)]).text
            return [reply.map { $0.hasSuffix(long) ? String($0.dropLast(long.count)) : $0 }]
        case 2:
            let replies = try await client.pipeline([["ECHO", text], ["SETEX", text, 5, text], ["GET", text]])
            let texts = try replies.map { reply throws(RedisError) in try reply.get().text }
            return [texts.first ?? nil, texts.count == 3 && texts[1] == "OK" ? value : nil, texts.last ?? nil]
        default: return [try await client.call(Self.library.function("echo"), keys: [], arguments: [text]).text]
        }
    }

    fileprivate static let library = RedisLibrary("test", [.init("echo", "return ARGV[1]")])
}

/// Runs `body` with a fixture that is gone on every way out.
///
/// - Parameter timeout: the client's time for a command.
func withRedisFixture<Result>(
    timeout: Duration = Patience.limit, _ body: (RedisFixture) async throws -> Result
) async throws -> Result {
    try await withRedisServer(functions: [RedisFixture.library.source(loadedAt: 0)]) { server in
        try await withFaultProxy(toward: server.port) { proxy in
            var configuration = RedisConfiguration(port: proxy.port)
            configuration.commandTimeout = timeout
            return try await withRedisClient(configuration) { client in
                try await eventually("the client is connected") { client.isConnected }
                return try await body(RedisFixture(server: server, proxy: proxy, client: client))
            }
        }
    }
}
