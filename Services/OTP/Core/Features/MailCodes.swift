import Delivery
import InternalAPI
import Policies
import ServiceHTTP

/// The sign-in mails: their requests, and the checks of their codes and links. Each is valid only in the dialect that requested it.
struct MailCodes: Sendable {
    /// The use cases of one dialect.
    struct UseCases: Sendable {
        let request: RequestMail
        let verify: VerifyMail
    }

    private let useCases: [String: UseCases]

    /// - Parameter blocks: the addresses that get no mail.
    init(
        _ rules: CodeRules, store: any ChallengeStore, _ parts: CodeParts, letter: SignInLetter,
        sender: any MessageSender, blocks: AddressBlocks
    ) {
        let line = SenderLine(mail: sender)
        let useCases = [Dialect.native, Dialect.supabase].map { dialect in
            var rules = rules
            rules.dialect = dialect
            return (
                dialect,
                UseCases(
                    request: RequestMail(send: parts.send(rules, store, line), letter: letter, blocks: blocks),
                    verify: VerifyMail(judge: parts.judge(rules, store)))
            )
        }
        self.useCases = Dictionary(useCases) { first, _ in first }
    }

    /// - Parameter dialect: the dialect; `nil` is native.
    /// - Throws: `InvalidInput` for a dialect without mails of its own.
    func codes(of dialect: String?) throws(InvalidInput) -> UseCases {
        guard let codes = useCases[dialect ?? Dialect.native] else { throw InvalidInput(member: "dialect") }
        return codes
    }

    /// Adds the feature's routes, which report when it is off.
    static func add(_ codes: MailCodes?, to routes: inout ServiceRoutes) {
        routes.answer(OTPOperations.requestMail) {
            try await codes?.codes(of: $0.dialect).request($0) ?? OTPRequestAnswer(.off)
        }
        routes.answer(OTPOperations.verifyMail) {
            try await codes?.codes(of: $0.dialect).verify($0) ?? OTPVerifyAnswer(.off)
        }
    }
}
