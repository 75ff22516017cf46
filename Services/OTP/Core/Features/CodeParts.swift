import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import ServiceKit

/// The parts by which all codes are made and checked, whether they are sent to phones or by mail.
struct CodeParts: Sendable {
    let secrets: CodeSecrets
    /// Shared only with user-service.
    let attestationKeys: KeyRing
    /// Whether the store has room for another challenge.
    let hasRoom: @Sendable () -> Bool
    /// The operator's trace of phone numbers; `nil` if there is none.
    var trace: TraceBook?
    /// Encrypts identities for the records of long lockouts; `nil` if no account is reviewed for them.
    var lockouts: LockoutSeal?
    /// The moment at which a closed app answers requests for codes to phones.
    var moment: AnswerMoment?
    let logger: Logger
    /// Unix time in seconds.
    var now: @Sendable () -> Int64 = { UnixTime.seconds() }
    /// Returns so many random bytes.
    var random: @Sendable (Int) -> [UInt8] = { SecureRandom.bytes($0) }

    /// Sends the codes that `rules` allow.
    func send(
        _ rules: CodeRules, _ store: any ChallengeStore, _ line: SenderLine,
        pace: SendPace<OTPRequestAnswer> = SendPace()
    ) -> SendCode {
        SendCode(
            subjects: CallSubjects(rules: rules, secrets: secrets), store: store, hasRoom: hasRoom, line: line,
            pace: pace, moment: rules.isClosed ? moment : nil,
            trace: trace, logger: logger, now: now, random: random)
    }

    /// Checks the codes that `rules` allow.
    ///
    /// - Parameters:
    ///   - provider: the provider that makes the codes; `nil` if they are ours.
    ///   - approved: receives the phone number of each right code of ours.
    func judge(
        _ rules: CodeRules, _ store: any ChallengeStore, provider: AskProvider? = nil,
        approved: @escaping @Sendable (String) -> Void = { _ in }
    ) -> JudgeCode {
        JudgeCode(
            subjects: CallSubjects(rules: rules, secrets: secrets), store: store, attestationKeys: attestationKeys,
            trace: trace, provider: provider, lockouts: lockouts, now: now, approved: approved)
    }
}
