import AuthAPI
import InternalAPI

/// Reads the audits of user- and token-service as one, or what they have about a user as sentences. Each page is a record itself.
struct ReadWholeAudit: Sendable {
    /// How many parts of the audits one page reads. Each is a query of its own, so that no reader is kept for long.
    private static let readsMax = 60
    /// The seconds after which a page gets no further part, so that a slow disk shortens pages and does not fail them.
    private static let secondsMax: Int64 = 2

    var store: any UserStore
    let queries: any UserQueries
    let tokenService: ServiceClient
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` for a member of the request; `ServiceUnavailable`; `StorageError`.
    func callAsFunction(
        _ request: WholeAuditRequest, requestID: String?
    ) async throws -> OperationOutcome<WholeAuditPage, AdminReadRefusal> {
        let user = try await user(of: request)
        guard user != nil || request.userID == nil else { return .refused(.noSuchUser) }
        return .answer(try await page(request, user, "audit", requestID))
    }

    /// Reads what happened to the user of the request, and when their sessions were last refreshed.
    ///
    /// - Throws: as above.
    func story(
        _ request: WholeAuditRequest, requestID: String?
    ) async throws -> OperationOutcome<StoryPage, AdminReadRefusal> {
        guard let user = try await user(of: request), let id = request.userID else { return .refused(.noSuchUser) }
        let page = try await page(request, user, "story", requestID)
        let sessions = request.cursor == nil ? try await sessions(of: id, requestID) : []
        return .answer(
            StoryPage(lines: page.records.map(Story.line), sessions: sessions.map(Story.line), next: page.next))
    }

    private func user(of request: WholeAuditRequest) async throws -> User? {
        guard let id = request.userID.flatMap({ UserID(text: $0, prefix: userIDPrefix) }) else { return nil }
        return try await queries.user(id)
    }

    private func page(
        _ request: WholeAuditRequest, _ user: User?, _ purpose: String, _ requestID: String?
    ) async throws -> WholeAuditPage {
        guard (1...AuditPage.recordsMax).contains(request.limit) else { throw InvalidInput.auditPage }
        guard request.from >= 0, request.from < request.to else { throw InvalidInput(member: "to") }
        let (cursor, begin) = (AuditCursor(request), now())
        var merge = AuditMerge(from: try cursor.positions(request.cursor))
        for _ in 0..<Self.readsMax {
            merge.merge(upTo: request.limit)
            guard merge.merged.count < request.limit, now() - begin < Self.secondsMax, let hungry = merge.hungry
            else { break }
            let before: Int64? = if case .before(let number) = hungry.position { number } else { nil }
            let part = AuditRequest(
                userID: request.userID, since: request.from, until: request.to,
                limit: request.limit - merge.merged.count, before: before,
                administrator: RequestOrigin.ofAdministrator?.method)
            merge.feed(try await read(part, hungry.service, user, requestID), of: hungry.service)
        }
        merge.merge(upTo: request.limit)
        try await store.note([.audit(.lookUp(purpose, of: user, .byOperator(requestID)))], now: now())
        return WholeAuditPage(records: merge.merged, next: merge.next.map(cursor.text))
    }

    private func read(
        _ part: AuditRequest, _ service: AuditedService, _ user: User?, _ requestID: String?
    ) async throws -> AuditPage {
        switch service {
        case .user:
            let (records, next) = try await queries.audit(part, of: user?.pseudonym)
            return AuditPage(records: records.map(AuditPage.Record.init), next: next)
        case .token:
            let outcome = try await tokenService.call(TokenOperations.audit, part, requestID: requestID)
            guard case .answer(let page) = outcome else { throw InvalidInput.auditPage }
            return page
        }
    }

    private func sessions(of id: String, _ requestID: String?) async throws -> [SessionSummary] {
        let request = UserSessionsRequest(userID: id, administrator: RequestOrigin.ofAdministrator?.method)
        let outcome = try await tokenService.call(TokenOperations.userSessions, request, requestID: requestID)
        guard case .answer(let list) = outcome else { return [] }
        return list.sessions
    }
}

extension ReadWholeAudit: StoreBound {}
