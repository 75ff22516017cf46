import CryptoPrimitives
import FoundationEssentials
import Synchronization
import TestSupport

/// The cost of events for the app's back end at user-service: those of imported users, which a replay has sent again at once to a back end
/// on the loopback.
struct EventBench: Sendable {
    /// CPU µs of an event, its part of the replay included.
    private static let boundMicroseconds = 200.0
    private static let boundPerSecond = 1_000.0
    /// How much the memory of user-service may grow, whatever the number of events.
    private static let boundMegabytes = 64.0
    private static let drainLimit = Duration.seconds(900)

    let count: Int

    func run() async throws -> [Figure] {
        let backEnd = BackEnd()
        return try await LoopbackServer.run(answer: backEnd.take) { server in
            let secret = "v1,whsec_" + Data(SecureRandom.bytes(32)).base64EncodedString() + "\n"
            return try await StackUnderLoad.run(
                name: "bench-events", environment: ["USER_HOOK_URL": "http://127.0.0.1:\(server.port)/events"],
                secrets: ["user_hook_secret": secret]
            ) { load in
                try await importUsers(load.stack)
                try await delivered(to: backEnd)
                return try await replay(load, backEnd).under("events")
            }
        }
    }

    private func replay(_ load: StackUnderLoad, _ backEnd: BackEnd) async throws -> [Figure] {
        backEnd.forget()
        var costs: [Figure] = []
        let extra = try await ProcessMemory.extra(of: load.process("user")) {
            let before = try Clocks(load.stack)
            try await control(load.stack, "outbox replay --since 2020-01-01T00:00:00Z")
            try await delivered(to: backEnd)
            costs = try Clocks(load.stack)
                .costs(
                    of: count, since: before, charged: ["user"], atMost: Self.boundMicroseconds,
                    rateAtLeast: Self.boundPerSecond)
        }
        return costs + [Figure("memory", extra, .megabytes, bound: .atMost(Self.boundMegabytes))]
    }

    private func importUsers(_ stack: LatchkeyStack) async throws {
        try await ScratchFolder.run("events") { folder in
            let lines = (0..<count).map {
                #"{"legacyID":"old-\#($0)","email":"moved\#($0)@example.com","emailVerified":true,"createdAt":1600000000}"#
            }
            let users = folder + "/users.jsonl"
            try lines.joined(separator: "\n").write(toFile: users, atomically: true, encoding: .utf8)
            try await control(stack, "users import '\(users)' --map '\(folder)/map.tsv'")
        }
    }

    private func delivered(to backEnd: BackEnd) async throws {
        try await eventually("the back end has all events", within: Self.drainLimit, every: .milliseconds(20)) {
            backEnd.count >= count
        }
    }

    private func control(_ stack: LatchkeyStack, _ command: String) async throws {
        let outcome = try await stack.control(command)
        guard outcome.isSuccess else {
            throw UnexpectedReply(description: "\(command) said: \(outcome.output.suffix(500))")
        }
    }
}

/// A back end that accepts every event, and counts them.
private final class BackEnd: Sendable {
    private let received = Mutex(0)

    var count: Int { received.withLock { $0 } }

    func forget() { received.withLock { $0 = 0 } }

    func take(_ request: ServedRequest) -> ServedAnswer {
        received.withLock { $0 += 1 }
        return ServedAnswer(status: 204)
    }
}
