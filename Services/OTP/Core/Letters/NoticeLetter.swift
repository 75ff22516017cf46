import Delivery
import InternalAPI
import Policies
import ServiceKit

/// Writes the mails that inform users about their accounts: in the language of the request that caused the mail, if that is
/// known, else in the deployment's default.
///
/// They contain no text from a client, and links lead only to the deployment's own URL.
struct NoticeLetter: Sendable {
    let appName: String
    let catalog: MessageCatalog
    /// The URL at which clients reach the deployment; `nil` for mails without links.
    let baseURL: String?

    func written(_ notice: MailNotice) -> Message.Content {
        let (locale, texts) = catalog.texts(for: notice.locales ?? [])
        let words = words(for: notice, texts)
        let link = words.link.flatMap { link in
            url(of: notice, path: link.path).map { (button: link.button, url: $0, expiry: link.expiry) }
        }
        let code = notice.code.map { (text: texts.letter.code, digits: $0) }
        let expiry = link == nil && code != nil ? words.link?.expiry : nil
        func filled(_ text: String) -> String {
            text.replacing("{date}", with: catalog.timeZone.day(notice.deletionAt ?? notice.at)).replacing(
                "{time}", with: catalog.timeZone.minute(notice.at)
            )
            .replacing("{app}", with: appName)
        }
        let blocks =
            [words.title, words.body] + (code.map { ["\($0.text)\n\n\($0.digits)"] } ?? [])
            + (link.map { [$0.button + ":\n\n" + $0.url, $0.expiry] } ?? []) + (expiry.map { [$0] } ?? [])
        let html = [
            "<p>\(filled(words.body).escapedForHTML)</p>",
            code.map { LetterPage.code($0.digits, after: filled($0.text)) },
            link.map { LetterPage.button(filled($0.button), leadingTo: $0.url, catalog.accent) },
            (link?.expiry ?? expiry).map { "<p>\(filled($0).escapedForHTML)</p>" },
            LetterPage.quiet(filled(words.warning)),
        ]
        return Message.Content(
            subject: filled(words.subject),
            text: (blocks + [words.warning]).map(filled).joined(separator: "\n\n") + "\n",
            html: LetterPage.html(
                title: filled(words.title), body: html.compactMap { $0 }.joined(separator: "\n"), appName: appName,
                locale: locale, direction: texts.direction),
            code: notice.code, link: link?.url)
    }

    /// Returns the link of a notice: to one of the gateway's pages, or back to an app.
    private func url(of notice: MailNotice, path: String) -> String? {
        guard let baseURL, let token = notice.token else { return nil }
        guard let back = notice.back else { return "\(baseURL)\(path)?token=\(token)" }
        return back.link(token, notice.kind == .passwordReset ? .recovery : .signup, at: baseURL)
    }

    /// Writes the text message about a change, or returns `nil` if the deployment has no URL or no text for it. The one about
    /// inactivity needs no URL.
    func textMessage(_ notice: MailNotice) -> String? {
        let (_, texts) = catalog.texts(for: notice.locales ?? [])
        guard notice.kind != .inactivity else {
            let text = texts.inactivitySMS.replacing("{app}", with: appName)
                .replacing("{date}", with: catalog.timeZone.day(notice.at))
            return text.isEmpty ? nil : text
        }
        let text =
            switch notice.kind {
            case .phoneChange: texts.notMe.phoneChangeSMS
            case .merge: texts.notMe.mergeSMS
            case .newDevice: texts.notMe.newDeviceSMS
            default: texts.notMe.sms
            }
        guard let baseURL, let token = notice.token, !text.isEmpty else { return nil }
        return text.replacing("{app}", with: appName)
            .replacing("{link}", with: "\(baseURL)\(AccountLinks.notMePath)?token=\(token)")
    }

    private func words(for notice: MailNotice, _ texts: MessageTexts) -> Words {
        let accounts = texts.accounts ?? AccountTexts()
        return switch notice.kind {
        case .accountDeletion: Words(texts.deletion)
        case .confirmRegistration: Words(accounts.confirm, path: AccountLinks.confirmPath)
        case .confirmRegistrationByLink:
            Words(accounts.byLink?.letter ?? accounts.confirm, path: AccountLinks.confirmPath)
        case .addressKnown where notice.deletionAt != nil: Words(accounts.awaitsDeletion ?? accounts.known)
        case .addressKnown: Words(accounts.known)
        case .passwordReset: Words(accounts.reset, path: AccountLinks.resetPath)
        case .passwordChanged: Words(accounts.changed, texts.notMe)
        case .identityChanged: Words(texts.identityChanged, texts.notMe)
        case .newDevice: Words(texts.newDevice, texts.notMe)
        case .phoneChange: Words(texts.phoneChange, texts.notMe)
        case .merge: Words(texts.merge, texts.notMe)
        case .passkeyAdded: Words(texts.passkeys?.added ?? texts.identityChanged, texts.notMe)
        case .passkeyWaits: Words(texts.passkeys?.waits ?? texts.identityChanged, texts.notMe)
        case .passkeyRemoved: Words(texts.passkeys?.removed ?? texts.identityChanged, texts.notMe)
        case .passkeyCounter: Words(texts.passkeys?.counter ?? texts.identityChanged, texts.notMe)
        case .inactivity: Words(texts.inactivity)
        case .invitation: Words(accounts.invitation, path: AccountLinks.resetPath)
        case .confirmAddress: Words((texts.address ?? AddressTexts()).letter, path: AccountLinks.addressPath)
        }
    }

    /// A letter's texts, with a link or without.
    private struct Words {
        let subject, title, body, warning: String
        var link: (path: String, button: String, expiry: String)?

        init(_ texts: MessageTexts.Notice) {
            (subject, title, body, warning) = (texts.subject, texts.title, texts.body, texts.warning)
        }

        /// The mail about a change, with the link by which the user reports it as not theirs.
        init(_ texts: MessageTexts.Notice, _ notMe: NotMeTexts) {
            self.init(texts)
            link = ("\(AccountLinks.notMePath)", notMe.button, notMe.expiry)
        }

        init(_ texts: AccountTexts.LinkLetter, path: StaticString) {
            (subject, title, body, warning) = (texts.subject, texts.title, texts.body, texts.warning)
            link = ("\(path)", texts.button, texts.expiry)
        }
    }
}
