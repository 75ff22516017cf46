import InternalAPI
import Passwords
import ServiceHTTP

/// What the operator asks of user-service: each row only translates.
struct SupportRoutes: Sendable {
    let parts: UserParts

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        let lookUp = LookUpUsers(
            store: parts.users, queries: parts.queries, tokenService: parts.tokenService,
            otpService: parts.courier.otpService, userIDPrefix: parts.userIDPrefix,
            attributes: parts.attributes, defaultRegion: parts.defaultRegion, now: parts.now, logger: parts.logger)
        routes.serve(UserOperations.find) { request, call in
            switch try await lookUp(request, requestID: call.requestID) {
            case .user(let facts): .answer(facts)
            case .nobody: .refused(.notFound, title: RefusalTitle.unknownUser)
            case .invited(let invitation): .refused(.notFound, title: RefusalTitle.invited(invitation))
            case .invalid: .refused(.invalidRequest, title: RefusalTitle.invalidKey)
            }
        }
        routes.serve(UserOperations.list) { request, call in
            guard let page = try await lookUp(request, requestID: call.requestID) else {
                return .refused(.invalidRequest, title: RefusalTitle.invalidPage)
            }
            return .answer(page)
        }
        let importUsers = ImportUsers(
            store: parts.users,
            hashMemoryKiBMax: parts.accounts?.hasher.foreignMemoryKiBMax ?? ForeignHash.memoryKiBMax,
            ids: parts.importedIDs, userIDPrefix: parts.userIDPrefix, defaultRegion: parts.defaultRegion, now: parts.now
        )
        routes.serve(UserOperations.importUsers) { request, call in
            guard let answer = try await importUsers(request, requestID: call.requestID) else {
                return .refused(.invalidRequest, title: RefusalTitle.invalidPage)
            }
            return .answer(answer)
        }
        let renumber = RenumberUsers(
            store: parts.users, queries: parts.queries, userIDPrefix: parts.userIDPrefix, now: parts.now)
        routes.serve(UserOperations.renumber) { request, call in
            guard let page = try await renumber(request, requestID: call.requestID) else {
                return .refused(.invalidRequest, title: RefusalTitle.invalidNumberChange)
            }
            return .answer(page)
        }
        let changeUser = ChangeUser(
            store: parts.users, courier: parts.courier, userIDPrefix: parts.userIDPrefix, attributes: parts.attributes,
            now: parts.now)
        routes.serve(UserOperations.change) { request, call in
            switch try await changeUser(request, requestID: call.requestID) {
            case .done: .answer(Done())
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .unknown: .refused(.notFound, title: RefusalTitle.unknownUser)
            case .invalid: .refused(.invalidRequest, title: RefusalTitle.invalidChange)
            case .forReview: .refused(.invalidRequest, title: RefusalTitle.reviewersHaveNoRole)
            }
        }
        routes.serve(UserOperations.delete) { request, call in
            switch try await parts.deleteAccount(request, requestID: call.requestID) {
            case .scheduled(let dueAt): .answer(DeletionSchedule(dueAt: dueAt))
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .unknown: .refused(.notFound, title: RefusalTitle.unknownUser)
            }
        }
        let restoreAccount = RestoreAccount(store: parts.users, userIDPrefix: parts.userIDPrefix, now: parts.now)
        routes.serve(UserOperations.restore) { request, call in
            switch try await restoreAccount(request, requestID: call.requestID) {
            case .restored: .answer(Done())
            case .tooLate: .refused(.removalDue, title: RefusalTitle.removalIsDue)
            case .unknown: .refused(.notFound, title: RefusalTitle.unknownUser)
            }
        }
        let listRemoved = ListRemoved(queries: parts.queries, userIDPrefix: parts.userIDPrefix)
        routes.serve(UserOperations.removed) { request, _ in
            guard let page = try await listRemoved(request) else {
                return .refused(.invalidRequest, title: RefusalTitle.invalidPage)
            }
            return .answer(page)
        }
        let listDecisions = ListDecisions(queries: parts.queries, userIDPrefix: parts.userIDPrefix)
        routes.serve(UserOperations.decisions) { request, _ in .answer(try await listDecisions(request)) }
    }
}
