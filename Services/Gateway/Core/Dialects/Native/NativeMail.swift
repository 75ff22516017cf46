import CryptoPrimitives
import EdgeHTTP
import Policies

/// What the native dialect needs for sign-ins by mail.
struct NativeMail: Sendable {
    let lifetimeSeconds: Int64
    let page: LinkPage
}

/// The page behind a link: it asks no service, and approves nothing for another device, since whoever asked for the mail
/// may be a stranger.
struct LinkPage: Sendable {
    /// A link's token is no longer: address and challenge, sealed.
    private static let tokenLength = 40...512

    let appName: String
    /// Opens the app; nil: no link does.
    let scheme: String?
    let catalog: MessageCatalog

    /// - Parameters:
    ///   - query: of the link, as it came; nil for none.
    ///   - locales: language tags, best first.
    func reply(query: String?, locales: [String]) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let (title, advice) = (filled(texts.page.title), filled(texts.page.advice))
        let link = appLink(query).map { "<a href=\"\($0)\" class=\"button\">\(filled(texts.page.button))</a>" } ?? ""
        return WebPage(
            title: title, body: "<p>\(advice)</p>\(link)", locale: locale, direction: texts.direction, appName: appName,
            accent: catalog.accent, logo: catalog.logo
        ).reply()
    }

    /// Opens the app with the query's token.
    private func appLink(_ query: String?) -> String? {
        guard let scheme, let token = LinkQuery.token(query) else { return nil }
        guard Self.tokenLength.contains(token.utf8.count), Base64URL.decode(token) != nil else { return nil }
        return "\(scheme)://magic-link?token=\(token)"
    }

    private func filled(_ text: String) -> String { text.replacing("{app}", with: appName).escapedForHTML }
}
