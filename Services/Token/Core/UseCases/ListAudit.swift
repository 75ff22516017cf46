import InternalAPI

/// Lists audit records for the operator. Each listing is a record itself.
struct ListAudit: Sendable {
    let queries: any AuditQueries
    let noteLookUp: NoteLookUp

    /// - Throws: `InvalidInput` for a page of a wrong size.
    func callAsFunction(_ request: AuditRequest) async throws -> AuditPage {
        guard (1...AuditPage.recordsMax).contains(request.limit) else {
            throw InvalidInput("A page has 1 to \(AuditPage.recordsMax) records")
        }
        let page = try await queries.records(request)
        // A first page only: the further ones belong to the same listing.
        if request.before == nil { try await noteLookUp("audit", ofUser: request.userID) }
        return page
    }

    /// The records of each chain after a place. Who begins to read is a record itself.
    ///
    /// - Throws: `InvalidInput` for a page of a wrong size or places of nonsense.
    func tail(_ request: AuditTailRequest) async throws -> AuditTailPage {
        let places = try request.places()
        if request.begins { try await noteLookUp("audit follow") }
        return AuditTailPage(records: try await queries.tail(after: places, limit: request.limit))
    }
}
