import CryptoPrimitives

/// A page of the console around its content: navigation, the box to find people, and the way out.
struct PageFrame: Sendable {
    static let root = "/console"
    static let stylePath = root + "/style.css"

    let appName: String
    let words: Words
    /// The session's text in forms; `nil` before the sign-in.
    let guardText: String?

    /// - Parameters:
    ///   - notice: a sentence above the content.
    ///   - isProblem: whether the notice says that something did not work.
    func page(_ title: String, notice: String? = nil, isProblem: Bool = false, _ body: HTML) -> HTML {
        """
        <!doctype html>
        <html lang="\(words.language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title) · \(appName)</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="\(Self.stylePath)?v=\(PageStyle.version)">
        </head>
        <body>
        \(guardText == nil ? HTML.nothing : header)
        <main>
        <h1>\(title)</h1>
        \(notice.map { isProblem ? "<p role=\"alert\">\($0)</p>" : "<p role=\"status\">\($0)</p>" } ?? HTML.nothing)
        \(body)
        </main>
        </body>
        </html>

        """
    }

    private var header: HTML {
        let places: [(path: String, text: ConsoleText)] = [
            ("", .today), ("/number", .number), ("/money", .money), ("/audit", .audit),
        ]
        return """
            <header>
            <p class="app">\(appName) \(words(.console))</p>
            <nav aria-label="\(words(.console))">\(places.map { "<a href=\"\(Self.root + $0.path)\">\(words($0.text))</a> " })</nav>
            <form class="find" role="search" action="\(Self.root)/find">\
            <input name="q" type="search" required maxlength="320" aria-label="\(words(.findHint))" \
            placeholder="\(words(.findHint))" autocomplete="off"><button>\(words(.find))</button></form>
            \(form("/sign-out", "<button class=\"quiet\">\(words(.signOut))</button>"))
            </header>
            """
    }

    /// A form that changes something. It has the session's text, without which it is refused.
    ///
    /// - Parameter path: the path below the console's.
    func form(_ path: String, _ content: HTML) -> HTML {
        let field: HTML = guardText.map { "<input type=\"hidden\" name=\"guard\" value=\"\($0)\">" } ?? .nothing
        return "<form method=\"post\" action=\"\(Self.root + path)\">\(field)\(content)</form>"
    }

    /// A change with a reason, behind a line that opens without a script.
    ///
    /// - Parameter subject: the id of the person, or the number.
    func task(_ act: AdminAct, of subject: String, _ advice: ConsoleText?, _ fields: HTML = .nothing) -> HTML {
        let name = words(act.text)
        return """
            <details><summary>\(name)</summary>\(advice.map { "<p>\(words($0))</p>" } ?? HTML.nothing)
            \(form(act.path(of: subject), "\(fields)\(reason(act))<button>\(name)</button>"))</details>

            """
    }

    /// The field of the reason for a change.
    private func reason(_ act: AdminAct) -> HTML {
        """
        <label for="reason-\(act.rawValue)">\(words(.reason))</label><p class="hint" id="hint-\(act.rawValue)">\
        \(words(.reasonHint))</p><input id="reason-\(act.rawValue)" name="reason" required maxlength="200" \
        pattern="[ -~]+" autocomplete="off" aria-describedby="hint-\(act.rawValue)">
        """
    }

    /// A table, or a sentence if it has no rows.
    func table(_ heads: [ConsoleText], _ rows: [[HTML]], empty: ConsoleText) -> HTML {
        guard !rows.isEmpty else { return "<p>\(words(empty))</p>" }
        let body: [HTML] = rows.map { row in "<tr>\(row.map { "<td>\($0)</td>" as HTML })</tr>\n" }
        return """
            <div class="wide" tabindex="0" role="region" aria-label="\(words(heads[0]))"><table><thead><tr>\
            \(heads.map { "<th scope=\"col\">\(words($0))</th>" as HTML })</tr></thead>
            <tbody>\(body)</tbody></table></div>
            """
    }

    /// The sentence in place of a part whose service does not respond.
    func missing(_ part: ConsoleText) -> HTML { "<p role=\"alert\">\(words(.missingPart, words(part)))</p>" }

    /// A link to a person.
    func person(_ id: String) -> HTML {
        "<a href=\"\(Self.root)/person/\(AdminPath.segment(id))\">\(id)</a>"
    }
}

/// The style sheet of all pages. It is a file of its own, since the pages allow no other style.
enum PageStyle {
    static let version = Base64URL.encode(Array(SHA256.hash(Array(css.utf8)).prefix(9)))
    static let css = """
        :root{color-scheme:light dark;--back:#f3f4f6;--card:#fff;--ink:#111827;--quiet:#4b5563;--line:#9ca3af;\
        --alert:#b91c1c;--accent:#1d4ed8;--on-accent:#fff;--good:#15803d}
        @media(prefers-color-scheme:dark){:root{--back:#111827;--card:#1f2937;--ink:#f9fafb;--quiet:#d1d5db;--line:#6b7280;\
        --alert:#fca5a5;--accent:#93c5fd;--on-accent:#111827;--good:#86efac}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;\
        overflow-wrap:anywhere}
        header,main{max-width:64rem;margin:0 auto;padding:.75rem 1rem}
        header{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center}
        header p,header form{margin:0}
        .app{font-weight:600}
        nav a{display:inline-block;padding:.5rem .25rem}
        a{color:var(--accent)}
        .find{display:flex;gap:.5rem;flex:1 1 16rem}
        section{margin:0 0 1rem;padding:1rem;background:var(--card);border-radius:.75rem}
        h1{margin:.5rem 0 1rem;font-size:1.4rem;line-height:1.3}
        h2{margin:0 0 .5rem;font-size:1.1rem}
        label{display:block;margin:.5rem 0 .25rem;font-weight:600}
        input{width:100%;min-height:44px;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--card);\
        border:1px solid var(--line);border-radius:.5rem}
        button{display:inline-block;min-height:44px;margin:.5rem 0;padding:.5rem 1rem;font:inherit;font-weight:600;\
        color:var(--on-accent);background:var(--accent);border:0;border-radius:.5rem;cursor:pointer}
        .find button{flex:none;margin:0}
        button{overflow-wrap:normal}
        button.quiet{color:var(--ink);background:transparent;border:1px solid var(--line)}
        summary{min-height:44px;padding:.5rem 0;cursor:pointer;font-weight:600}
        .wide{overflow-x:auto}
        table{width:100%;border-collapse:collapse;font-size:.9rem}
        td,th{padding:.35rem .5rem;text-align:start;vertical-align:top;border-top:1px solid var(--line);\
        overflow-wrap:break-word}
        dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.25rem 1rem;margin:0}
        dt{color:var(--quiet)}
        dd{margin:0}
        .hint{margin:0 0 .25rem;font-size:.9rem;color:var(--quiet)}
        .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr));gap:1rem}
        figure{margin:0}
        figcaption{font-weight:600}
        svg{width:100%;height:auto}
        rect{fill:var(--accent)}
        .axis{stroke:var(--line)}
        [role=alert],.bad{font-weight:600;color:var(--alert)}
        [role=status],.good{font-weight:600;color:var(--good)}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        """
}
