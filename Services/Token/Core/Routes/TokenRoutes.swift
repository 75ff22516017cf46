internal import AccessTokens
internal import Hummingbird
internal import InternalAPI
internal import RedisClient
internal import SQLiteStore
internal import ServiceKit

/// token-service's operations over HTTP: each only translates.
struct TokenRoutes: Sendable {
    let issue: IssueSession
    let rotate: RotateRefreshToken
    let end: EndSession
    let revokeUser: RevokeUser
    let changeRights: ChangeRights
    let removeUser: RemoveUser
    let keys: SigningKeys

    /// The whole table.
    func add(to routes: ServiceRoutes) {
        routes.on(.post, TokenContract.issuePath, from: [.gateway]) { try await issueSession($0, $1) }
        routes.on(.post, TokenContract.refreshPath, from: [.gateway]) { try await refresh($0, $1) }
        routes.on(.post, TokenContract.logoutPath, from: [.gateway]) { try await logout($0, $1) }
        routes.on(.post, TokenContract.revokeUserPath, from: [.user]) { try await revoke($0, $1) }
        routes.on(.post, TokenContract.changeRightsPath, from: [.user]) { try await changeRights($0, $1) }
        routes.on(.post, TokenContract.removeUserPath, from: [.user]) { try await remove($0, $1) }
        routes.on(.get, TokenContract.jwksPath, from: [.gateway, .user]) { _, _ in try await keySet() }
    }

    private func issueSession(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(IssueRequest.self, from: context)
        return try await Self.translating {
            switch try await issue(body) {
            case .issued(let tokens): return try jsonResponse(tokens)
            case .grantRefused:
                throw ServiceProblem(.unauthorized, code: InternalCode.grantRefused, "The grant opens no session")
            case .epochStale:
                throw ServiceProblem(.conflict, code: InternalCode.epochStale, "The grant is older than a revocation")
            }
        }
    }

    private func refresh(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(RefreshRequest.self, from: context)
        return try await Self.translating { try jsonResponse(try await rotate(body)) }
    }

    private func logout(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(LogoutRequest.self, from: context)
        return try await Self.translating {
            switch try await end(body) {
            case .done: return try jsonResponse(Done())
            case .invalidToken:
                throw ServiceProblem(
                    .unauthorized, code: InternalCode.invalidToken, "The token ends no other session")
            }
        }
    }

    private func revoke(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(RevokeUserRequest.self, from: context)
        return try await Self.translating {
            try await revokeUser(body)
            return try jsonResponse(Done())
        }
    }

    private func changeRights(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(ChangeRightsRequest.self, from: context)
        return try await Self.translating {
            try await changeRights(body)
            return try jsonResponse(Done())
        }
    }

    private func remove(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(RemoveUserRequest.self, from: context)
        return try await Self.translating {
            try await removeUser(body)
            return try jsonResponse(Done())
        }
    }

    private func keySet() async throws -> Response {
        try await Self.translating {
            // A replica's new key must be in every answer from now on.
            try await keys.reloadIfChanged()
            return try jsonResponse(keys.current.published)
        }
    }

    /// Runs `body`; what failed below becomes 503, for the credential is not to blame.
    static func translating(_ body: () async throws -> Response) async throws -> Response {
        do { return try await body() } catch let error as InvalidRequest {
            throw ServiceProblem(.badRequest, code: error.code, error.message)
        } catch is SQLiteError {
            throw ServiceProblem.unavailable("The session store")
        } catch is RedisError, is RedisRevocationFeed.Unexpected {
            throw ServiceProblem.unavailable("Redis")
        }
    }
}
