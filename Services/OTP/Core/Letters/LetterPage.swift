import Policies
import ServiceKit

/// The HTML layout that all mails share: a card with the app's name. Mail programs drop most style sheets, so the styles are
/// inline, and the sheet only adds the dark colors for programs that know them.
enum LetterPage {
    private static let darkStyle =
        "@media(prefers-color-scheme:dark){.page{background:#111827!important}"
        + ".card{background:#1f2937!important;color:#f9fafb!important}.quiet{color:#9ca3af!important}}"

    private static let pageStyle =
        "padding:24px 12px;background:#f3f4f6;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif"

    private static let cardStyle =
        "max-width:480px;margin:0 auto;padding:32px 24px;background:#ffffff;color:#111827;border-radius:12px"

    /// Returns a link that looks like a button, in a separate paragraph; words and URL are plain text.
    static func button(_ words: String, leadingTo url: String, _ accent: AccentColor) -> String {
        let style =
            "display:inline-block;padding:12px 24px;background:\(accent.css);color:\(accent.textCSS);font-weight:600;"
            + "text-decoration:none;border-radius:10px"
        return "<p><a href=\"\(url.escapedForHTML)\" style=\"\(style)\">\(words.escapedForHTML)</a></p>"
    }

    /// Returns a code in large digits, with plain text before it.
    static func code(_ digits: String, after words: String) -> String {
        """
        <p>\(words.escapedForHTML)</p>
        <p dir="ltr" style="font-size:32px;font-weight:bold;letter-spacing:4px">\(digits.escapedForHTML)</p>
        """
    }

    /// Returns a paragraph in gray; `words` is plain text.
    static func quiet(_ words: String) -> String {
        "<p class=\"quiet\" style=\"color:#6b7280\">\(words.escapedForHTML)</p>"
    }

    /// - Parameters:
    ///   - title: plain text, which is also the first heading.
    ///   - body: HTML.
    static func html(
        title: String, body: String, appName: String, locale: String, direction: MessageTexts.Direction
    ) -> String {
        """
        <!doctype html>
        <html lang="\(locale.escapedForHTML)" dir="\(direction.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title.escapedForHTML)</title>
        <style>\(darkStyle)</style>
        </head>
        <body style="margin:0">
        <div class="page" style="\(pageStyle)">
        <div class="card" style="\(cardStyle)">
        <p class="quiet" style="margin:0 0 16px;font-weight:600;color:#6b7280">\(appName.escapedForHTML)</p>
        <h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">\(title.escapedForHTML)</h1>
        \(body)
        </div>
        </div>
        </body>
        </html>

        """
    }
}
