import InternalAPI
import ServiceHTTP

/// The operator's operations on users. Each row only translates.
struct SupportRoutes: Sendable {
    let lookUp: LookUpUsers
    let importUsers: ImportUsers
    let renumber: RenumberUsers
    let resubject: ResubjectIdentities
    let change: ChangeUser
    let phoneChanges: PhoneChanges
    let delete: DeleteAccount
    let restore: RestoreAccount
    let export: ExportUser
    let listInactive: ListInactive
    let listRemoved: ListRemoved
    let listDecisions: ListDecisions
    let listAudit: ListAudit
    let wholeAudit: ReadWholeAudit
    let reviews: ManageAccountReviews

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(UserOperations.find) { try await lookUp($0, requestID: $1.requestID) }
        routes.serve(UserOperations.list) { .answer(try await lookUp($0, requestID: $1.requestID)) }
        routes.serve(UserOperations.importUsers) { .answer(try await importUsers($0, requestID: $1.requestID)) }
        routes.serve(UserOperations.renumber) { .answer(try await renumber($0, requestID: $1.requestID)) }
        routes.serve(UserOperations.resubject) { .answer(try await resubject($0, requestID: $1.requestID)) }
        routes.serve(UserOperations.change) { try await change($0, requestID: $1.requestID) }
        routes.serve(UserOperations.replacePhone) { try await phoneChanges($0, requestID: $1.requestID) }
        routes.serve(UserOperations.count) { _, _ in .answer(try await lookUp.queries.counts()) }
        routes.serve(UserOperations.delete) { try await delete($0, requestID: $1.requestID) }
        routes.serve(UserOperations.restore) { try await restore($0, requestID: $1.requestID) }
        routes.serve(UserOperations.export) { try await export($0, requestID: $1.requestID) }
        routes.serve(UserOperations.inactive) { try await listInactive($0, requestID: $1.requestID) }
        routes.serve(UserOperations.removed) { request, _ in .answer(try await listRemoved(request)) }
        routes.serve(UserOperations.decisions) { request, _ in .answer(try await listDecisions(request)) }
        routes.serve(UserOperations.reviews) { request, _ in .answer(try await reviews.list(request)) }
        routes.serve(UserOperations.clearReview) { try await reviews.clear($0, requestID: $1.requestID) }
        routes.serve(UserOperations.story) { request, call in
            guard case .answer(let page) = try await wholeAudit.story(request, requestID: call.requestID) else {
                return .refused(.notFound)
            }
            return .answer(page)
        }
        routes.serve(UserOperations.auditTail) { .answer(try await listAudit.tail($0, requestID: $1.requestID)) }
        routes.serve(UserOperations.audit) { try await listAudit($0, requestID: $1.requestID) }
    }
}
