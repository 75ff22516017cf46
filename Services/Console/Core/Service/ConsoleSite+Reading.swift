import AuthAPI

extension ConsoleSite {
    /// The most pages and bytes of the API that an export reads, and how long it reads. The last page then has the cursor of the
    /// next one.
    private static let exportPagesMax = 50
    private static let exportBytesMax = 8 << 20
    private static let exportTime: Duration = .seconds(15)
    private static let recordsMax = 200

    func today(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        async let today = part("/admin/today", as: Today.self, visit, session)
        async let hours = part("/admin/series?days=1", as: Series.self, visit, session)
        async let days = part("/admin/series?days=30", as: Series.self, visit, session)
        async let policy = part("/admin/policy", as: PolicyReport.self, visit, session)
        let page = TodayPage(
            today: try await today.get(), series: [try await hours.get(), try await days.get()],
            policy: try await policy.get(), frame: frame(visit))
        return show(page.body, visit.words(.today), visit)
    }

    func find(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        let search = Self.searched(visit.query["q"] ?? "")
        guard !search.isEmpty else { return problem(.emptyFind, status: 400, visit) }
        let people: [Person]?
        do throws(APIFailure) {
            people = try await part(AdminPath.users(search: search), as: PeoplePage.self, visit, session).get()?.users
        } catch {
            // A search that cannot find anyone.
            guard case .refused(400, _, _) = error else { throw error }
            people = []
        }
        if let only = people?.first, people?.count == 1 { return .redirect("/person/\(AdminPath.segment(only.id))") }
        return show(FindPage(people: people, frame: frame(visit)).body, visit.words(.find), visit)
    }

