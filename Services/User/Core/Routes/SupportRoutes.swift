import InternalAPI
import ServiceHTTP

/// The operator's operations on users. Each row only translates.
struct SupportRoutes: Sendable {
    let lookUp: LookUpUsers
    let importUsers: ImportUsers
    let renumber: RenumberUsers
    let resubject: ResubjectIdentities
    let change: ChangeUser
    let delete: DeleteAccount
    let restore: RestoreAccount
    let listRemoved: ListRemoved
    let listDecisions: ListDecisions
    let listAudit: ListAudit

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(UserOperations.find) { request, call in
            switch try await lookUp(request, requestID: call.requestID) {
            case .user(let facts): .answer(facts)
            case .unknown: .refused(.notFound, title: RefusalTitle.unknownUser)
            case .invited(let invitation): .refused(.notFound, title: RefusalTitle.invited(invitation))
            }
        }
        routes.serve(UserOperations.list) { request, call in
            .answer(try await lookUp(request, requestID: call.requestID))
        }
        routes.serve(UserOperations.importUsers) { request, call in
            .answer(try await importUsers(request, requestID: call.requestID))
        }
        routes.serve(UserOperations.renumber) { request, call in
            .answer(try await renumber(request, requestID: call.requestID))
        }
        routes.serve(UserOperations.resubject) { request, call in
            .answer(try await resubject(request, requestID: call.requestID))
        }
        routes.serve(UserOperations.change) { request, call in
            switch try await change(request, requestID: call.requestID) {
            case .done(let changed): .answer(changed)
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .unknown: .refused(.notFound, title: RefusalTitle.unknownUser)
            case .taken(let kind, let user): .refused(.taken, title: RefusalTitle.taken(kind, by: user))
            case .noMail: .refused(.invalidRequest, title: RefusalTitle.noMail)
            case .forReview: .refused(.invalidRequest, title: RefusalTitle.reviewersHaveNoRole)
            }
        }
        routes.serve(UserOperations.count) { _, _ in .answer(try await lookUp.queries.counts()) }
        routes.serve(UserOperations.delete) { request, call in
            switch try await delete(request, requestID: call.requestID) {
            case .scheduled(let dueAt): .answer(DeletionSchedule(dueAt: dueAt))
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .unknown: .refused(.notFound, title: RefusalTitle.unknownUser)
            }
        }
        routes.serve(UserOperations.restore) { request, call in
            switch try await restore(request, requestID: call.requestID) {
            case .restored: .answer(Done())
            case .tooLate: .refused(.removalDue, title: RefusalTitle.removalIsDue)
            case .unknown: .refused(.notFound, title: RefusalTitle.unknownUser)
            }
        }
        routes.serve(UserOperations.removed) { request, _ in .answer(try await listRemoved(request)) }
        routes.serve(UserOperations.decisions) { request, _ in .answer(try await listDecisions(request)) }
        routes.serve(UserOperations.audit) { request, call in
            switch try await listAudit(request, requestID: call.requestID) {
            case .page(let page): .answer(page)
            case .unknownUser: .refused(.notFound, title: RefusalTitle.unknownUser)
            }
        }
    }
}
