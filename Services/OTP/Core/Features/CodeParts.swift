import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import ServiceKit

/// The parts that all codes are made and judged with, whether they go to phones or by mail.
struct CodeParts: Sendable {
    let secrets: CodeSecrets
    /// Shared only with user-service.
    let attestationKeys: KeyRing
    /// Whether the store has room for another challenge.
    let hasRoom: @Sendable () -> Bool
    /// Keeps the operator's trace of a number; `nil` keeps none.
    var trace: TraceBook?
    let logger: Logger
    /// Unix time in seconds.
    var now: @Sendable () -> Int64 = { UnixTime.seconds() }
    /// So many random bytes.
    var random: @Sendable (Int) -> [UInt8] = { SecureRandom.bytes($0) }

    /// Sends the codes that `rules` allow.
    func send(
        _ rules: CodeRules, _ store: any ChallengeStore, _ line: SenderLine,
        pace: SendPace<OTPRequestAnswer> = SendPace()
    ) -> SendCode {
        SendCode(
            subjects: CallSubjects(rules: rules, secrets: secrets), store: store, hasRoom: hasRoom, line: line,
            pace: pace,
            trace: trace, logger: logger, now: now, random: random)
    }

    /// Checks the codes that `rules` allow.
    ///
    /// - Parameters:
    ///   - provider: makes the codes; `nil` if they are ours.
    ///   - approved: receives the number of each right code of ours.
    func judge(
        _ rules: CodeRules, _ store: any ChallengeStore, provider: AskProvider? = nil,
        approved: @escaping @Sendable (String) -> Void = { _ in }
    ) -> JudgeCode {
        JudgeCode(
            subjects: CallSubjects(rules: rules, secrets: secrets), store: store, attestationKeys: attestationKeys,
            trace: trace, provider: provider, now: now, approved: approved)
    }
}
