import InternalAPI

/// Lists audit records for the operator.
struct ListAudit: Sendable {
    let queries: any AuditQueries

    /// - Throws: `InvalidInput` for a page of a wrong size.
    func callAsFunction(_ request: AuditRequest) async throws -> AuditPage {
        guard (1...AuditPage.recordsMax).contains(request.limit) else {
            throw InvalidInput("A page has 1 to \(AuditPage.recordsMax) records")
        }
        return try await queries.records(request)
    }
}
