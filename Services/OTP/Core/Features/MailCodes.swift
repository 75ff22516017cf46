import Delivery
import InternalAPI
import ServiceHTTP

/// The sign-in mails: their requests, and the checks of their codes and links.
struct MailCodes: Sendable {
    let request: RequestMail
    let verify: VerifyMail

    /// - Parameter blocks: the addresses that get no mail.
    init(
        _ rules: CodeRules, store: any ChallengeStore, _ parts: CodeParts, letter: SignInLetter,
        sender: any MessageSender, blocks: AddressBlocks
    ) {
        request = RequestMail(
            send: parts.send(rules, store, SenderLine(mail: sender)), letter: letter, blocks: blocks)
        verify = VerifyMail(judge: parts.judge(rules, store))
    }

    /// Adds the feature's routes, which report when it is off.
    static func add(_ codes: MailCodes?, to routes: inout ServiceRoutes) {
        routes.answer(OTPOperations.requestMail) { try await codes?.request($0) ?? OTPRequestAnswer(.off) }
        routes.answer(OTPOperations.verifyMail) { try await codes?.verify($0) ?? OTPVerifyAnswer(.off) }
    }
}
