import EdgeHTTP
import InternalAPI
import Policies
import ServiceKit

/// The page behind a link that confirms a registration or sets a password: a form for the password, or one button if the link
/// suffices (uta). At uta's host the link of another dialect's registration has the form too.
///
/// Opening it changes nothing, so a mail scanner uses no link up. A person who received someone else's mail confirms nothing
/// by a click either: they do not know the password, or the page states what the button does.
struct AccountPage: Sendable {
    /// The effect of the form.
    enum Act: Sendable, CaseIterable {
        case confirm, reset
        /// Confirms without the password.
        case confirmByLink
    }

    private static let formBytesMax = 4_096
    private static let members: Set<String> = ["token", "password"]
    /// The field that tells password managers the account's address; it is not read.
    private static let username = "username"
    private static let buttonMembers: Set<String> = ["token"]

    let act: Act
    let appName: String
    let catalog: MessageCatalog
    /// Characters that a new password needs.
    var lengthMin = PasswordPolicy().lengthMin

    /// The form, for the token of the link.
    ///
    /// - Parameters:
    ///   - query: of the link, as it came; nil for none.
    ///   - address: the address whose password the link sets; `nil` if it is not known.
    ///   - locales: language tags, best first.
    func reply(query: String?, address: String? = nil, locales: [String]) -> Reply {
        guard let token = token(query: query) else { return reply(to: .invalidLink, token: nil, locales: locales) }
        let isButton = act == .confirmByLink && LinkHint.suffices(token)
        return page(locales) {
            isButton ? button($0, token: token) : form($0, token: token, address: address, problem: nil)
        }
    }

    /// The token in a link's query, or `nil` if it can be no token of ours.
    func token(query: String?) -> String? { LinkQuery.pageToken(query) }

    /// Reads the submitted form.
    func link(_ body: [UInt8]) throws(Refusal) -> PasswordAccounts.Link {
        let form = try WebPage.form(body, bytesMax: Self.formBytesMax)
        guard let token = form["token"] else { throw .invalidBody(.unfit) }
        if act == .confirmByLink, form.names == Self.buttonMembers {
            return PasswordAccounts.Link(token: token, password: nil)
        }
        guard form.names.subtracting([Self.username]) == Self.members, let password = form["password"] else {
            throw .invalidBody(.unfit)
        }
        return PasswordAccounts.Link(token: token, password: password)
    }

    /// Returns the page after success.
    func done(locales: [String]) -> Reply {
        page(locales, onwards: true) { "<p>\(filled(words($0).done))</p>" }
    }

    /// Returns the page for a refusal, with the form if another password could help.
    ///
    /// - Parameters:
    ///   - token: The token of the link, if it is still valid.
    ///   - address: The address whose password the link sets; `nil` if it is unknown.
    ///   - hadPassword: Whether the form had a password field; without one, no password is called wrong.
    func reply(
        to refusal: Refusal, token: String?, address: String? = nil, hadPassword: Bool = true, locales: [String]
    ) -> Reply {
        let words = RefusalWords(refusal)
        return page(locales, status: words.status, headers: words.allHeaders) { texts in
            let problem = Self.problem(refusal, texts.problems)
            guard let token = token.flatMap(LinkQuery.pageToken(text:)), Self.asksAgain(after: refusal) else {
                return "<p>\(filled(problem))</p>"
            }
            return form(texts, token: token, address: address, problem: hadPassword ? problem : nil)
        }
    }

    /// Whether another password would do, so that the page shows the form again.
    static func asksAgain(after refusal: Refusal) -> Bool { refusal == .wrongPassword || refusal == .weakPassword }

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

    private func page(
        _ locales: [String], status: Int = 200, headers: [(String, String)] = [], onwards: Bool = false,
        _ body: (AccountTexts) -> String
    ) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let accounts = texts.accounts ?? AccountTexts()
        let onwards = onwards ? AppButton.html(to: "open", filled(texts.page.button), catalog) : ""
        return WebPage(
            title: filled(words(accounts).title), body: body(accounts) + onwards, locale: locale,
            direction: texts.direction,
            appName: appName, accent: catalog.accent, logo: catalog.logo, formTarget: .own
        ).reply(status: status, headers: headers)
    }

    /// To the path that the page is at, wherever a proxy has put it.
    private var target: String { act == .reset ? "reset-password" : "verify-email" }

    private func form(_ texts: AccountTexts, token: String, address: String?, problem: String?) -> String {
        let words = words(texts)
        let rules = words.rules.map { filled($0.replacing("{length}", with: "\(lengthMin)")) }
        let hint = rules.map { "\n<p id=\"rules\" class=\"quiet\">\($0)</p>" } ?? ""
        let autocomplete = act == .reset ? "new-password" : "current-password"
        return """
            <p>\(filled(words.advice))</p>
            <form method="post" action="\(target)">
            <input type="hidden" name="token" value="\(token)">\(act == .reset ? Self.usernameField(address) : "")
            <label for="password">\(filled(words.password))</label>\(hint)
            <input id="password" type="password" name="password" required autofocus autocomplete="\(autocomplete)"\
            \(FieldProblem.attributes(problem, after: rules == nil ? [] : ["rules"]))>\(FieldProblem.html(problem.map(filled)))
            <button>\(filled(words.button))</button>
            </form>
            """
    }

    /// Lets a password manager store the new password under the account's address. Without an address the manager may fill
    /// in its own.
    private static func usernameField(_ address: String?) -> String {
        let value = address.map { " value=\"\($0.escapedForHTML)\"" } ?? ""
        return "\n<input type=\"text\" name=\"\(username)\"\(value) autocomplete=\"username\" hidden>"
    }

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
