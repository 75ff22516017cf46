import AsyncHTTPClient
import Delivery
import InternalAPI
import Policies
import RedisClient
import ServiceKit

extension OTPWiring {
    /// Builds the use cases from policy and settings.
    ///
    /// - Parameter reports: the reports of right codes to Twilio Verify; `nil` if it sends no codes.
    init(
        _ context: ProcessContext, _ settings: OTPSettings, redis: RedisClient, client: HTTPClient,
        reports: ApprovalReports?, _ parts: CodeParts
    ) throws {
        let policy = context.policy
        let stores = CodeStores(context, redis, spend: settings.costs ? policy.spend : nil)
        let dialects = try stores.dialects()
        let blocks = AddressBlocks(redis: redis, now: parts.now)
        let noticeLetter = NoticeLetter(
            appName: policy.messages.appName, catalog: try context.messageCatalog(), baseURL: try context.pagesURL())
        let sender = try policy.sendsMail ? MailSettings(context).makeSender(context, client: client) : nil
        self.init(
            phoneCodes: PhoneCodes(
                dialects, parts, line: try settings.makeLine(context, client: client),
                twilio: try settings.twilioParts(client: client, reports),
                notices: policy.sendsTextNotices ? (noticeLetter, redis) : nil),
            mailCodes: try sender.flatMap { sender in
                try policy.email.map { email in
                    MailCodes(
                        stores.rules(of: email), store: stores.store(email.codes), parts,
                        letter: try Self.letter(email, context), sender: sender, blocks: blocks)
                }
            },
            notices: try sender.map { sender in
                Notices(
                    parts, letter: noticeLetter,
                    sender: sender, blocks: blocks, webhooks: try MailSettings.webhooks(context.settings))
            },
            dialects: dialects, store: stores.shared, redis: redis,
            reportSpending: stores.spend.map {
                ReportSpending(policy: $0, book: SpendBook(redis: redis), now: parts.now)
            }, parts)
    }

    private static func letter(_ email: EmailPolicy, _ context: ProcessContext) throws -> SignInLetter {
        SignInLetter(
            appName: context.policy.messages.appName, catalog: try context.messageCatalog(),
            linkURL: try email.linkURL ?? context.publicURL().map { $0.text + EmailPolicy.linkPath },
            lifetimeSeconds: email.codes.lifetimeSeconds, baseURL: try context.pagesURL())
    }
}

extension ProcessContext {
    /// Returns the URL of the gateway's pages: `publicURL`, or the origin of the links in sign-in mails.
    func pagesURL() throws -> String? {
        try publicURL()?.text ?? policy.email?.linkURL.flatMap { PublicURL($0)?.origin }
    }
}
