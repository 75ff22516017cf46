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
    private static let style =
        "body{font-family:sans-serif;max-width:32em;margin:15vh auto;padding:0 1.5em;line-height:1.5}h1{font-size:1.3em}"

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
        let link = appLink(query).map { "<p><a href=\"\($0)\">\(filled(texts.page.button))</a></p>" } ?? ""
        let html = """
            <!doctype html>
            <html lang="\(locale)" dir="\(texts.direction.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body><h1>\(title)</h1><p>\(advice)</p>\(link)</body>
            </html>

            """
        return Reply(status: 200, headers: Self.headers, body: Array(html.utf8))
    }

    /// Opens the app with the token, if that is all that the query holds.
    private func appLink(_ query: String?) -> String? {
        guard let scheme, let query, query.hasPrefix("token=") else { return nil }
        let token = query.dropFirst("token=".count)
        guard Self.tokenLength.contains(token.utf8.count), Base64URL.decode(token) != nil else { return nil }
        return "\(scheme)://magic-link?token=\(token)"
    }

    /// Nothing from elsewhere, no script, no form; the link's token goes nowhere.
    private static let headers = [
        ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'sha256-\(styleDigest)'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ),
    ]

    /// As browsers write it: base64 with padding (CSP level 3).
    private static let styleDigest: String = {
        let text = Base64URL.encode(SHA256.hash(Array(style.utf8)))
        return String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
    }()

    private func filled(_ text: String) -> String {
        text.replacing("{app}", with: appName).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
