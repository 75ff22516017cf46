import Delivery
import InternalAPI
import Policies
import ServiceKit

/// Writes mails with a code, with equal content as text and as a page, in the language of the client.
///
/// No word in them is a client's, so that a request for another person's address cannot be used to write to them.
struct SignInLetter: Sendable {
    let appName: String
    let catalog: MessageCatalog
    /// The URL of links, without their query; `nil` if mails have none.
    let linkURL: String?
    let lifetimeSeconds: Int64
    /// The URL at which clients reach the deployment, for links of the dialect `supabase`; `nil` for mails without them.
    var baseURL: String?

    /// - Parameters:
    ///   - token: the token of the link; `nil` for a mail without one.
    ///   - back: the way of the link in the dialect `supabase`; `nil` for the policy's link.
    ///   - locales: language tags, best first.
    func written(
        code: String, token: String?, back: MailReturn? = nil, for purpose: Purpose = .signIn, locales: [String]
    ) -> Message.Content {
        let (locale, texts) = catalog.texts(for: locales)
        let link = token.flatMap { token in
            guard let back else { return linkURL.map { "\($0)?token=\(token)" } }
            return baseURL.flatMap { back.link(token, .magiclink, at: $0) }
        }
        let words = Words(
            letter: purpose.texts(texts)?.letter ?? texts.letter, code: code, app: appName,
            minutes: lifetimeSeconds / 60, hasLink: link != nil)
        return Message.Content(
            subject: words.subject, text: Self.text(words, code, link),
            html: page(words, code, link, locale: locale, direction: texts.direction), code: code, link: link)
    }

    private static func text(_ words: Words, _ code: String, _ link: String?) -> String {
        let blocks = [words.title, "\(words.code)\n\n\(code)"] + (link.map { ["\(words.link)\n\n\($0)"] } ?? [])
        return (blocks + [words.expiry, words.warning]).joined(separator: "\n\n") + "\n"
    }

    private func page(
        _ words: Words, _ code: String, _ link: String?, locale: String, direction: MessageTexts.Direction
    ) -> String {
        let button = link.map { link in
            """
            <p>\(words.link.escapedForHTML)</p>
            \(LetterPage.button(words.button, leadingTo: link, catalog.accent))

            """
        }
        let body = """
            \(LetterPage.code(code, after: words.code))
            \(button ?? "")<p>\(words.expiry.escapedForHTML)</p>
            \(LetterPage.quiet(words.warning))
            """
        return LetterPage.html(
            title: words.title, body: body, appName: appName, locale: locale, direction: direction)
    }

    /// The texts with their values.
    private struct Words {
        let subject, title, code, link, button, expiry, warning: String

        init(letter: MessageTexts.Letter, code: String, app: String, minutes: Int64, hasLink: Bool) {
            func filled(_ text: String) -> String {
                text.replacing("{minutes}", with: "\(minutes)").replacing("{code}", with: code)
                    .replacing("{app}", with: app)
            }
            (subject, title, self.code, link) = (
                filled(letter.subject), filled(letter.title), filled(letter.code), filled(letter.link)
            )
            let expiry = hasLink ? letter.expiry : letter.codeExpiry ?? letter.expiry
            (button, self.expiry, warning) = (filled(letter.button), filled(expiry), filled(letter.warning))
        }
    }
}

extension Purpose {
    /// Returns the texts of messages with a code for this purpose; `nil` for a sign-in, which has texts of its own.
    func texts(_ texts: MessageTexts) -> CodeTexts? {
        switch self {
        case .signIn: nil
        case .deletion: texts.deletionPage?.codes
        case .reauthentication: texts.reauthentication
        // Its recipient has to know as well that somebody else gets the number or address.
        case .identity, .merge: texts.identity
        }
    }
}
