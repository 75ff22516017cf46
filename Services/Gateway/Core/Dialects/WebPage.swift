import CryptoPrimitives
import EdgeHTTP
import Policies

/// A page for people: nothing from elsewhere, no script, and what its address holds goes nowhere.
struct WebPage: Sendable {
    /// Where a form of the page may go.
    enum FormTarget: String {
        case nowhere = "'none'"
        /// The host that the page came from.
        case own = "'self'"
    }

    private static let style =
        "body{font-family:sans-serif;max-width:32em;margin:15vh auto;padding:0 1.5em;line-height:1.5}h1{font-size:1.3em}"
        + "label,input,button{display:block;font:inherit;margin:.5em 0}input{width:100%;padding:.5em;box-sizing:border-box}"

    /// As HTML's text.
    let title: String
    /// HTML.
    let body: String
    let locale: String
    let direction: MessageTexts.Direction
    var formTarget = FormTarget.nowhere

    func reply(status: Int = 200, headers: [(String, String)] = []) -> Reply {
        let html = """
            <!doctype html>
            <html lang="\(locale)" dir="\(direction.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body><h1>\(title)</h1>\(body)</body>
            </html>

            """
        return Reply(status: status, headers: ownHeaders + headers, body: Array(html.utf8))
    }

    private var ownHeaders: [(String, String)] {
        [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            (
                "Content-Security-Policy",
                "default-src 'none'; style-src 'sha256-\(Self.styleDigest)'; base-uri 'none'; "
                    + "form-action \(formTarget.rawValue); frame-ancestors 'none'"
            ),
        ]
    }

    /// As browsers write it: base64 with padding (CSP level 3).
    private static let styleDigest: String = {
        let text = Base64URL.encode(SHA256.hash(Array(style.utf8)))
        return String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
    }()
}

extension RequestHead {
    /// What stands after the target's `?`; nil for nothing.
    var query: String? {
        target.firstIndex(of: UInt8(ascii: "?")).map { String(decoding: target[($0 + 1)...], as: UTF8.self) }
    }
}

extension String {
    /// Safe in HTML's text and in quoted attributes.
    var escapedForHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
