/// The page of one phone number or email address: why a code did not arrive, and whether a store's reviewers sign in with the number.
/// It always shows which numbers have review access, and the accounts under review.
struct NumberPage: Sendable {
    /// The accounts under review that the page shows; an end of one shows the next.
    private static let reviewsMax = 50
    /// The days of a review access, today included: those that the form proposes, and the most that the API gives.
    private static let (daysUsual, daysMax): (Int64, Int64) = (14, 30)
    private static let kinds: [String: ConsoleText] = [
        "tried": .sent, "refused": .limited, "callback": .tracedCallback, "guessed": .tracedGuessed,
        "undecided": .tracedUndecided,
    ]

    /// The number or address; empty for none.
    let recipient: String
    /// It if it is a valid phone number; else empty.
    let number: String
    /// `nil` if the service does not respond.
    let trace: Trace?
    let access: ReviewAccess?
    /// The codes of the last review access that the administrator gave, if it is that of the number.
    let codes: ReviewCodes?
    let reviews: Reviews?
    /// Unix time in seconds.
    let now: Int64
    let frame: PageFrame

    var body: HTML {
        let words = frame.words
        return """
            <section><p>\(words(.numberAdvice))</p>
            <form action="\(PageFrame.root)/number"><label for="to">\(words(.address))</label>\
            <input id="to" name="to" value="\(recipient)" required maxlength="320" autocomplete="off">\
            <button>\(words(.find))</button></form></section>
            \(recipient.isEmpty ? HTML.nothing : traced)
            <section><h2>\(words(.reviewAccess))</h2>\(access.map(reviewers) ?? frame.missing(.reviewAccess))</section>
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
            \(number.isEmpty ? HTML.nothing : task(.unlock, .unlockAdvice))</section>
            """
    }

    private func task(_ act: AdminAct, _ advice: ConsoleText, _ fields: HTML = .nothing) -> HTML {
        frame.task(act, of: number, advice, "<input type=\"hidden\" name=\"to\" value=\"\(number)\">\(fields)")
    }

    private func reviewers(_ access: ReviewAccess) -> HTML {
        let rows: [[HTML]] = access.open.map { ["\($0.label)", frame.words.time($0.until)] }
        return """
            \(number.isEmpty ? HTML.nothing : ownAccess(access))
            \(frame.table([.number, .to], rows, empty: .empty))
            """
    }

    /// The access of the page's number, with its codes if it was just given, and what can be changed of it.
    private func ownAccess(_ access: ReviewAccess) -> HTML {
        let words = frame.words
        guard let until = access.until else { return task(.giveReviewAccess, .reviewAccessAdvice, lastDay) }
        let codes = codes.flatMap { $0.until == until ? $0.codes : nil } ?? []
        let shown: [HTML] = codes.map { code in
            "<p>\(words(.verificationCode)) (\(code.dialect)): <strong>\(code.code)</strong></p>\n"
        }
        return """
            \(shown)\(codes.isEmpty ? HTML.nothing : "<p>\(words(.reviewCodeAdvice))</p>")
            <p><bdi>\(number)</bdi>: \(words(.openUntil)) \(words.time(until))</p>
            \(task(.endReviewAccess, .endReviewAccessAdvice))
            """
    }

    private var lastDay: HTML {
        let days = [1, Self.daysUsual, Self.daysMax].map { Period.day(now + ($0 - 1) * Period.daySeconds) }
        return """
            <label for="until">\(frame.words(.lastDay))</label><input id="until" name="until" type="date" required \
            value="\(days[1])" min="\(days[0])" max="\(days[2])">
            """
    }

    private func list(_ reviews: Reviews) -> HTML {
        let rows: [[HTML]] = reviews.reviews.prefix(Self.reviewsMax).map { review in
            let act = AdminAct.clearReview
            let form = frame.form(act.path(of: review.userId), "<button>\(frame.words(act.text))</button>")
            return [frame.person(review.userId), frame.words.time(review.openedAt), form]
        }
        return frame.table([.person, .moment, .task], rows, empty: .empty)
    }

    /// A link to the page of a number.
    static func link(_ number: String) -> HTML {
        "<a href=\"\(PageFrame.root)/number\(AdminPath.query([("to", number)]))\">\(number)</a>"
    }
}
