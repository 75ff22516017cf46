import Logging
import RedisClient

@testable import OTPCore

extension AnswerMoment {
    /// - Parameter waitsForAnswers: Whether a response that is not known at its moment is waited for. A test of what it says needs
    ///   that, since any machine may be slow.
    init(
        redis: RedisClient, sends: SendsBehind, logger: Logger, leastMilliseconds: Int64, waitsForAnswers: Bool
    ) {
        self.init(redis: redis, sends: sends, logger: logger, leastMilliseconds: leastMilliseconds)
        guard waitsForAnswers else { return }
        wait = { moment, answer in
            try await Task.sleep(until: moment, clock: .continuous)
            while !answer.isKnown { try await Task.sleep(for: .milliseconds(1)) }
        }
    }
}
