import InternalAPI
import ServiceHTTP

/// The operations on sessions for their users and the operator.
struct SessionRoutes: Sendable {
    let list: ListSessions
    let authentication: NoteAuthentication
    let endOwn: EndOwnSession
    let endOthers: EndOtherSessions
    let endAsOperator: EndSessionsAsOperator
    let openActing: OpenActingSession
    let listAudit: ListAudit
    let export: ExportUserData
    let noteLookUp: NoteLookUp

    /// Adds all routes.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(TokenOperations.ownSessions) { _, call in
            try await list(accessToken: call.accessToken ?? "")
        }
        routes.serve(TokenOperations.ownAuthentication) { _, call in
            try await authentication.last(accessToken: call.accessToken ?? "")
        }
        routes.serve(TokenOperations.noteAuthentication) { request, call in
            try await authentication(request.statement, accessToken: call.accessToken ?? "")
        }
        routes.serve(TokenOperations.endOwnSession) { request, call in
            try await endOwn(request.sessionID, accessToken: call.accessToken ?? "")
        }
        routes.serve(TokenOperations.endOtherSessions) { _, call in
            try await endOthers(accessToken: call.accessToken ?? "")
        }
        routes.serve(TokenOperations.userSessions) { request, _ in
            try await onRequest(of: request.administrator) {
                try await noteLookUp("sessions", ofUser: request.userID)
            }
            return .answer(try await list(userID: request.userID))
        }
        routes.serve(TokenOperations.sessionCounts) { request, _ in .answer(try await list.counts(request)) }
        routes.serve(TokenOperations.newestUse) { request, _ in
            .answer(try await list.store.newestUse(ofUser: request.userID))
        }
        routes.serve(TokenOperations.liveSession) { request, _ in
            .answer(LiveSession(userID: try await list.owner(of: request.sessionID)))
        }
        routes.serve(TokenOperations.act) { request, _ in
            try await onRequest(of: request.administrator) { try await openActing(request) }
        }
        routes.serve(TokenOperations.export) { request, _ in .answer(try await export(request)) }
        routes.serve(TokenOperations.audit) { request, _ in
            try await onRequest(of: request.administrator) { .answer(try await listAudit(request)) }
        }
        routes.serve(TokenOperations.auditTail) { request, _ in .answer(try await listAudit.tail(request)) }
        routes.serve(TokenOperations.endSessions) { request, _ in
            try await onRequest(of: request.administrator) {
                let answer = try await endAsOperator(request)
                // Each revoked session has a record; that there was none has been read all the same.
                if answer.endedCount == 0 { try await noteLookUp("sessions", ofUser: request.userID) }
                return .answer(answer)
            }
        }
    }

    /// Runs an operation whose records name the administrator, or else the operator of the call.
    private func onRequest<Outcome>(
        of administrator: String?, _ act: () async throws -> Outcome
    ) async rethrows -> Outcome {
        let name = administrator.flatMap { OperatorName(administrator: $0) } ?? OperatorName.current
        return try await OperatorName.$current.withValue(name) { try await act() }
    }
}
