import EdgeHTTP
import Policies
import ServiceKit

/// The page between an OpenID Connect provider and an app whose address is not https (RFC 8252 section 8.6).
///
/// Any app can register a private scheme and begin a sign-in with a verifier of its own. A provider at which the user is signed in
/// returns the browser at once, so without this page the user would not learn that an app signs in.
struct AppReturnPage: Sendable {
    var appName = MessagePolicy().appName
    var catalog = MessageCatalog.none

    /// - Parameters:
    ///   - location: the app's address, with a code or an error.
    ///   - locales: the languages that the browser accepts, best first.
    func reply(to location: String, locales: [String]) -> Reply {
        let (locale, texts) = catalog.texts(for: locales)
        let advice = texts.page.returnAdvice ?? ""
        let scheme = String(location.prefix { $0 != ":" })
        let filled = { (text: String) in
            text.replacing("{scheme}", with: scheme).replacing("{app}", with: appName).escapedForHTML
        }
        return WebPage(
            title: filled(texts.page.title),
            body: """
                <p>\(filled(advice))</p>
                <a href="\(location.escapedForHTML)" class="button" rel="noreferrer">\(filled(texts.page.button))</a>
                """,
            locale: locale, direction: texts.direction, appName: appName, accent: catalog.accent, logo: catalog.logo
        ).reply()
    }
}
