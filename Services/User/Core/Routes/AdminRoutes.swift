import InternalAPI
import ServiceHTTP

/// user-service's operations for administrators: the operator's use cases, called by a user whose own row says that they may.
///
/// The audit has the administrator's pseudonym and session, the user and the reason of each request.
struct AdminRoutes: Sendable {
    let bearers: BearerAuthentication
    let check: AdministratorCheck
    let search: SearchUsers
    let lookUp: LookUpUsers

    private static let reasonBytesMax = 200

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        serve(AdminOperations.search, &routes) { request, store, requestID in
            var search = search
            search.store = store
            return .answer(try await search(request, requestID: requestID))
        }
        serve(AdminOperations.read, &routes) { request, store, requestID in
            // A phone number or an email address is searched for, so that a path identifies one user for ever.
            guard UserID(text: request.key, prefix: lookUp.userIDPrefix) != nil else { return .refused(.noSuchUser) }
            var lookUp = lookUp
            lookUp.store = store
            switch try await lookUp(FindUserRequest(key: request.key), requestID: requestID) {
            case .answer(let user): return .answer(user)
            case .refused: return .refused(.noSuchUser)
            }
        }
    }

    private func serve<Body, Answer, Refusal: BearersRefusal>(
        _ operation: InternalOperation<AdminRequest<Body>, Answer, Refusal>, _ routes: inout ServiceRoutes,
        _ act:
            @escaping @Sendable (Body, AdministratorStore, _ requestID: String?) async throws ->
            OperationOutcome<Answer, Refusal>
    ) {
        routes.serve(operation, for: bearers) { caller, request, call in
            do {
                let admin = try await check(caller, operation.purpose, requestID: call.requestID)
                let origin = RequestOrigin.by(
                    admin, caller, reason: try Self.reason(request.reason), requestID: call.requestID)
                let store = AdministratorStore(store: check.store, caller: caller, versions: request.versions)
                return try await RequestOrigin.$ofAdministrator.withValue(origin) {
                    try await act(request.body, store, call.requestID)
                }
            } catch let refused as AdministratorRefusal {
                guard let refusal = Refusal(rawValue: refused.code.rawValue) else { throw refused }
                return .refused(refusal)
            }
        }
    }

    /// Reads a reason, which is one line of printable ASCII.
    private static func reason(_ typed: String?) throws(InvalidInput) -> String? {
        guard let typed else { return nil }
        guard (1...reasonBytesMax).contains(typed.utf8.count), typed.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw InvalidInput(member: "reason") }
        return typed
    }
}

extension InternalOperation {
    /// The operation's name in the record of a refusal.
    fileprivate var purpose: String { path.split(separator: "/").last.map(String.init) ?? path }
}
