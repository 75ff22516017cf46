import CryptoPrimitives
import EdgeHTTP
import InternalAPI
import Policies

/// The page behind a link that confirms a registration or sets a password: a form for the password, or one button if the link
/// suffices (uta). At uta's host the link of another dialect's registration has the form too.
///
/// Opening it asks no service and does nothing, so no scanner of mails uses a link up; nor does whoever got a stranger's
/// mail confirm it by a click, for he does not know the password, or is told what the button does.
struct AccountPage: Sendable {
    /// What the form does.
    enum Act: Sendable, CaseIterable {
        case confirm, reset
        /// Confirms without the password.
        case confirmByLink
    }

    /// More than a link's token has, less than what is worth reading.
    private static let tokenLength = 22...128
    private static let formBytesMax = 4_096
    private static let members: Set<String> = ["token", "password"]
    /// A field for password managers, which is not read.
    private static let username = "username"
    private static let buttonMembers: Set<String> = ["token"]

    let act: Act
    let appName: String
    let catalog: MessageCatalog

    /// The form, for the token of the link.
    ///
    /// - Parameters:
    ///   - query: of the link, as it came; nil for none.
    ///   - locales: language tags, best first.
    func reply(query: String?, locales: [String]) -> Reply {
        guard let token = LinkQuery.token(query).flatMap(Self.token) else {
            return reply(to: .invalidLink, token: nil, locales: locales)
        }
        let isButton = act == .confirmByLink && LinkHint.suffices(token)
        return page(locales) { isButton ? button($0, token: token) : form($0, token: token, problem: nil) }
    }

    /// What the form holds.
    func link(_ body: [UInt8]) throws(Refusal) -> PasswordAccounts.Link {
        guard body.count <= Self.formBytesMax else { throw .violation(.bodyTooLarge) }
        let form: FormBody
        do throws(FormBody.Refusal) { form = try FormBody(body) } catch { throw .invalidBody(.unfit) }
        guard let token = form["token"] else { throw .invalidBody(.unfit) }
        if act == .confirmByLink, form.names == Self.buttonMembers {
            return PasswordAccounts.Link(token: token, password: nil)
        }
        guard form.names.subtracting([Self.username]) == Self.members, let password = form["password"] else {
            throw .invalidBody(.unfit)
        }
        return PasswordAccounts.Link(token: token, password: password)
    }

    /// That it is done.
    func done(locales: [String]) -> Reply {
        page(locales) { "<p>\(filled(words($0).done))</p>" }
    }

    /// What came of it instead; with the form where another password would do.
    ///
    /// - Parameters:
    ///   - token: of the link, which holds still.
    ///   - hadPassword: whether the form had one: who was not asked has typed none wrongly.
    func reply(to refusal: Refusal, token: String?, hadPassword: Bool = true, locales: [String]) -> Reply {
        let words = RefusalWords(refusal)
        return page(locales, status: words.status, headers: words.allHeaders) { texts in
            let problem = Self.problem(refusal, texts.problems)
            guard let token = token.flatMap(Self.token), refusal == .wrongPassword || refusal == .weakPassword else {
                return "<p>\(filled(problem))</p>"
            }
            return form(texts, token: token, problem: hadPassword ? problem : nil)
        }
    }

    private static func problem(_ refusal: Refusal, _ texts: AccountTexts.Problems) -> String {
        switch refusal {
        case .wrongPassword: texts.wrongPassword
        case .weakPassword: texts.weakPassword
        case .invalidBody, .violation: texts.invalidForm
        case .tooMany, .tooManyRequests: texts.tooMany
        case .unavailable, .changePending: texts.unavailable
        default: texts.invalidLink
        }
    }

    private func words(_ texts: AccountTexts) -> AccountTexts.Form {
        switch act {
        case .confirm, .confirmByLink: texts.confirmPage
        case .reset: texts.resetPage
        }
    }

    /// A token that can be ours; nothing else is ever on the page.
    private static func token(_ text: String) -> String? {
        tokenLength.contains(text.utf8.count) && Base64URL.decode(text) != nil ? text : nil
    }

    private func page(
        _ locales: [String], status: Int = 200, headers: [(String, String)] = [],
        _ body: (AccountTexts) -> String
    ) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let accounts = texts.accounts ?? AccountTexts()
        return WebPage(
            title: filled(words(accounts).title), body: body(accounts), locale: locale, direction: texts.direction,
            formTarget: .own
        ).reply(status: status, headers: headers)
    }

    /// To the path that the page is at, wherever a proxy has put it.
    private var target: String { act == .reset ? "reset-password" : "verify-email" }

    private func form(_ texts: AccountTexts, token: String, problem: String?) -> String {
        let words = words(texts)
        let autocomplete = act == .reset ? "new-password" : "current-password"
        return """
            <p>\(filled(words.advice))</p>\
            \(problem.map { "<p role=\"alert\"><strong>\(filled($0))</strong></p>" } ?? "")
            <form method="post" action="\(target)">
            <input type="hidden" name="token" value="\(token)">\(act == .reset ? Self.usernameField : "")
            <label for="password">\(filled(words.password))</label>
            <input id="password" type="password" name="password" required autofocus autocomplete="\(autocomplete)">
            <button>\(filled(words.button))</button>
            </form>
            """
    }

    /// Lets a password manager tell which account the new password is of; its value is for the manager to fill in, since the
    /// page does not know the address.
    private static let usernameField =
        "\n<input type=\"text\" name=\"\(username)\" autocomplete=\"username\" hidden>"

    private func button(_ texts: AccountTexts, token: String) -> String {
        let words = (texts.byLink ?? AccountTexts.ByLink()).page
        return """
            <p>\(filled(words.advice))</p>
            <form method="post" action="\(target)">
            <input type="hidden" name="token" value="\(token)">
            <button>\(filled(words.button))</button>
            </form>
            """
    }

    private func filled(_ text: String) -> String { text.replacing("{app}", with: appName).escapedForHTML }
}
