internal import AuthAPI
internal import Hummingbird
internal import InternalAPI
internal import ServiceKit

/// Sessions as their owner and the operator see and end them.
struct SessionRoutes: Sendable {
    let list: ListSessions
    let endOwn: EndOwnSession
    let endOthers: EndOtherSessions
    let endAsOperator: EndSessionsAsOperator

    func add(to routes: ServiceRoutes) {
        routes.on(.get, TokenContract.ownSessionsPath, from: [.gateway]) { request, _ in
            try await answer { try await list(accessToken: request.accessToken) }
        }
        routes.on(.post, TokenContract.endOwnSessionPath, from: [.gateway]) { request, context in
            let body = try decodeBody(EndOwnSessionRequest.self, from: context)
            return try await answer { try await endOwn(body.sessionID, accessToken: request.accessToken) }
        }
        routes.on(.post, TokenContract.endOtherSessionsPath, from: [.gateway]) { request, _ in
            try await answer { try await endOthers(accessToken: request.accessToken) }
        }
        routes.on(.post, TokenContract.userSessionsPath, from: [.control]) { request, context in
            let body = try decodeBody(UserSessionsRequest.self, from: context)
            return try await TokenRoutes.translating { try jsonResponse(try await list(userID: body.userID)) }
        }
        routes.on(.post, TokenContract.sessionCountsPath, from: [.user]) { request, context in
            let body = try decodeBody(SessionCountsRequest.self, from: context)
            return try await TokenRoutes.translating { try jsonResponse(try await list.counts(body)) }
        }
        routes.on(.post, TokenContract.endSessionsPath, from: [.control]) { request, context in
            let body = try decodeBody(EndSessionsRequest.self, from: context)
            return try await TokenRoutes.translating { try jsonResponse(try await endAsOperator(body)) }
        }
    }

    private func answer<Value: Encodable>(_ body: () async throws -> BearerOutcome<Value>) async throws -> Response {
        try await TokenRoutes.translating {
            switch try await body() {
            case .done(let value): return try jsonResponse(value)
            case .notFound:
                throw ServiceProblem(.notFound, code: InternalCode.notFound, "The user has no such session")
            case .invalidToken:
                throw ServiceProblem(.unauthorized, code: InternalCode.invalidToken, "The access token is not valid")
            case .inactive:
                throw ServiceProblem(.forbidden, code: InternalCode.accountInactive, "The account is not active")
            }
        }
    }
}

extension Request {
    /// What stands behind `Bearer ` in the one Authorization header; empty, and so no token, when there is none.
    fileprivate var accessToken: String {
        let values = headers[values: .authorization]
        guard values.count == 1, values[0].hasPrefix("Bearer ") else { return "" }
        return String(values[0].dropFirst(7))
    }
}
