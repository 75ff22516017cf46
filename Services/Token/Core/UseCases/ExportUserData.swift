import InternalAPI

/// Returns what is stored about a user, page by page, for the copy of their data. user-service records the export in its audit.
struct ExportUserData: Sendable {
    let store: any SessionStore
    let audit: any AuditQueries

    /// - Throws: `InvalidInput` for a page of a wrong size; `StorageError`.
    func callAsFunction(_ request: TokenExportRequest) async throws -> TokenExportPart {
        guard (1...TokenExportRequest.rowsMax).contains(request.limit) else { throw InvalidInput(member: "limit") }
        switch request.part {
        case .sessions: return try await sessions(request)
        case .records: return try await records(request)
        }
    }

    private func sessions(_ request: TokenExportRequest) async throws -> TokenExportPart {
        let sessions = try await store.allSessions(
            ofUser: request.userID, before: request.before, limit: request.limit)
        return TokenExportPart(
            sessions: sessions.map(ExportedSession.init),
            next: sessions.count == request.limit ? sessions.last?.locator : nil)
    }

    private func records(_ request: TokenExportRequest) async throws -> TokenExportPart {
        let page = try await audit.records(
            AuditRequest(
                userID: request.userID, limit: min(request.limit, AuditPage.recordsMax), before: request.before))
        return TokenExportPart(records: page.records.map { ExportedRecord($0, from: "token") }, next: page.next)
    }
}

extension ExportedSession {
    /// Leaves out the hashes, the marks of rotations, and the claims, which repeat what user-service stores.
    init(_ session: SessionRecord) {
        self.init(
            id: session.id.text, dialect: session.dialect, method: session.method, deviceName: session.device,
            address: session.network, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
            authenticatedAt: session.authenticatedAt, idleExpiresAt: session.idleExpiresAt,
            absoluteExpiresAt: session.absoluteExpiresAt, revokedFor: session.revokedFor?.rawValue,
            web: session.pageHash == nil ? nil : true)
    }
}
