import ServiceKit

/// The page and its list of messages as HTML.
enum PageTemplate {
    /// Returns the page around a list.
    static func page(list: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Latchkey inbox</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/inbox.css">
        <script src="/inbox.js" defer></script>
        </head>
        <body>
        <main class="phone">
        <header class="bar">
        <p class="clock" aria-hidden="true"><time id="clock"></time><span id="live">Live</span></p>
        <div class="title"><h1>Messages</h1><button type="button" id="clear">Clear</button></div>
        <input type="search" id="search" placeholder="Search" aria-label="Search number or text" autocomplete="off" \
        spellcheck="false">
        </header>
        <div id="messages" aria-live="polite">\(list)</div>
        </main>
        <p id="status" role="status"></p>
        </body>
        </html>

        """
    }

    /// Returns the list.
    static func list(_ messages: [ShownMessage], version: String, isSearch: Bool) -> String {
        let none = isSearch ? "Nothing found." : "No messages yet. Ask for a code, and it appears here."
        let items = messages.isEmpty ? ["<li class=\"empty\">\(none)</li>\n"] : messages.map(item)
        return "<ol class=\"messages\" data-version=\"\(version.escapedForHTML)\">\n\(items.joined())</ol>\n"
    }

    private static func item(_ message: ShownMessage) -> String {
        let (to, time) = (message.to.escapedForHTML, message.time.escapedForHTML)
        return """
            <li class="message" data-id="\(message.id.escapedForHTML)" data-to="\(to)">
            <span class="face" aria-hidden="true">\(message.initial.escapedForHTML)</span>
            <div class="content">
            <p class="meta"><b>\(to)</b> <span class="channel">\(message.channel.escapedForHTML)</span> \
            <time datetime="\(time)">\(time)</time></p>
            \(content(message))
            </div>
            </li>

            """
    }

    /// Returns what a message has of subject, mail, text and link.
    private static func content(_ message: ShownMessage) -> String {
        [
            message.subject.map { "<p class=\"subject\">\($0.escapedForHTML)</p>\n" },
            message.page.map { path in
                "<iframe class=\"mail\" sandbox=\"\(MailPage.sandbox)\" src=\"\(path.escapedForHTML)\" title=\"The mail\">"
                    + "</iframe>\n"
            },
            message.parts.isEmpty ? nil : "<p class=\"bubble\">\(message.parts.map(part).joined())</p>\n",
            message.link.map { link in
                "<p class=\"link\"><a href=\"\(link.escapedForHTML)\" target=\"_blank\" rel=\"noreferrer\">Open the link</a></p>"
            },
        ].compactMap(\.self).joined()
    }

    private static func part(_ part: ShownMessage.Part) -> String {
        guard let code = part.code?.escapedForHTML else { return part.text.escapedForHTML }
        return "<button type=\"button\" class=\"code\" data-copy=\"\(code)\" title=\"Copy the code\">\(code)</button>"
    }
}
