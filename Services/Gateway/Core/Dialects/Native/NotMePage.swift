import EdgeHTTP
import InternalAPI
import Policies

/// The page behind the link of a notice, by which a user reports that a change was not theirs.
///
/// Its form has a secret that is only on the page.
struct NotMePage: ButtonPage {
    static let action = "not-me"
    static let members = ["token", "secret"]

    let appName: String
    let catalog: MessageCatalog

    static func texts(of language: MessageTexts) -> ButtonPageTexts { language.notMe.page }
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
            return notMePage.button([token, secret], locales: locales)
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
            let form = try notMePage.values(request.body)
            try await useCases.accounts.reportNotMe(form[0], formSecret: form[1], ClientCall(request))
            return notMePage.done(locales: locales)
        } catch {
            return notMePage.reply(to: error, locales: locales)
        }
    }
}
