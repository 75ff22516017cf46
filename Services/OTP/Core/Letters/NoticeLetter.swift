import Delivery
import FoundationEssentials
import InternalAPI
import Policies

/// Words mails that tell somebody of his account, in the deployment's own language: nobody asks for them just now.
struct NoticeLetter: Sendable {
    let appName: String
    let catalog: MessageCatalog

    func written(_ notice: MailNotice) -> Message.Content {
        let (locale, texts) = catalog.texts(for: [])
        let words =
            switch notice.kind {
            case .accountDeletion: texts.deletion
            }
        func filled(_ text: String) -> String {
            text.replacing("{date}", with: Self.day(notice.at)).replacing("{app}", with: appName)
        }
        let (title, body, warning) = (filled(words.title), filled(words.body), filled(words.warning))
        let page = """
            <p>\(body.escapedForHTML)</p>
            <p style="color:#666">\(warning.escapedForHTML)</p>
            """
        return Message.Content(
            subject: filled(words.subject), text: [title, body, warning].joined(separator: "\n\n") + "\n",
            html: LetterPage.html(title: title, body: page, locale: locale, direction: texts.direction))
    }

    /// E.g. `2026-12-23`, which is read alike everywhere; of Greenwich.
    private static func day(_ second: Int64) -> String {
        Date(timeIntervalSince1970: Double(second)).formatted(.iso8601.year().month().day())
    }
}
