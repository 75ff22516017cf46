import EdgeHTTP
import InternalAPI
import Policies
import ServiceKit

/// The page behind the link that verifies an email address, which the operator gave an account: one button.
///
/// Opening it changes nothing, so a mail scanner verifies no address.
struct AddressPage: Sendable {
    private static let formBytesMax = 1_024

    let appName: String
    let catalog: MessageCatalog

    /// The page with the button, or the one that names the link invalid.
    ///
    /// - Parameters:
    ///   - query: of the link, as it came; nil for none.
    ///   - locales: language tags, best first.
    func reply(query: String?, locales: [String]) -> Reply {
        guard let token = LinkQuery.pageToken(query) else {
            return reply(to: .invalidLink, locales: locales)
        }
        return page(locales) { texts in
            """
            <p>\(filled(texts.advice))</p>
            <form method="post" action="confirm-address">
            <input type="hidden" name="token" value="\(token)">
            <button>\(filled(texts.button))</button>
            </form>
            """
        }
    }

    /// Reads the token of the submitted form.
    func token(_ body: [UInt8]) throws(Refusal) -> String {
        let form = try WebPage.form(body, bytesMax: Self.formBytesMax)
        guard form.names == ["token"], let token = form["token"] else { throw .invalidBody(.unfit) }
        return token
    }

    func done(locales: [String]) -> Reply { page(locales) { "<p>\(filled($0.done))</p>" } }

    func reply(to refusal: Refusal, locales: [String]) -> Reply {
        let words = RefusalWords(refusal)
        return page(locales, status: words.status, headers: words.allHeaders) { texts in
            switch refusal {
            case .unavailable, .tooMany, .tooManyRequests: "<p>\(filled(texts.unavailable))</p>"
            default: "<p>\(filled(texts.invalidLink))</p>"
            }
        }
    }

    private func page(
        _ locales: [String], status: Int = 200, headers: [(String, String)] = [], _ body: (AddressTexts.Page) -> String
    ) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let words = (texts.address ?? AddressTexts()).page
        return WebPage(
            title: filled(words.title), body: body(words), locale: locale, direction: texts.direction, appName: appName,
            accent: catalog.accent, logo: catalog.logo, formTarget: .own
        ).reply(status: status, headers: headers)
    }

    private func filled(_ text: String) -> String { text.replacing("{app}", with: appName).escapedForHTML }
}

/// Email addresses that the operator gave an account.
extension NativeDialect {
    var addressRows: [DialectRow] {
        [
            DialectRow(.get, AccountLinks.addressPath, .open, answer: showAddress)
                .documented(.addresses, "Shows a page with a button", .page),
            DialectRow(.post, AccountLinks.addressPath, .open, answer: confirmAddress)
                .documented(
                    .addresses, "Verifies the address of a link", takes: .form(["token"]), .page,
                    refusals: Refusal.accounts(.invalidLink, .rateLimited)),
        ]
    }

    /// `GET /auth/confirm-address`
    @Sendable func showAddress(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let addressPage else { throw .notFound }
        return addressPage.reply(query: request.head.query, locales: AcceptedLanguages.tags(request.head))
    }

    /// `POST /auth/confirm-address`: verifies the address. Responds with a page, whatever the result.
    @Sendable func confirmAddress(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let addressPage else { throw .notFound }
        let locales = AcceptedLanguages.tags(request.head)
        do throws(Refusal) {
            guard FormBody.isForm(request.head) else { throw .invalidBody(.unfit) }
            let token = try addressPage.token(request.body)
            try await useCases.accounts.confirmAddress(token, ClientCall(request, isForm: true))
            return addressPage.done(locales: locales)
        } catch {
            return addressPage.reply(to: error, locales: locales)
        }
    }
}
