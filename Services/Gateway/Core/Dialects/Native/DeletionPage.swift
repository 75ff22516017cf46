import EdgeHTTP
import Policies
import ServiceKit

/// The page on which people delete their account without the app: it asks for the phone number or email address, then for the
/// code that went there.
///
/// It says the same whether there is an account or not, until the right code shows that the person holds the number.
struct DeletionPage: Sendable {
    static let path: StaticString = "/account/delete"

    /// The fields that a form of the page sends.
    struct Form: Sendable, Equatable {
        let recipient: String
        /// `nil` in the first form.
        let code: String?
    }

    private static let formBytesMax = 2_048
    private static let recipientLengthMax = 254

    let appName: String
    let catalog: MessageCatalog

    /// The first form.
    func start(locales: [String]) -> Reply { page(locales) { recipientForm($0, recipient: "", problem: nil) } }

    /// The second form.
    func sent(to recipient: String, locales: [String]) -> Reply {
        page(locales) { codeForm($0, recipient: recipient, problem: nil) }
    }

    /// - Parameter dueAt: the time of the deletion in Unix seconds; `nil` if there is no account.
    func done(_ dueAt: Int64?, locales: [String]) -> Reply {
        page(locales) { texts in
            let text = dueAt.map { texts.done.replacing("{date}", with: catalog.timeZone.day($0)) } ?? texts.missing
            return "<p>\(filled(text))</p>"
        }
    }

    /// The form again, with the reason why it did not do.
    ///
    /// - Parameter form: what was sent; `nil` if it could not be read.
    func reply(to refusal: Refusal, form: Form?, locales: [String]) -> Reply {
        let words = RefusalWords(refusal)
        return page(locales, status: words.status, headers: words.retryHeaders) { texts in
            let problem = Self.problem(refusal, texts.problems)
            guard let form, form.code != nil, refusal != .accountInactive else {
                return recipientForm(texts, recipient: form?.recipient ?? "", problem: problem)
            }
            return codeForm(texts, recipient: form.recipient, problem: problem)
        }
    }

    /// Reads a form.
    func form(_ body: [UInt8]) throws(Refusal) -> Form {
        let form = try WebPage.form(body, bytesMax: Self.formBytesMax)
        guard form.names.isSubset(of: ["recipient", "code"]), let recipient = form["recipient"],
            recipient.utf8.count <= Self.recipientLengthMax
        else { throw .invalidBody(.unfit) }
        guard form.names.contains("code") else { return Form(recipient: recipient, code: nil) }
        guard let code = form["code"] else { throw .invalidBody(.unfit) }
        return Form(recipient: recipient, code: code)
    }

    private static func problem(_ refusal: Refusal, _ texts: DeletionPageTexts.Problems) -> String {
        switch refusal {
        case .invalidPhone, .invalidEmail, .invalid(member: "phone"), .invalid(member: "email"), .notFound,
            .blockedCountry:
            texts.invalidRecipient
        case .wrongCode, .codeExpired, .invalid(member: "code"): texts.wrongCode
        case .codeNotSent, .undeliverableEmail, .numberOptedOut, .unsupportedChannel: texts.notSent
        case .accountInactive: texts.inactive
        case .tooMany, .tooManyGuesses, .tooManyRequests: texts.tooMany
        case .unavailable: texts.unavailable
        default: texts.invalidForm
        }
    }

    private func page(
        _ locales: [String], status: Int = 200, headers: [(String, String)] = [], _ body: (DeletionPageTexts) -> String
    ) -> Reply {
        let (locale, all) = catalog.texts(for: locales)
        let texts = all.deletionPage ?? DeletionPageTexts()
        return WebPage(
            title: filled(texts.title), body: body(texts), locale: locale, direction: all.direction, appName: appName,
            accent: catalog.accent, logo: catalog.logo, formTarget: .own
        ).reply(status: status, headers: headers)
    }

    private func recipientForm(_ texts: DeletionPageTexts, recipient: String, problem: String?) -> String {
        """
        <p>\(filled(texts.advice))</p>
        <form method="post" action="delete">
        <label for="recipient">\(filled(texts.recipient))</label>
        <input id="recipient" type="text" name="recipient" value="\(recipient.escapedForHTML)" required autofocus \
        autocomplete="username"\(FieldProblem.attributes(problem))>\(FieldProblem.html(problem.map(filled)))
        <button>\(filled(texts.send))</button>
        </form>
        """
    }

    private func codeForm(_ texts: DeletionPageTexts, recipient: String, problem: String?) -> String {
        """
        <p>\(filled(texts.sent))</p>
        <form method="post" action="delete">
        <input type="hidden" name="recipient" value="\(recipient.escapedForHTML)">
        <label for="code">\(filled(texts.code))</label>
        <input id="code" type="text" name="code" required autofocus inputmode="numeric" \
        autocomplete="one-time-code"\(FieldProblem.attributes(problem))>\(FieldProblem.html(problem.map(filled)))
        <button>\(filled(texts.button))</button>
        </form>
        """
    }

    private func filled(_ text: String) -> String { text.replacing("{app}", with: appName).escapedForHTML }
}

extension RefusalWords {
    /// `Retry-After`, if there is one: a page's answer has no challenge for bearers.
    fileprivate var retryHeaders: [(String, String)] { retryAfterSeconds.map { [("Retry-After", "\($0)")] } ?? [] }
}
