import AccessTokens
import InternalAPI
import ServiceHTTP

/// token-service's operations on sessions and users, and its keys. Each row only translates.
struct TokenRoutes: Sendable {
    let issue: IssueSession
    let rotate: RotateRefreshToken
    let repeatPrevious: RepeatPrevious
    let end: EndSession
    let revokeUser: RevokeUser
    let changeRights: ChangeRights
    let removeUser: RemoveUser
    let keys: SigningKeys

    /// Adds all routes.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(TokenOperations.issue) { request, _ in try await issue(request) }
        routes.serve(TokenOperations.refresh) { request, _ in
            do { return .answer(try await rotate(request)) } catch is UsedIdempotencyKey {
                return .refused(.idempotencyKeyUsed)
            }
        }
        routes.serve(TokenOperations.repeatPrevious) { request, _ in .answer(try await repeatPrevious(request)) }
        routes.serve(TokenOperations.logout) { request, _ in try await end(request) }
        routes.serve(TokenOperations.revokeUser) { request, _ in
            try await revokeUser(request)
            return .answer(Done())
        }
        routes.serve(TokenOperations.changeRights) { request, _ in
            try await changeRights(request)
            return .answer(Done())
        }
        routes.serve(TokenOperations.removeUser) { request, _ in
            try await removeUser(request)
            return .answer(Done())
        }
        routes.serve(TokenOperations.keySet) { _, _ in
            // A replica's new key must be in every response from now on.
            try await keys.reloadIfChanged()
            return .answer(keys.current.published)
        }
    }
}
