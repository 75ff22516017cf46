import InternalAPI
import Logging
import RedisClient
import StrictJSON

/// The moment at which a closed app answers a request for a code, the same for every phone number, so that the time does not
/// reveal who is invited.
///
/// It is half a second after the request, or later if the last messages took longer. All replicas share what they took.
struct AnswerMoment: Sendable {
    static let leastMilliseconds: Int64 = 500
    static let mostMilliseconds: Int64 = 5_000
    /// The number of the last messages that count.
    static let keptMax = 64
    private static let percent = 95
    /// How long a value is kept without a new message, in seconds.
    private static let lifeSeconds: Int64 = 30 * 86_400

    let redis: RedisClient
    let sends: SendsBehind
    let logger: Logger
    /// `leastMilliseconds`; a test that asks for many codes sets a shorter time.
    var leastMilliseconds = Self.leastMilliseconds
    /// Waits for the moment of a response; a test that is not about times waits for the response.
    var wait: @Sendable (_ moment: ContinuousClock.Instant, _ answer: LateAnswer) async throws -> Void = { moment, _ in
        try await Task.sleep(until: moment, tolerance: .zero, clock: .continuous)
    }

    /// The pace of the last messages, which the next request follows.
    struct Pace: Sendable, Equatable {
        let milliseconds: Int64
        /// The response to the last message; `nil` if there was none.
        let lastAnswer: OTPRequestAnswer?
    }

    /// Returns the milliseconds between a request and its response: the 95th percentile of the last messages' times (by nearest
    /// rank), within bounds.
    static func milliseconds(after times: [Int64], least: Int64 = leastMilliseconds) -> Int64 {
        let kept = times.suffix(keptMax).sorted()
        let rank = (kept.count * percent + 99) / 100
        let high = kept.indices.contains(rank - 1) ? kept[rank - 1] : 0
        return min(max(high, least), mostMilliseconds)
    }

    func pace() async throws(ChallengeStoreFailure) -> Pace {
        let reply = try await redis.call(CodeFunctions.readPace, [RedisKeys.pace], [:])
        let times = (reply["milliseconds"]?.arrayValue ?? []).compactMap(\.integerValue)
        return Pace(
            milliseconds: Self.milliseconds(after: times, least: leastMilliseconds),
            lastAnswer: reply["last"]?.bytes.flatMap(Self.answer))
    }

    /// Notes a message that was sent, and the response to its request. A fault is logged; the response does not depend on it.
    func note(_ taken: Duration, _ answer: OTPRequestAnswer) async {
        do {
            let bytes = try StrictJSON.encode(answer)
            let milliseconds = min(max(Int64(taken / .milliseconds(1)), 0), Self.mostMilliseconds)
            _ = try await redis.call(
                CodeFunctions.notePace, [RedisKeys.pace],
                [
                    "milliseconds": .integer(milliseconds), "kept": RedisArgument(Self.keptMax),
                    "life": .integer(Self.lifeSeconds), "last": .bytes(bytes),
                ])
        } catch {
            logger.warning("otp.pace.unnoted", metadata: ["cause": "\(error)"])
        }
    }

    /// Runs `send`, and returns its response at the moment. A slower message goes on, and counts as accepted.
    func callAsFunction(
        _ send: @escaping @Sendable (_ pace: Pace, _ answer: LateAnswer) async throws -> OTPRequestAnswer
    ) async throws -> OTPRequestAnswer {
        let start = ContinuousClock.now
        let (pace, answer) = (try await pace(), LateAnswer())
        sends.start { await answer.settle { try await send(pace, answer) } }
        try await wait(start + .milliseconds(pace.milliseconds), answer)
        return try answer.take()
    }

    private static func answer(_ bytes: [UInt8]) -> OTPRequestAnswer? {
        do { return try StrictJSON.decode(OTPRequestAnswer.self, from: bytes, limits: .own) } catch { return nil }
    }
}
