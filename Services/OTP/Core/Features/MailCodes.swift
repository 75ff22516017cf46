import Delivery
import InternalAPI
import Policies
import ServiceHTTP

/// The sign-in mails: their requests, and the checks of their codes and links. Those of the dialect `supabase` are valid only there, and
/// all other dialects share the native ones.
struct MailCodes: Sendable {
    /// The use cases of one dialect.
    struct UseCases: Sendable {
        let request: RequestMail
        let verify: VerifyMail
    }

    private let native: UseCases
    private let supabase: UseCases

    /// - Parameter blocks: the addresses that get no mail.
    init(
        _ rules: CodeRules, store: any ChallengeStore, _ parts: CodeParts, letter: SignInLetter,
        sender: any MessageSender, blocks: AddressBlocks
    ) {
        let line = SenderLine(mail: sender)
        func useCases(of dialect: String) -> UseCases {
            var rules = rules
            rules.dialect = dialect
            return UseCases(
                request: RequestMail(send: parts.send(rules, store, line), letter: letter, blocks: blocks),
                verify: VerifyMail(judge: parts.judge(rules, store)))
        }
        native = useCases(of: Dialect.native)
        supabase = useCases(of: Dialect.supabase)
    }

    func codes(of dialect: String?) -> UseCases { dialect == Dialect.supabase ? supabase : native }

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