    /// Returns a phone number without what people write between its digits, and anything else without blanks around it.
    static func searched(_ typed: String) -> String {
        let digits = typed.filter { !" ()-./".contains($0) }
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "+") }) else {
            return String(typed.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        return digits
    }

    /// - Parameters:
    ///   - notice: what came of a change; a problem unless `status` is 200.
    func person(
        _ id: String, _ visit: Visit, _ session: AdminSession, notice: String? = nil, status: Int = 200
    ) async throws(APIFailure) -> ConsoleReply {
        let place = AdminPath.query([("cursor", visit.query["cursor"]), ("limit", "50")])
        async let lines = part(AdminPath.user(id, "/story\(place)"), as: Story.self, visit, session)
        async let list = part(AdminPath.user(id, "/sessions"), as: SessionList.self, visit, session)
        let person: Person = try await session.read(AdminPath.user(id), for: visit.browser)
        let page = PersonPage(
            person: person, sessions: try await list.get()?.sessions, story: try await lines.get(), frame: frame(visit))
        let title = person.name ?? person.phoneNumber ?? person.email ?? person.id
        return show(page.body, title, problem: notice, done: done(visit), status: status, visit)
    }

    /// - Parameters:
    ///   - recipient: a phone number or an email address; empty for none.
    ///   - notice: why a change was refused.
    func number(
        _ recipient: String, _ visit: Visit, _ session: AdminSession, notice: String? = nil, status: Int = 200
    ) async throws(APIFailure) -> ConsoleReply {
        async let reviews = part("/admin/reviews", as: Reviews.self, visit, session)
        var (trace, problem, status): (Trace?, String?, Int) = (Trace(entries: []), notice, status)
        var number = recipient.contains("@") ? "" : recipient
        if !recipient.isEmpty {
            let path = "/admin/trace" + AdminPath.query([("to", recipient)])
            do throws(APIFailure) { trace = try await part(path, as: Trace.self, visit, session).get() } catch {
                // Neither a number nor an address.
                guard case .refused = error else { throw error }
                (problem, status, number) = (words(of: error, visit), 400, "")
            }
        }
        let path = "/admin/review-access" + AdminPath.query([("phoneNumber", number)])
        let access = try await part(path, as: ReviewAccess.self, visit, session).get()
        let codes = await session.answer(to: .giveReviewAccess, of: number)
        let page = NumberPage(
            recipient: recipient, number: number, trace: trace, access: access,
            codes: codes.flatMap { GatewayCalls.decoded(ReviewCodes.self, $0) }, reviews: try await reviews.get(),
            now: clock(), frame: frame(visit))
        return show(page.body, visit.words(.number), problem: problem, done: done(visit), status: status, visit)
    }

    /// Says what was done before the page was opened.
    private func done(_ visit: Visit) -> String? {
        visit.query["done"].flatMap(AdminAct.init).map { visit.words(.done, visit.words($0.text)) }
    }

    func money(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        let spend = try await part("/admin/spend?hours=24", as: Spend.self, visit, session).get()
        return show(MoneyPage(spend: spend, frame: frame(visit)).body, visit.words(.money), visit)
    }

    func audit(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        let (stated, user) = (period(visit), visit.query["user"] ?? "")
        let period = stated ?? Period(before: clock())
        var (records, isRefused): (AuditRecords?, Bool) = (nil, stated == nil)
        do throws(APIFailure) {
            let place = AuditPage.query(period, user: user, cursor: visit.query["cursor"])
            records = try await session.read("/admin/audit" + place, for: visit.browser)
        } catch {
            switch error {
            case .unavailable: break
            // A cursor of nonsense, or an id that no user has.
            case .refused: (records, isRefused) = (AuditRecords(records: [], nextCursor: nil), true)
            default: throw error
            }
        }
        let page = AuditPage(period: period, user: user, records: records, frame: frame(visit))
        return show(
            page.body, visit.words(.audit), problem: isRefused ? visit.words(.invalidQuery) : nil,
            status: isRefused ? 400 : 200, visit)
    }

    /// Reads the period of the query: the last 24 hours if it has none, `nil` if it is invalid.
    private func period(_ visit: Visit) -> Period? {
        guard let from = visit.query["from"], let to = visit.query["to"] else { return Period(before: clock()) }
        return Period(from: from, to: to)
    }

    // MARK: - Exports

    /// The responses of the API, a line each: a page of records, with the cursor of the page after it.
    func exportAudit(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        guard let period = period(visit) else { return problem(.invalidQuery, status: 400, visit) }
        let pages = try await allPages(visit, session, as: AuditRecords.self, next: \.nextCursor) { cursor in
            "/admin/audit"
                + AuditPage.query(period, user: visit.query["user"] ?? "", cursor: cursor, limit: Self.recordsMax)
        }
        return .file("audit.jsonl", "application/jsonl", pages)
    }

    /// The responses of the API, a line each: the user, their sessions, and what happened to them.
    func exportPerson(_ id: String, _ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        var lines: [UInt8] = []
        for rest in ["", "/sessions"] {
            lines += try await session.send(.get(AdminPath.user(id, rest)), for: visit.browser) + [UInt8(ascii: "\n")]
        }
        let story = try await allPages(visit, session, as: Story.self, next: \.nextCursor) { cursor in
            AdminPath.user(id, "/story" + AdminPath.query([("cursor", cursor), ("limit", "\(Self.recordsMax)")]))
        }
        return .file("person.jsonl", "application/jsonl", lines + story)
    }

    /// Reads one page after the other, each as a line.
    private func allPages<Page: Decodable & Sendable>(
        _ visit: Visit, _ session: AdminSession, as type: Page.Type, next: (Page) -> String?,
        path: (String?) -> String
    ) async throws(APIFailure) -> [UInt8] {
        var (lines, cursor): ([UInt8], String?) = ([], nil)
        let end = ContinuousClock.now + Self.exportTime
        for _ in 1...Self.exportPagesMax {
            let body = try await session.send(.get(path(cursor)), for: visit.browser)
            guard let page = GatewayCalls.decoded(type, body) else { throw .unavailable }
            lines += body + [UInt8(ascii: "\n")]
            cursor = next(page)
            guard cursor != nil, lines.count < Self.exportBytesMax, ContinuousClock.now < end else { break }
        }
        return lines
    }
}
