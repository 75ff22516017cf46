import ServiceKit

/// The pages of the console: which request gets which page, and what a page shows when a call fails.
struct ConsoleSite: Sendable {
    let sessions: AdminSessions
    let calls: GatewayCalls
    let appName: String
    /// Whether browsers may come without https, in development.
    let allowsPlain: Bool
    /// Unix time in seconds.
    let clock: @Sendable () -> Int64

    /// The name of the cookie. Browsers refuse the prefix over plain HTTP, as with the cookies of the app's pages.
    static func cookieName(isSecure: Bool) -> String { isSecure ? "__Host-latchkey-console" : "latchkey-console" }

    /// Returns the response to a request.
    func reply(to visit: Visit) async -> ConsoleReply {
        guard visit.browser.isSecure || allowsPlain else { return problem(.needsHTTPS, status: 403, visit) }
        if let open = await openPage(visit) { return open }
        guard let session = visit.session else {
            if let target = visit.ownTarget { return leadOn(to: target, visit) }
            return .redirect(visit.cookie == nil ? "/sign-in" : Self.signInPath(.sessionOver))
        }
        guard !visit.isPost || visit.form["guard"] == session.guardText else {
            return problem(.forms, status: 403, visit)
        }
        do throws(APIFailure) {
            return try await (visit.isPost ? change(visit, session) : read(visit, session))
        } catch {
            return await reply(to: error, visit, session)
        }
    }

    /// A page that leads to the one that a link of another site meant: from ours the browser sends the cookie (`SameSite=Strict`).
    private func leadOn(to target: String, _ visit: Visit) -> ConsoleReply {
        let link: HTML = "<p><a href=\"\(target)\">\(visit.words(.goOn))</a></p>"
        return .page(frame(visit).page(visit.words(.console), link)).setting("Refresh", "0; url=\(target)")
    }

    private func read(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        let path = visit.path
        switch (path.first, path.count) {
        case (nil, 0): return try await today(visit, session)
        case ("find", 1): return try await find(visit, session)
        case ("number", 1): return try await number(visit.query["to"] ?? "", visit, session)
        case ("money", 1): return try await money(visit, session)
        case ("audit", 1): return try await audit(visit, session)
        case ("audit", 2) where path[1] == "export": return try await exportAudit(visit, session)
        case ("person", 2): return try await person(path[1], visit, session)
        case ("person", 3) where path[2] == "export": return try await exportPerson(path[1], visit, session)
        case ("prove", 1): return await proof(visit, session)
        default: return problem(.notFound, status: 404, visit)
        }
    }

    private func change(_ visit: Visit, _ session: AdminSession) async throws(APIFailure) -> ConsoleReply {
        let path = visit.path
        switch (path.first, path.count) {
        case ("sign-out", 1): return await signOut(visit, session, note: .signedOut)
        case ("person", 3):
            guard let act = AdminAct(rawValue: path[2]), !act.isOfNumber else {
                return problem(.notFound, status: 404, visit)
            }
            return try await carryOut(WaitingTask(act: act, subject: path[1], form: visit.form), visit, session)
        case ("number", 2):
            guard let act = AdminAct(rawValue: path[1]), act.isOfNumber else {
                return problem(.notFound, status: 404, visit)
            }
            let task = WaitingTask(act: act, subject: visit.form["to"] ?? "", form: visit.form)
            return try await carryOut(task, visit, session)
        case ("prove", 1): return try await prove(visit, session)
        case ("prove", 2) where path[1] == "send": return try await sendProofCode(visit, session)
        default: return problem(.notFound, status: 404, visit)
        }
    }

    // MARK: - Failures

    /// Returns the page for a call that failed.
    private func reply(to failure: APIFailure, _ visit: Visit, _ session: AdminSession) async -> ConsoleReply {
        switch failure {
        case .signedOut: return await signOut(visit, session, note: .sessionOver)
        case .notAdministrator: return await signOut(visit, session, note: .notAdministrator)
        case .needsProof: return .redirect("/prove")
        case .needsFactor: return problem(.factorMissing, status: 403, visit)
        case .changedMeanwhile: return problem(.bothChanged, status: 412, visit)
        case .unavailable: return problem(.missing, status: 503, visit)
        case .refused(404, _, _): return problem(.notFound, status: 404, visit)
        case .refused(let status, _, _): return problem(words(of: failure, visit), status: status, visit)
        }
    }

    /// Says why the API refused a call.
    func words(of failure: APIFailure, _ visit: Visit) -> String {
        switch failure {
        case .refused(409, "last_admin", _): visit.words(.lastAdministrator)
        case .refused(429, _, _): visit.words(.tooMany)
        case .refused(_, "invalid_code", _): visit.words(.wrongCode)
        case .refused(_, "insufficient_user_authentication", _): visit.words(.factorMissing)
        case .refused(_, let code, let detail): visit.words(.refused, detail ?? code)
        case .changedMeanwhile: visit.words(.bothChanged)
        default: visit.words(.missing)
        }
    }

    func problem(_ text: ConsoleText, status: Int, _ visit: Visit) -> ConsoleReply {
        problem(visit.words(text), status: status, visit)
    }

    private func problem(_ notice: String, status: Int, _ visit: Visit) -> ConsoleReply {
        show(.nothing, visit.words(.problem), problem: notice, status: status, visit)
    }

    /// Returns a page with its frame.
    ///
    /// - Parameters:
    ///   - problem: a sentence above it that says what did not work.
    ///   - done: a sentence in its place that says what was done.
    func show(
        _ body: HTML, _ title: String, problem: String? = nil, done: String? = nil, status: Int = 200, _ visit: Visit
    ) -> ConsoleReply {
        let page = frame(visit).page(title, notice: problem ?? done, isProblem: problem != nil, body)
        return .page(page, status: status)
    }

    func frame(_ visit: Visit) -> PageFrame {
        PageFrame(appName: appName, words: visit.words, guardText: visit.session?.guardText)
    }

    /// Reads a part of a page.
    ///
    /// - Returns: `nil` if its service does not respond; the other parts are shown.
    func part<Part: Decodable & Sendable>(
        _ path: String, as type: Part.Type = Part.self, _ visit: Visit, _ session: AdminSession
    ) async -> Result<Part?, APIFailure> {
        do throws(APIFailure) { return .success(try await session.read(path, as: type, for: visit.browser)) } catch {
            switch error {
            case .unavailable, .refused(404, _, _): return .success(nil)
            default: return .failure(error)
            }
        }
    }
}
