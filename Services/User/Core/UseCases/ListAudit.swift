import CryptoPrimitives
import InternalAPI

/// Lists audit records for the operator. Each listing is a record itself.
struct ListAudit: Sendable {
    let store: any UserStore
    let queries: any UserQueries
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    typealias Outcome = OperationOutcome<AuditPage, UserRefusal>

    /// - Throws: `InvalidInput` for a limit that is too low or too high; `StorageError`.
    func callAsFunction(_ request: AuditRequest, requestID: String?) async throws -> Outcome {
        guard (1...AuditPage.recordsMax).contains(request.limit) else { throw InvalidInput.auditPage }
        var subject: Pseudonym?
        if let text = request.userID {
            guard let id = UserID(text: text, prefix: userIDPrefix), let found = try await pseudonym(of: id) else {
                return .refused(.notFound)
            }
            subject = found
        }
        let (records, next) = try await queries.audit(request, of: subject)
        // A first page only: the further ones belong to the same listing.
        if request.before == nil {
            let entry = AuditEntry(
                event: .lookedUp, subject: subject ?? .zero, origin: .byOperator(requestID), detail: "audit")
            try await store.note([.audit(entry)], now: now())
        }
        return .answer(AuditPage(records: records.map(AuditPage.Record.init), next: next))
    }

    /// The records of each chain after a place. Who begins to read is a record itself.
    ///
    /// - Throws: `InvalidInput` for a page of a wrong size or places of nonsense; `StorageError`.
    func tail(_ request: AuditTailRequest, requestID: String?) async throws -> AuditTailPage {
        let places = try request.places()
        if request.begins {
            try await store.note([.audit(.lookUp("audit follow", .byOperator(requestID)))], now: now())
        }
        let records = try await queries.auditTail(after: places, limit: request.limit)
        return AuditTailPage(records: records.map { .init(slot: $0.slot, record: AuditPage.Record($0.record)) })
    }

    /// The pseudonym of a user, or of one who was merged into another.
    private func pseudonym(of id: UserID) async throws -> Pseudonym? {
        if let user = try await queries.user(id) { return user.pseudonym }
        return try await queries.merged(id)?.pseudonym
    }
}

extension AuditPage.Record {
    init(_ recorded: RecordedAuditEntry) {
        self.init(
            number: recorded.number, at: recorded.at, event: recorded.event,
            subject: recorded.subject == .zero ? nil : Hex.encode(recorded.subject.bytes),
            sessionID: recorded.origin.sessionID, method: recorded.origin.method, requestID: recorded.origin.requestID,
            detail: recorded.detail)
    }
}
