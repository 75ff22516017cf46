import Delivery
import InternalAPI
import ServiceHTTP

/// Sign-in mails: their requests, and the codes and links that come back.
struct MailCodes: Sendable {
    let request: RequestMail
    let verify: VerifyMail

    /// - Parameter bars: the addresses that get no mail.
    init(
        _ rules: CodeRules, store: any ChallengeStore, _ parts: CodeParts, letter: SignInLetter,
        sender: any MessageSender, bars: AddressBars
    ) {
        request = RequestMail(
            send: parts.send(rules, store, SenderLine(mail: sender)), letter: letter, bars: bars)
        verify = VerifyMail(judge: parts.judge(rules, store))
    }

    /// The feature's routes, which say so where it is off.
    static func add(_ codes: MailCodes?, to routes: inout ServiceRoutes) {
        routes.answer(OTPOperations.requestMail) { try await codes?.request($0) ?? OTPRequestAnswer(.off) }
        routes.answer(OTPOperations.verifyMail) { try await codes?.verify($0) ?? OTPVerifyAnswer(.off) }
    }
}
