import InternalAPI
import Storage

/// Assembles the pages of exports from what the three services store. A page is whole, or there is none.
struct ReadExport: Sendable {
    /// The rows after which a page ends. Its last part may add as many again.
    static let rowsMax = 500
    /// The parts of a page at most. Parts of the audit are slow to read.
    static let partsMax = 8
    /// The seconds after which a page gets no further part.
    static let secondsMax: Int64 = 2
    /// How many seconds before a user got a phone number or an email address its messages were for them: those of the code that
    /// verified it. Earlier ones may have been for another person.
    static let codeSeconds: Int64 = 600

    let queries: any UserQueries
    let tokenService: ServiceClient
    let otpService: ServiceClient
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Reads a page.
    ///
    /// - Parameter start: `nil` for the first page.
    /// - Returns: the page without its cursor, and where the next one begins; `nil` after the last page.
    /// - Throws: `InvalidInput` if the account of the place is not the user's; `StorageError`; `ServiceUnavailable` if another service
    ///   does not respond.
    func callAsFunction(
        _ stored: StoredAccount, from start: ExportPlace?, requestID: String?
    ) async throws -> (page: UserExport, next: ExportPlace?) {
        let begin = now()
        var page = UserExport(exportedAt: begin)
        if start == nil {
            page.account = ExportedAccount(stored, idPrefix: userIDPrefix)
            page.messages = try await messages(stored, requestID)
        }
        var place: ExportPlace? = start ?? ExportPlace(stored.user.id)
        for _ in 0..<Self.partsMax {
            guard let current = place, page.rowCount < Self.rowsMax, now() - begin < Self.secondsMax else { break }
            let row = try await add(current, of: stored, to: &page, requestID)
            place = current.next(row, of: stored.ids)
        }
        return (page, place)
    }

    /// Adds a part to the page, and returns where the part goes on.
    private func add(
        _ place: ExportPlace, of stored: StoredAccount, to page: inout UserExport, _ requestID: String?
    ) async throws -> Int64? {
        guard let pseudonym = stored.pseudonym(of: place.account) else { throw InvalidInput.exportCursor }
        switch place.part {
        case .decisions:
            let decisions = try await queries.decisions(
                about: place.account, after: place.row ?? 0, limit: Self.rowsMax)
            page.decisions += decisions.map { ExportedDecision(at: $0.at, kind: $0.kind.rawValue) }
            return decisions.count == Self.rowsMax ? decisions.last?.sequence : nil
        case .records:
            let request = AuditRequest(limit: AuditPage.recordsMax, before: place.row)
            let (records, next) = try await queries.audit(request, of: pseudonym)
            page.records += records.map { ExportedRecord(AuditPage.Record($0), from: "user") }
            return next
        case .sessions: return try await add(.sessions, place, to: &page, requestID)
        case .tokenRecords: return try await add(.records, place, to: &page, requestID)
        }
    }

    private func add(
        _ part: TokenExportRequest.Part, _ place: ExportPlace, to page: inout UserExport, _ requestID: String?
    ) async throws -> Int64? {
        let request = TokenExportRequest(
            userID: place.account.text(prefix: userIDPrefix), part: part, before: place.row,
            limit: TokenExportRequest.rowsMax)
        let outcome = try await tokenService.call(TokenOperations.export, request, requestID: requestID)
        guard case .answer(let answer) = outcome else {
            throw ServiceUnavailable(service: "token", reason: "it refused the export")
        }
        page.sessions += answer.sessions
        page.records += answer.records
        return answer.next
    }

    private func messages(_ stored: StoredAccount, _ requestID: String?) async throws -> [ExportedMessages] {
        let identities = stored.identities.filter { $0.isRecipient }
        var messages: [ExportedMessages] = []
        for first in stride(from: 0, to: identities.count, by: MessagesExportRequest.recipientsMax) {
            let some = identities[first...].prefix(MessagesExportRequest.recipientsMax)
            let request = MessagesExportRequest(recipients: some.map(\.value))
            let outcome = try await otpService.call(OTPOperations.export, request, requestID: requestID)
            guard case .answer(let answer) = outcome, answer.messages.map(\.to) == request.recipients else {
                throw ServiceUnavailable(service: "otp", reason: "it refused the export")
            }
            messages += zip(some, answer.messages).map { $1.since($0.addedAt - Self.codeSeconds) }
        }
        return messages
    }
}

extension ExportedIdentity {
    /// Whether messages are sent to the identity.
    fileprivate var isRecipient: Bool { ["phone", "email"].contains(kind) }
}

extension ExportedMessages {
    fileprivate func since(_ time: Int64) -> ExportedMessages {
        var messages = self
        messages.events.removeAll { $0.at < time }
        return messages
    }
}

extension UserExport {
    fileprivate var rowCount: Int { decisions.count + records.count + sessions.count }
}
