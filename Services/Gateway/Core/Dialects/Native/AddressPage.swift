import EdgeHTTP
import InternalAPI
import Policies

/// The page behind the link that verifies an email address, which the operator gave an account.
struct AddressPage: ButtonPage {
    static let action = "confirm-address"
    static let members = ["token"]

    let appName: String
    let catalog: MessageCatalog

    static func texts(of language: MessageTexts) -> ButtonPageTexts { (language.address ?? AddressTexts()).page }

    /// The page with the button, or the one that names the link invalid.
    ///
    /// - Parameters:
    ///   - query: of the link, as it came; nil for none.
    ///   - locales: language tags, best first.
    func reply(query: String?, locales: [String]) -> Reply {
        guard let token = LinkQuery.pageToken(query) else { return reply(to: .invalidLink, locales: locales) }
        return button([token], locales: locales)
    }
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
            let form = try addressPage.values(request.body)
            try await useCases.accounts.confirmAddress(form[0], ClientCall(request, isForm: true))
            return addressPage.done(locales: locales)
        } catch {
            return addressPage.reply(to: error, locales: locales)
        }
    }
}
