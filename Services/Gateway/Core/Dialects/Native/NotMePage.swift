import EdgeHTTP
import InternalAPI
import Policies
import ServiceKit

/// The page behind the link of a notice, by which a user reports that a change was not theirs: one button.
///
/// Opening it changes nothing, and its form has a secret that is only on the page, so a link scanner reports nothing.
struct NotMePage: Sendable {
    private static let formBytesMax = 1_024

    let appName: String
    let catalog: MessageCatalog

    /// The page with the button.
    func reply(token: String, formSecret: String, locales: [String]) -> Reply {
        page(locales) { texts in
            """
            <p>\(filled(texts.advice))</p>
            <form method="post" action="not-me">
            <input type="hidden" name="token" value="\(token.escapedForHTML)">
            <input type="hidden" name="secret" value="\(formSecret.escapedForHTML)">
            <button>\(filled(texts.button))</button>
            </form>
            """
        }
    }

    /// Reads the submitted form.
    func form(_ body: [UInt8]) throws(Refusal) -> (token: String, secret: String) {
        let form = try WebPage.form(body, bytesMax: Self.formBytesMax)
        guard form.names == ["token", "secret"], let token = form["token"], let secret = form["secret"] else {
            throw .invalidBody(.unfit)
        }
        return (token, secret)
    }

    func done(locales: [String]) -> Reply { page(locales) { "<p>\(filled($0.done))</p>" } }

    func reply(to refusal: Refusal, locales: [String]) -> Reply {
        let words = RefusalWords(refusal)
        return page(locales, status: words.status, headers: words.allHeaders) { texts in
            switch refusal {
            case .unavailable, .changePending, .tooMany, .tooManyRequests: "<p>\(filled(texts.unavailable))</p>"
            default: "<p>\(filled(texts.invalidLink))</p>"
            }
        }
    }

    private func page(
        _ locales: [String], status: Int = 200, headers: [(String, String)] = [], _ body: (NotMeTexts.Page) -> String
    ) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let words = texts.notMe.page
        return WebPage(
            title: filled(words.title), body: body(words), locale: locale, direction: texts.direction, appName: appName,
            accent: catalog.accent, logo: catalog.logo, formTarget: .own
        ).reply(status: status, headers: headers)
    }

    private func filled(_ text: String) -> String { text.replacing("{app}", with: appName).escapedForHTML }
}

/// Reports of changes that were not the user's.
extension NativeDialect {
    var notMeRows: [DialectRow] {
        [
            DialectRow(.get, AccountLinks.notMePath, .open, answer: showNotMe)
                .documented(
                    .identities,
                    "Shows the page of a notice's link, by which users report a change that was not theirs",
                    .page),
            DialectRow(.post, AccountLinks.notMePath, .open, answer: reportNotMe)
                .documented(
                    .identities,
                    "Reports the change of a notice: all sessions end, and an operator reviews the account",
                    takes: .form(["token", "secret"]), .page,
                    refusals: Refusal.accounts(.invalidLink, .changePending)),
        ]
    }

    /// `GET /auth/not-me`
    @Sendable func showNotMe(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let notMePage else { throw .notFound }
        let locales = AcceptedLanguages.tags(request.head)
        do throws(Refusal) {
            guard let token = LinkQuery.pageToken(request.head.query) else { throw .invalidLink }
            let secret = try await useCases.accounts.notMeFormSecret(token, ClientCall(request))
            return notMePage.reply(token: token, formSecret: secret, locales: locales)
        } catch {
            return notMePage.reply(to: error, locales: locales)
        }
    }

    /// `POST /auth/not-me`. Responds with a page, whatever the result.
    @Sendable func reportNotMe(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let notMePage else { throw .notFound }
        let locales = AcceptedLanguages.tags(request.head)
        do throws(Refusal) {
            guard FormBody.isForm(request.head) else { throw .invalidBody(.unfit) }
            let form = try notMePage.form(request.body)
            try await useCases.accounts.reportNotMe(form.token, formSecret: form.secret, ClientCall(request))
            return notMePage.done(locales: locales)
        } catch {
            return notMePage.reply(to: error, locales: locales)
        }
    }
}
