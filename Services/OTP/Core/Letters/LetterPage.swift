import Policies

/// The page that all our letters are.
enum LetterPage {
    private static let style = "font-family:sans-serif;font-size:16px;max-width:32em;margin:24px auto;padding:0 16px"

    private static let buttonStyle =
        "display:inline-block;padding:12px 24px;background:#1a56db;color:#fff;text-decoration:none;border-radius:8px"

    /// A link that looks like a button, in a paragraph of its own; both arguments as text.
    static func button(_ words: String, leadingTo url: String) -> String {
        "<p><a href=\"\(url.escapedForHTML)\" style=\"\(buttonStyle)\">\(words.escapedForHTML)</a></p>"
    }

    /// - Parameters:
    ///   - title: as text; also the first heading.
    ///   - body: HTML.
    static func html(
        title: String, body: String, locale: String, direction: MessageTexts.Direction
    ) -> String {
        """
        <!doctype html>
        <html lang="\(locale.escapedForHTML)" dir="\(direction.rawValue)">
        <head><meta charset="utf-8"><title>\(title.escapedForHTML)</title></head>
        <body style="\(style)">
        <h1 style="font-size:20px">\(title.escapedForHTML)</h1>
        \(body)
        </body>
        </html>

        """
    }
}

extension String {
    /// Safe in HTML's text and in quoted attributes.
    var escapedForHTML: String {
        var text = ""
        for character in self {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.append(character)
            }
        }
        return text
    }
}
