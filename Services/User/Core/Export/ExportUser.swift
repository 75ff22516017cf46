import InternalAPI
import Logging

/// Gives users a copy of everything that is stored about them, and the operator the same. Each export is in the audit before its
/// first page is shown.
struct ExportUser: Sendable {
    let store: any UserStore
    let read: ReadExport
    let recent: RecentAuthentication
    /// The age in seconds from which the user's last proof is too old for an export.
    let withinSeconds: Int64
    let limit: ExportLimit
    let seal: ExportSeal
    let logger: Logger

    typealias Outcome = OperationOutcome<ExportAnswer, ExportRefusal>

    /// Returns a page to the user. The first page needs a recent proof of the user, and counts unless it could not be read.
    ///
    /// - Throws: `InvalidInput` for a cursor that is not the session's, or too old; `StorageError`; `ServiceUnavailable`;
    ///   `GuessLimitsFailure`.
    func callAsFunction(
        _ caller: SignedInUser, _ request: ExportRequest, accessToken: String?, requestID: String?
    ) async throws -> Outcome {
        guard let user = try await read.queries.bearer(caller.id) else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        guard user.deletion == nil, let stored = try await read.queries.account(caller.id) else {
            return .refused(.invalidToken)
        }
        if let cursor = try cursor(request.cursor, of: user.id, session: caller.sessionID) {
            return .answer(
                ExportAnswer(page: try await page(stored, cursor, session: caller.sessionID, requestID)))
        }
        switch try await recent(accessToken, within: withinSeconds, requestID: requestID) {
        case .recent: break
        case .old: return .refused(.reauthenticationRequired)
        case .noSession: return .refused(.invalidToken)
        }
        switch try await limit.admit(user.id, callID: request.callID, now: read.now()) {
        case .limited(let seconds): return .answer(ExportAnswer(retryAfterSeconds: seconds))
        case .admitted(let isRepeat):
            do { return .answer(ExportAnswer(page: try await firstPage(stored, caller, requestID))) } catch {
                if !isRepeat { await giveBack(user.id, request) }
                throw error
            }
        }
    }

    /// Forgets an export that could not be made. If that fails too, the export counts, and the user gets the first error.
    private func giveBack(_ user: UserID, _ request: ExportRequest) async {
        do { try await limit.giveBack(user, callID: request.callID) } catch {
            logger.warning("export.not_given_back", metadata: ["cause": "\(error)"])
        }
    }

    private func firstPage(
        _ stored: StoredAccount, _ caller: SignedInUser, _ requestID: String?
    ) async throws -> UserExport {
        let page = try await page(stored, nil, session: caller.sessionID, requestID)
        try await note(stored.user, RequestOrigin(requestID: requestID, sessionID: caller.sessionID))
        return page
    }

    /// Returns a page to the operator.
    ///
    /// - Throws: `InvalidInput` for an invalid cursor; `StorageError`; `ServiceUnavailable`.
    func callAsFunction(
        _ request: ExportUserRequest, requestID: String?
    ) async throws -> OperationOutcome<UserExport, UserRefusal> {
        guard let id = UserID(text: request.userID, prefix: read.userIDPrefix),
            let stored = try await read.queries.account(id)
        else { return .refused(.notFound) }
        let cursor = try cursor(request.cursor, of: id, session: nil)
        let page = try await page(stored, cursor, session: nil, requestID)
        if cursor == nil { try await note(stored.user, .byOperator(requestID)) }
        return .answer(page)
    }

    private func cursor(_ text: String?, of user: UserID, session: String?) throws(InvalidInput) -> ExportCursor? {
        guard let text else { return nil }
        guard let cursor = seal.open(text, of: user, session: session, now: read.now()) else {
            throw .exportCursor
        }
        return cursor
    }

    private func page(
        _ stored: StoredAccount, _ cursor: ExportCursor?, session: String?, _ requestID: String?
    ) async throws -> UserExport {
        var (page, next) = try await read(stored, from: cursor?.place, requestID: requestID)
        page.nextCursor = try next.map {
            let cursor = ExportCursor(place: $0, begunAt: cursor?.begunAt ?? page.exportedAt)
            return try seal.seal(cursor, of: stored.user.id, session: session)
        }
        return page
    }

    private func note(_ user: User, _ origin: RequestOrigin) async throws {
        try await store.note([.audit(AuditEntry(.exported, user, origin))], now: read.now())
    }
}
