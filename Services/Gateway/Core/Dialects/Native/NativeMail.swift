import CryptoPrimitives
import EdgeHTTP
import Policies
import ServiceKit

/// The settings of the native dialect for sign-ins by mail.
struct NativeMail: Sendable {
    let lifetimeSeconds: Int64
    let page: LinkPage
}

/// The page behind a link. It calls no service, and approves nothing for another device, since the mail may have been
/// requested by someone else.
struct LinkPage: Sendable {
    /// A link's token is no longer: address and challenge, sealed.
    private static let tokenLength = 40...512

    let appName: String
    let catalog: MessageCatalog

    /// - Parameters:
    ///   - query: of the link, as it came; nil for none.
    ///   - locales: language tags, best first.
    func reply(query: String?, locales: [String]) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let (title, advice) = (filled(texts.page.title), filled(texts.page.advice))
        let button = token(query).map {
            AppButton.html(to: "magic-link?token=\($0)", filled(texts.page.button), catalog)
        }
        return WebPage(
            title: title, body: "<p>\(advice)</p>\(button ?? "")", locale: locale, direction: texts.direction,
            appName: appName,
            accent: catalog.accent, logo: catalog.logo
        ).reply()
    }

    /// The query's token, or `nil` if it can be no token of ours.
    private func token(_ query: String?) -> String? {
        guard let token = LinkQuery.token(query), Self.tokenLength.contains(token.utf8.count),
            Base64URL.decode(token) != nil
        else { return nil }
        return token
    }

    private func filled(_ text: String) -> String { text.replacing("{app}", with: appName).escapedForHTML }
}
