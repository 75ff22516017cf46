internal import HTTPTypes
internal import Hummingbird
internal import InternalAPI
internal import ServiceKit

/// What the operator asks of user-service; every row only decodes, calls and encodes.
struct SupportRoutes: Sendable {
    let lookUp: LookUpUsers
    let changeUser: ChangeUser
    let deleteAccount: DeleteAccount
    let restoreAccount: RestoreAccount
    let listRemoved: ListRemoved

    func add(to routes: ServiceRoutes) {
        routes.on(.post, UserContract.findPath, from: [.control], handler: storeAnswering(find))
        routes.on(.post, UserContract.listPath, from: [.control], handler: storeAnswering(list))
        routes.on(.post, UserContract.changePath, from: [.control], handler: storeAnswering(change))
        routes.on(.post, UserContract.deletePath, from: [.control], handler: storeAnswering(delete))
        routes.on(.post, UserContract.restorePath, from: [.control], handler: storeAnswering(restore))
        routes.on(.post, UserContract.removedPath, from: [.control], handler: storeAnswering(removed))
    }

    private func find(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(FindUserRequest.self, from: context)
        switch try await lookUp.find(body, requestID: request.requestID) {
        case .user(let facts): return try jsonResponse(facts)
        case .nobody: throw UserProblem.unknownUser
        case .invalid: throw UserProblem.invalidKey
        }
    }

    private func list(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(ListUsersRequest.self, from: context)
        guard let page = try await lookUp.list(body, requestID: request.requestID) else {
            throw UserProblem.invalidPage
        }
        return try jsonResponse(page)
    }

    private func change(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(ChangeUserRequest.self, from: context)
        switch try await changeUser.change(body, requestID: request.requestID) {
        case .done: return try jsonResponse(Done())
        case .unconfirmed: throw ServiceProblem.unavailable("The token service")
        case .unknown: throw UserProblem.unknownUser
        case .invalid: throw UserProblem.invalidChange
        }
    }

    private func delete(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(DeleteUserRequest.self, from: context)
        switch try await deleteAccount.delete(body, requestID: request.requestID) {
        case .scheduled(let dueAt): return try jsonResponse(DeletionSchedule(dueAt: dueAt))
        case .unconfirmed: throw ServiceProblem.unavailable("The token service")
        case .unknown: throw UserProblem.unknownUser
        }
    }

    private func restore(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(RestoreUserRequest.self, from: context)
        switch try await restoreAccount.restore(body, requestID: request.requestID) {
        case .restored: return try jsonResponse(Done())
        case .tooLate: throw UserProblem.removalIsDue
        case .unknown: throw UserProblem.unknownUser
        }
    }

    private func removed(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(RemovedUsersRequest.self, from: context)
        guard let page = try await listRemoved.list(body) else { throw UserProblem.invalidPage }
        return try jsonResponse(page)
    }
}
