import Delivery
import InternalAPI
import Policies
import RedisClient
import ServiceHTTP

/// The codes to phones: each dialect's requests and guesses, and the operator's view of phone numbers, messages and their costs.
struct PhoneCodes: Sendable {
    /// The rules of a dialect, and the store that counts by them.
    struct Dialect: Sendable {
        let rules: CodeRules
        let store: any ChallengeStore
    }

    /// The use cases of one dialect: its own rules over counts that all dialects share.
    struct UseCases: Sendable {
        let request: RequestCode
        let verify: VerifyCode
    }

    private let useCases: [String: UseCases]
    let clearNumber: ClearNumber
    let unlockNumber: UnlockNumber
    let admitNumber: AdmitNumber
    let sendTestMessage: SendTestMessage
    /// `nil` if the policy sends no notices as text messages.
    let sendNotice: SendTextNotice?
    /// The receiver of delivery reports; `nil` if Twilio is not asked to send them.
    let noteDeliveryReport: NoteDeliveryReport?

    /// - Parameters:
    ///   - dialects: the dialects with codes; without any there is no feature.
    ///   - twilio: Twilio's parts besides its senders.
    ///   - notices: the texts of notices, and where they are counted; `nil` if the policy sends no notices as text messages.
    init?(
        _ dialects: [Dialect], _ parts: CodeParts, line: SenderLine, twilio: TwilioParts = TwilioParts(),
        notices: (letter: NoticeLetter, redis: RedisClient)? = nil
    ) {
        // Phone numbers and messages are checked by the native rules, if there are any.
        guard let first = dialects.first(where: { $0.rules.dialect == Policies.Dialect.native }) ?? dialects.first
        else { return nil }
        // All dialects send by the same providers.
        let pace = SendPace<OTPRequestAnswer>()
        let provider = twilio.checker.map { AskProvider($0, load: line.load) }
        let useCases = dialects.map { dialect in
            (
                dialect.rules.dialect,
                UseCases(
                    request: RequestCode(send: parts.send(dialect.rules, dialect.store, line, pace: pace)),
                    verify: VerifyCode(
                        judge: parts.judge(
                            dialect.rules, dialect.store, provider: provider, approved: twilio.approved)))
            )
        }
        self.useCases = Dictionary(useCases) { first, _ in first }
        clearNumber = ClearNumber(rules: first.rules, secrets: parts.secrets, store: first.store, now: parts.now)
        unlockNumber = UnlockNumber(rules: first.rules, secrets: parts.secrets, store: first.store, now: parts.now)
        admitNumber = AdmitNumber(
            subjects: CallSubjects(rules: first.rules, secrets: parts.secrets), store: first.store, trace: parts.trace,
            now: parts.now)
        let charge = MessageCharge(rules: first.rules, store: first.store, secrets: parts.secrets, now: parts.now)
        sendNotice = notices.map {
            SendTextNotice(
                letter: $0.letter, rules: first.rules, charge: charge, redis: $0.redis, line: line, trace: parts.trace,
                secrets: parts.secrets, now: parts.now, logger: parts.logger)
        }
        sendTestMessage = SendTestMessage(
            rules: first.rules, charge: charge, line: line, verifications: twilio.verifications,
            secrets: parts.secrets, now: parts.now, random: parts.random)
        noteDeliveryReport = twilio.callbacks.map {
            NoteDeliveryReport(
                $0, rules: first.rules, secrets: parts.secrets, trace: parts.trace, store: first.store, now: parts.now,
                logger: parts.logger)
        }
    }

    /// - Parameter dialect: the dialect; `nil` is native.
    /// - Throws: `InvalidInput` for a dialect without codes.
    func codes(of dialect: String?) throws(InvalidInput) -> UseCases {
        guard let useCases = useCases[dialect ?? Policies.Dialect.native] else { throw InvalidInput(member: "dialect") }
        return useCases
    }
}

extension PhoneCodes {
    /// Adds the feature's routes, which report when it is off.
    static func add(_ codes: PhoneCodes?, to routes: inout ServiceRoutes) {
        routes.answer(OTPOperations.request) { try await Self.codes(codes, $0.dialect).request($0) }
        routes.answer(OTPOperations.verify) { try await Self.codes(codes, $0.dialect).verify($0) }
        routes.answer(OTPOperations.admitNumber) {
            // Without codes there are no lockouts and no counts of numbers.
            try await codes?.admitNumber($0) ?? VerifiedNumberAnswer()
        }
        routes.answer(OTPOperations.twilioCallback) {
            await codes?.noteDeliveryReport?($0) ?? TwilioCallbackAnswer(.off)
        }
    }

    private static func codes(_ codes: PhoneCodes?, _ dialect: String?) throws(InvalidInput) -> UseCases {
        guard let codes else { throw InvalidInput(member: "dialect") }
        return try codes.codes(of: dialect)
    }
}
