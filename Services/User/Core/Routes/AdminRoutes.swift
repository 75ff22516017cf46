import InternalAPI
import ServiceHTTP

/// user-service's operations for administrators: the operator's use cases, called by a user or client whose own row allows it.
///
/// The audit has the administrator's pseudonym and session, the user and the reason of each request.
struct AdminRoutes: Sendable {
    let bearers: BearerAuthentication
    let check: AdministratorCheck
    let search: SearchUsers
    let endSessions: EndUserSessions
    let recent: RecentAuthentication
    /// The age, in seconds, from which an administrator's proof allows no change.
    let withinSeconds: Int64
    /// Whether a role needs a second factor.
    var secondFactor: SecondFactorRule?
    let support: SupportRoutes
    let invite: Invite
    let create: CreateUser
    let deployment: ReadDeployment
    let state: ReadState
    let act: ActAsUser

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        serve(AdminOperations.search, &routes) { request, store, requestID in
            .answer(try await search.through(store)(request, requestID: requestID))
        }
        serve(AdminOperations.read, &routes) { request, store, requestID in
            // A phone number or an email address is searched for, so that a path identifies one user for ever.
            guard userID(request.key) != nil else { return .refused(.noSuchUser) }
            let find = FindUserRequest(key: request.key)
            guard case .answer(let user) = try await support.lookUp.through(store)(find, requestID: requestID) else {
                return .refused(.noSuchUser)
            }
            return .answer(user)
        }
        serve(AdminOperations.sessions, &routes) { request, store, requestID in
            try await endSessions.through(store).list(request, requestID: requestID)
        }
        serve(AdminOperations.audit, &routes) { request, store, requestID in
            try await support.wholeAudit.through(store)(request, requestID: requestID)
        }
        serve(AdminOperations.story, &routes) { request, store, requestID in
            try await support.wholeAudit.through(store).story(request, requestID: requestID)
        }
        serve(AdminOperations.reviews, &routes) { request, store, requestID in
            let page = try await support.reviews.list(request)
            try await store.note(try await records(of: page, requestID).map { .audit($0) }, now: check.now())
            return .answer(page)
        }
        serve(AdminOperations.keys, &routes) { _, store, requestID in
            .answer(try await deployment.through(store).keys(requestID: requestID))
        }
        serve(AdminOperations.spend, &routes) { request, store, requestID in
            .answer(try await deployment.through(store).spend(request, requestID: requestID))
        }
        serve(AdminOperations.trace, &routes) { request, store, requestID in
            .answer(try await deployment.through(store).trace(request, requestID: requestID))
        }
        serve(AdminOperations.today, &routes) { _, store, requestID in
            .answer(try await state.through(store).today(requestID: requestID))
        }
        serve(AdminOperations.series, &routes) { request, store, requestID in
            .answer(try await state.through(store).series(request, requestID: requestID))
        }
        serve(AdminOperations.policy, &routes) { _, store, requestID in
            try await state.through(store).notePolicy(requestID: requestID)
            return .answer(Done())
        }
        addChanges(to: &routes)
        addReviewAccess(to: &routes)
    }

    private func addChanges(to routes: inout ServiceRoutes) {
        serveChange(AdminOperations.change, &routes) { request, store, requestID in
            // Only the operator gives a user another phone number or email address without their proof, or an attribute.
            let request = ChangeUserRequest(
                userID: request.userID, role: request.role, isActive: request.isActive, name: request.name,
                appPatch: request.appPatch, ownPatch: request.ownPatch)
            let outcome = try await support.change.through(store)(request, requestID: requestID)
            guard case .answer = outcome else { return outcome.map { _ in nil } }
            guard let id = userID(request.userID) else { return .refused(.noSuchUser) }
            return .answer(try await summary(of: id))
        }
        serveChange(AdminOperations.create, &routes) { request, store, requestID in
            var create = create
            create.act.store = store
            switch try await create(request, requestID: requestID) {
            case .answer(let id): return .answer(try await summary(of: id))
            case .refused(let refusal, let title): return .refused(refusal, title: title)
            }
        }
        serveChange(AdminOperations.delete, &routes) { request, store, requestID in
            // Only the operator removes users at once.
            let request = DeleteUserRequest(userID: request.userID)
            return try await support.delete.through(store)(request, requestID: requestID).map { $0 }
        }
        serveChange(AdminOperations.restore, &routes) { request, store, requestID in
            try await support.restore.through(store)(request, requestID: requestID).map { $0 }
        }
        serveChange(AdminOperations.replacePhone, &routes) { request, store, requestID in
            try await support.phoneChanges.through(store)(request, requestID: requestID).asAdministrators(request)
        }
        serveChange(AdminOperations.unlock, &routes) { request, store, requestID in
            .answer(try await deployment.through(store).unlock(request, requestID: requestID))
        }
        serveChange(AdminOperations.clearReview, &routes) { request, store, requestID in
            try await support.reviews.through(store).clear(request, requestID: requestID).map { $0 }
        }
        serveChange(AdminOperations.invite, &routes) { request, store, requestID in
            var invite = invite
            invite.act.store = store
            return try await invite(request, requestID: requestID).map { $0 }
        }
        serveChange(AdminOperations.act, &routes, role: act.role) { request, store, requestID in
            switch try await act(request.key, through: store, requestID: requestID) {
            case .answer(let token): .answer(token)
            case .refused(let refusal, let title): .refused(refusal, title: title)
            }
        }
        serveChange(AdminOperations.endSessions, &routes) { request, store, requestID in
            switch try await endSessions.through(store)(request, requestID: requestID) {
            case .answer(let answer): .answer(answer)
            case .refused(let refusal, let title): .refused(refusal, title: title)
            }
        }
    }

    /// The records of a page of reviews, which are one for each account on it.
    private func records(of page: AccountReviewPage, _ requestID: String?) async throws -> [AuditEntry] {
        let origin = RequestOrigin.byOperator(requestID)
        let ids = page.reviews.compactMap { UserID(text: $0.userID, prefix: search.userIDPrefix) }
        let records = try await search.queries.users(ids).map { AuditEntry.lookUp("reviews", of: $0, origin) }
        return records.isEmpty ? [.lookUp("reviews: 0", origin)] : records
    }

    private func userID(_ text: String) -> UserID? { UserID(text: text, prefix: search.userIDPrefix) }

    /// Returns the user after a change, which is in the audit already.
    private func summary(of id: UserID) async throws -> UserSummary? {
        guard let seen = try await search.queries.find(.id(id)) else { return nil }
        var summary = UserSummary(
            seen, idPrefix: search.userIDPrefix, attributes: search.attributes,
            pending: try await search.queries.pendingChanges(of: id))
        summary.metadata = seen.user.metadata.orNil
        return summary
    }

    /// Adds an operation that changes something, for an administrator who showed a short time ago who they are.
    ///
    /// - Parameters:
    ///   - role: the role that it needs; `nil` if the policy allows it to no user.
    ///   - act: returns a `nil` answer if the user was removed meanwhile.
    func serveChange<Body, Answer>(
        _ operation: InternalOperation<AdminRequest<Body>, Answer, AdminChangeRefusal>, _ routes: inout ServiceRoutes,
        role: String? = CreateAdmin.role,
        _ act:
            @escaping @Sendable (Body, AdministratorStore, _ requestID: String?) async throws ->
            OperationOutcome<Answer?, AdminChangeRefusal>
    ) {
        serve(operation, &routes, role: role, isChange: true) { body, store, requestID in
            switch try await act(body, store, requestID) {
            case .answer(let answer?): .answer(answer)
            case .answer(nil): .refused(.noSuchUser)
            case .refused(let refusal, let title): .refused(refusal, title: title)
            }
        }
    }

    func serve<Body, Answer, Refusal: BearersRefusal>(
        _ operation: InternalOperation<AdminRequest<Body>, Answer, Refusal>, _ routes: inout ServiceRoutes,
        role: String? = CreateAdmin.role, isChange: Bool = false,
        _ act:
            @escaping @Sendable (Body, AdministratorStore, _ requestID: String?) async throws ->
            OperationOutcome<Answer, Refusal>
    ) {
        routes.serve(operation) { request, call in
            guard let caller = try await bearers.adminCaller(of: call) else { return .refused(.invalidToken) }
            do {
                guard let role else { throw AdministratorRefusal(.forbidden) }
                var origin = try await check.origin(
                    of: caller, operation.purpose, role: role, requestID: call.requestID)
                // A client has no second factor.
                if case .user = caller {
                    try await recent.requireFactors(
                        of: role, secondFactor, call.accessToken, requestID: call.requestID)
                }
                if isChange { try await requireRecentProof(of: caller, call) }
                origin.reason = try Self.reason(request.reason)
                let store = AdministratorStore(
                    store: check.store, caller: caller, role: role, versions: request.versions)
                return try await RequestOrigin.$ofAdministrator.withValue(origin) {
                    try await act(request.body, store, call.requestID)
                }
            } catch let refused as AdministratorRefusal {
                guard let refusal = Refusal(rawValue: refused.code.rawValue) else { throw refused }
                return .refused(refusal)
            }
        }
    }

    /// Requires that the caller showed a short time ago who it is: a client did so when it got its token.
    private func requireRecentProof(of caller: AdminCaller, _ call: ServiceCall) async throws {
        if case .key = caller { return }
        if case .client(let client) = caller {
            guard check.now() - client.authenticatedAt <= withinSeconds else {
                throw AdministratorRefusal(.reauthenticationRequired)
            }
            return
        }
        switch try await recent(call.accessToken, within: withinSeconds, requestID: call.requestID) {
        case .recent: break
        case .old: throw AdministratorRefusal(.reauthenticationRequired)
        case .noSession: throw AdministratorRefusal(.invalidToken)
        }
    }

}

extension InternalOperation {
    /// The operation's name in the record of a refusal.
    fileprivate var purpose: String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension PhoneChanges.Outcome {
    /// The outcome as an administrator's. A request to end a change succeeds also if the user has none, as the second of two does.
    fileprivate func asAdministrators(_ request: ReplacePhoneRequest) -> OperationOutcome<Done?, AdminChangeRefusal> {
        guard request.phone == nil, case .refused(_, PhoneChanges.noneTitle) = self else { return map { $0 } }
        return .answer(Done())
    }
}

extension OperationOutcome {
    /// The outcome of an operator's use case as an administrator's.
    fileprivate func map<Other>(_ transform: (Answer) -> Other?) -> OperationOutcome<Other?, AdminChangeRefusal> {
        switch self {
        case .answer(let answer): .answer(transform(answer))
        case .refused(let refusal, let title):
            .refused(
                refusal.code == .notFound
                    ? .noSuchUser : AdminChangeRefusal(rawValue: refusal.rawValue) ?? .invalidRequest,
                title: title)
        }
    }
}
