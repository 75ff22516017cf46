/// The page of one phone number or email address: why a code did not arrive. Without one it shows the accounts under review.
struct NumberPage: Sendable {
    /// The accounts under review that the page shows; an end of one shows the next.
    private static let reviewsMax = 50
    private static let kinds: [String: ConsoleText] = [
        "tried": .tracedTried, "refused": .tracedRefused, "callback": .tracedCallback, "guessed": .tracedGuessed,
        "undecided": .tracedUndecided,
    ]

    /// The number or address; empty for none.
    let recipient: String
    /// `nil` if the service does not respond.
    let trace: Trace?
    let reviews: Reviews?
    let frame: PageFrame

    var body: HTML {
        let words = frame.words
        return """
            <section><p>\(words(.numberAdvice))</p>
            <form action="\(PageFrame.root)/number"><label for="to">\(words(.address))</label>\
            <input id="to" name="to" value="\(recipient)" required maxlength="320" autocomplete="off">\
            <button>\(words(.find))</button></form></section>
            \(recipient.isEmpty ? HTML.nothing : traced)
            <section><h2>\(words(.reviewAccounts))</h2>\(reviews.map(list) ?? frame.missing(.reviewAccounts))</section>
            """
    }

    private var traced: HTML {
        let words = frame.words
        guard let trace else { return frame.missing(.number) }
        let rows: [[HTML]] = trace.entries.reversed().map { entry -> [HTML] in
            let kind = Self.kinds[entry.kind].map { words($0) } ?? entry.kind
            return [
                words.time(entry.at), "\(kind)\(entry.count > 1 ? " ×\(entry.count)" : "")",
                "\(entry.details.filter { !$0.isEmpty }.joined(separator: ", "))", "\(entry.requestId ?? "–")",
            ]
        }
        return """
            <section><h2><bdi>\(recipient)</bdi></h2>
            \(frame.table([.moment, .what, .result, .requestID], rows, empty: .emptyTrace))
            <p><a href="\(PageFrame.root)/find\(AdminPath.query([("q", recipient)]))">\(words(.person))</a></p>
            \(recipient.contains("@") ? HTML.nothing : unlock)</section>
            """
    }

    private var unlock: HTML {
        let words = frame.words
        let form = frame.form(
            "/number/unlock",
            """
            <input type="hidden" name="to" value="\(recipient)">\(frame.reason(.unlock))\
            <button>\(words(.unlock))</button>
            """)
        return "<details><summary>\(words(.unlock))</summary><p>\(words(.unlockAdvice))</p>\(form)</details>"
    }

    private func list(_ reviews: Reviews) -> HTML {
        let rows: [[HTML]] = reviews.reviews.prefix(Self.reviewsMax).map { review in
            let path = "/person/\(AdminPath.segment(review.userId))/\(AdminAct.clearReview.rawValue)"
            let form = frame.form(path, "<button>\(frame.words(.clearReview))</button>")
            return [frame.person(review.userId), frame.words.time(review.openedAt), form]
        }
        return frame.table([.person, .moment, .task], rows, empty: .emptyReviews)
    }

    /// A link to the page of a number.
    static func link(_ number: String) -> HTML {
        "<a href=\"\(PageFrame.root)/number\(AdminPath.query([("to", number)]))\">\(number)</a>"
    }
}
