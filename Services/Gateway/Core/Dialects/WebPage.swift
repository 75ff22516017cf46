import CryptoPrimitives
import EdgeHTTP
import Policies
import ServiceKit

/// A page for people, in the app's color: no script, nothing loaded from elsewhere, and no more of its address than the host is
/// sent anywhere.
struct WebPage: Sendable {
    /// Where a form of the page may go.
    enum FormTarget: String {
        case nowhere = "'none'"
        /// The host that the page came from.
        case own = "'self'"
    }

    private static let style = """
        :root{color-scheme:light dark;--back:#f3f4f6;--card:#fff;--ink:#111827;--quiet:#6b7280;--line:#9ca3af;--alert:#b91c1c}
        @media(prefers-color-scheme:dark){:root{--back:#111827;--card:#1f2937;--ink:#f9fafb;--quiet:#9ca3af;--line:#6b7280;\
        --alert:#fca5a5}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;padding:10vh 1rem 2rem;background:var(--back);color:var(--ink);\
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        main{max-width:26rem;margin:0 auto;padding:2rem 1.5rem;background:var(--card);border-radius:1rem;\
        box-shadow:0 1px 4px #0003}
        .app{display:flex;align-items:center;gap:.6rem;margin:0 0 1.25rem;font-weight:600;color:var(--quiet)}
        .app img{height:2rem;max-width:6rem}
        h1{margin:0 0 .75rem;font-size:1.4rem;line-height:1.3}
        label{display:block;margin:1rem 0 .35rem;font-weight:600}
        input{width:100%;min-height:44px;padding:.5rem .75rem;font:inherit;color:inherit;background:transparent;\
        border:1px solid var(--line);border-radius:.6rem}
        button,.button{display:block;width:100%;min-height:44px;margin-top:1.25rem;padding:.6rem 1rem;font:inherit;\
        font-weight:600;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:0;\
        border-radius:.6rem;cursor:pointer}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        .quiet{margin:0 0 .35rem;font-size:.9rem;color:var(--quiet)}
        [role=alert]{margin:.35rem 0 0;font-weight:600;color:var(--alert)}
        [aria-invalid]{border-color:var(--alert)}
        """

    /// The rules of a page with tables and code.
    private static let wideStyle = """

        main{max-width:60rem}
        h2{margin:2rem 0 .5rem;font-size:1.1rem;overflow-wrap:anywhere}
        table{width:100%;border-collapse:collapse;font-size:.9rem}
        td,th{padding:.25rem .5rem;text-align:start;vertical-align:top;border-top:1px solid var(--line)}
        code,pre{font:.9em ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}
        """

    /// The title, escaped for HTML.
    let title: String
    /// HTML.
    let body: String
    let locale: String
    let direction: MessageTexts.Direction
    /// The name of the app, as plain text.
    let appName: String
    let accent: AccentColor
    let logo: LogoImage?
    var formTarget = FormTarget.nowhere
    var isWide = false

    func reply(status: Int = 200, headers: [(String, String)] = []) -> Reply {
        let sheet =
            Self.style + (isWide ? Self.wideStyle : "")
            + "\n:root{--accent:\(accent.css);--on-accent:\(accent.textCSS)}"
        let html = """
            <!doctype html>
            <html lang="\(locale)" dir="\(direction.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(sheet)</style>
            </head>
            <body>
            <main>
            <p class="app">\(logo.map { "<img src=\"\($0.url)\" alt=\"\">" } ?? "")\(appName.escapedForHTML)</p>
            <h1>\(title)</h1>
            \(body)
            </main>
            </body>
            </html>

            """
        return Reply(status: status, headers: ownHeaders(sheet) + headers, body: Array(html.utf8))
    }

    private func ownHeaders(_ sheet: String) -> [(String, String)] {
        [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
            // With `no-referrer` the forms would be sent with `Origin: null`, as those of another site's page are.
            ("Referrer-Policy", "strict-origin"), ("X-Content-Type-Options", "nosniff"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'sha256-\(Self.digest(sheet))'; \(logo == nil ? "" : "img-src data:; ")"
                    + "base-uri 'none'; "
                    + "form-action \(formTarget.rawValue); frame-ancestors 'none'"
            ),
        ]
    }

    /// Returns the digest in the form that browsers expect: base64 with padding (CSP level 3).
    private static func digest(_ sheet: String) -> String {
        let text = Base64URL.encode(SHA256.hash(Array(sheet.utf8)))
        return String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
    }
}

extension RequestHead {
    /// The target's query, without `?`; `nil` if there is none.
    var query: String? {
        target.firstIndex(of: UInt8(ascii: "?")).map { String(decoding: target[($0 + 1)...], as: UTF8.self) }
    }
}

extension WebPage {
    /// Reads the form that a page has submitted.
    static func form(_ body: [UInt8], bytesMax: Int) throws(Refusal) -> FormBody {
        guard body.count <= bytesMax else { throw .violation(.bodyTooLarge) }
        do throws(FormBody.Refusal) { return try FormBody(body) } catch { throw .invalidBody(.unfit) }
    }
}
