import Delivery
import InternalAPI
import ServiceCalls
import ServiceHTTP

/// Mails about accounts, with their delivery status and the operator's view of addresses.
struct Notices: Sendable {
    let send: SendNotice
    let manage: ManageMail
    /// The receiver of delivery reports; `nil` if the provider sends none.
    let noteMailStatus: NoteMailStatus?

    /// - Parameters:
    ///   - blocks: the addresses that get no mail.
    ///   - webhooks: `resend_webhook_secret`; `nil` if no webhook is expected.
    init(
        _ parts: CodeParts, letter: NoticeLetter, sender: any MessageSender, blocks: AddressBlocks,
        webhooks: WebhookSignature?
    ) {
        send = SendNotice(
            letter: letter, sender: sender, blocks: blocks, secrets: parts.secrets, now: parts.now, logger: parts.logger
        )
        manage = ManageMail(appName: letter.appName, sender: sender, blocks: blocks, secrets: parts.secrets)
        noteMailStatus = webhooks.map {
            NoteMailStatus(signature: $0, blocks: blocks, secrets: parts.secrets, now: parts.now)
        }
    }

    /// Adds the feature's routes, which report when it is off.
    static func add(_ notices: Notices?, to routes: inout ServiceRoutes) {
        routes.answer(OTPOperations.resendWebhook) { try await notices?.noteMailStatus?($0) ?? MailWebhookAnswer(.off) }
        routes.answer(OTPOperations.mailStanding) { try await notices?.manage.standing($0) ?? MailStanding() }
    }
}
