import Policies

/// A period of whole days, as a form states it.
struct Period: Sendable, Equatable {
    static let daySeconds: Int64 = 86_400
    /// The days of the period if the form states none.
    private static let daysUsual: Int64 = 1

    /// Unix time in seconds; `to` is not included.
    let from: Int64
    let to: Int64

    /// The 24 hours before the next full minute.
    init(before now: Int64) {
        to = (now / 60 + 1) * 60
        from = to - Self.daysUsual * Self.daySeconds
    }

    /// Reads the fields `from` and `to`: days such as `2026-01-31`, or Unix seconds as links have them. Returns `nil` for anything
    /// else, and for a period that ends before it begins.
    init?(from: String, to: String) {
        guard let first = Self.second(from), let last = Self.second(to) else { return nil }
        self.from = first
        // The last day belongs to the period.
        self.to = to.contains("-") ? last + Self.daySeconds : last
        guard first < self.to else { return nil }
    }

    private static func second(_ text: String) -> Int64? {
        if text.utf8.count <= 11, let second = Int64(text), second >= 0 { return second }
        return CalendarDay(text).map { $0.endsAt - daySeconds }
    }

    /// The day of a moment, as the field of a form has it.
    static func day(_ second: Int64) -> String { String(Words.moment(second).prefix(10)) }
}

/// The audit of all services in a period.
struct AuditPage: Sendable {
    let period: Period
    /// The user whose records are shown; empty for all.
    let user: String
    let records: AuditRecords?
    let frame: PageFrame

    var body: HTML {
        let words = frame.words
        return """
            <section><p>\(words(.auditAdvice))</p><form action="\(PageFrame.root)/audit">
            <label for="from">\(words(.from))</label><input id="from" name="from" type="date" value="\(Period.day(period.from))">
            <label for="until">\(words(.to))</label>\
            <input id="until" name="to" type="date" value="\(Period.day(period.to - 1))">
            <label for="user">\(words(.person)) (ID)</label>\
            <input id="user" name="user" value="\(user)" maxlength="512" autocomplete="off">
            <button>\(words(.find))</button></form>
            <p><a href="\(link("/audit/export"))">\(words(.export))</a></p></section>
            <section>\(records.map(list) ?? frame.missing(.audit))</section>
            """
    }

    private func list(_ records: AuditRecords) -> HTML {
        let rows: [[HTML]] = records.records.map { record in
            [
                frame.words.time(record.at), "\(record.event)", "\(record.subject ?? "–")",
                "<bdi>\([record.method, record.detail].compactMap(\.self).joined(separator: " "))</bdi>",
            ]
        }
        let next = records.nextCursor.map { cursor -> HTML in
            "<p><a href=\"\(link("/audit", cursor: cursor))\">\(frame.words(.more))</a></p>"
        }
        return "\(frame.table([.moment, .event, .person, .what], rows, empty: .emptyAudit))\(next ?? .nothing)"
    }

    private func link(_ path: String, cursor: String? = nil) -> String {
        PageFrame.root + path + Self.query(period, user: user, cursor: cursor)
    }

    /// The query of the API, and of links to other pages of the same period.
    static func query(_ period: Period, user: String, cursor: String?, limit: Int? = nil) -> String {
        AdminPath.query([
            ("from", "\(period.from)"), ("to", "\(period.to)"), ("user", user), ("cursor", cursor),
            ("limit", limit.map { "\($0)" }),
        ])
    }
}
