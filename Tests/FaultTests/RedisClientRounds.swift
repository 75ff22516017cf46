import Logging
import RedisClient
import TestSupport
import Testing

extension Faults {
    /// A client of a real Redis whose server and network fail at random moments (security guide F-30, F-32, F-35).
    @Suite(.serialized, .timeLimit(.minutes(60))) struct RedisClientRounds {
        /// From the end of a fault until commands are answered again.
        /// The bound is a second, which deploy/faults measures; beside other work, in the suite, it is a test's deadline.
        private static let recoveryMax = FaultRun.isLong ? Duration.seconds(1) : Patience.limit

        @Test func `answers never go to another request, and the client recovers`() async throws {
            let run = FaultRun("redis-client", shortRounds: 20)
            var generator = SeededGenerator(seed: run.seed)
            var (slowest, slowestFault, replies) = (Duration.zero, "none", 0)
            try await withRedisFixture(timeout: .milliseconds(400)) { fixture async throws in
                for number in 1...max(run.rounds, 1) {
                    let fault = RedisFault.random(using: &generator)
                    let round = try await fixture.round(fault, after: generator.milliseconds(0...30))
                    #expect(round.shifted.isEmpty, "round \(number), \(fault): \(round.shifted.prefix(3))")
                    #expect(round.recovery <= Self.recoveryMax, "round \(number), \(fault)")
                    #expect(round.replies > 0, "round \(number), \(fault)")
                    replies += round.replies
                    if round.recovery > slowest { (slowest, slowestFault) = (round.recovery, "\(fault)") }
                    if number % 100 == 0 { run.report("\(number) rounds, \(replies) replies, slowest \(slowest)") }
                }
            }
            run.report("\(replies) replies, longest recovery \(slowest) after \(slowestFault)")
        }
    }
}

/// A fault of Redis, or of the connection to it.
enum RedisFault: Sendable, CustomStringConvertible {
    case kill
    case freeze(Duration)
    case pause(Duration)
    case resetAmidReply(bytes: Int)
    case reset
    case cut
    case swallow(Duration)
    case delay(Duration)

    static func random(using generator: inout SeededGenerator) -> RedisFault {
        // Some are shorter than a command's time, some longer.
        let time = generator.milliseconds(20...900)
        return switch Int.random(in: 0..<10, using: &generator) {
        case 0: .kill
        case 1: .freeze(time)
        case 2: .pause(time)
        case 3...5: .resetAmidReply(bytes: Int.random(in: 1...4_000, using: &generator))
        case 6: .reset
        case 7: .cut
        case 8: .swallow(time)
        default: .delay(generator.milliseconds(1...50))
        }
    }

    var description: String {
        switch self {
        case .kill: "kill -9"
        case .freeze(let time): "SIGSTOP for \(time)"
        case .pause(let time): "CLIENT PAUSE for \(time)"
        case .resetAmidReply(let bytes): "reset after \(bytes) reply bytes"
        case .reset: "reset"
        case .cut: "cut"
        case .swallow(let time): "nothing gets through for \(time)"
        case .delay(let time): "all is \(time) late"
        }
    }
}
