internal import Hummingbird
internal import InternalAPI
internal import RedisClient
internal import SQLiteStore
internal import ServiceKit

/// Operations on signing keys over HTTP, for the operator's command line alone: each only translates.
struct KeyRoutes: Sendable {
    let rotation: KeyRotation

    /// The whole table.
    func add(to routes: ServiceRoutes) {
        routes.on(.get, KeyContract.listPath, from: [.control]) { _, _ in
            try await translating { try jsonResponse(try await rotation.list()) }
        }
        on(KeyContract.rotatePath, routes, rotation.rotate)
        on(KeyContract.retirePath, routes, rotation.retire)
        on(KeyContract.importPath, routes, rotation.importKey)
    }

    private func on<Body: Decodable & Sendable>(
        _ path: String, _ routes: ServiceRoutes, _ act: @escaping @Sendable (Body) async throws -> Void
    ) {
        routes.on(.post, path, from: [.control]) { request, context in
            let body = try decodeBody(Body.self, from: context)
            return try await translating {
                try await act(body)
                return try jsonResponse(Done())
            }
        }
    }

    private func translating(_ body: () async throws -> Response) async throws -> Response {
        do { return try await body() } catch let error as InvalidRequest {
            throw ServiceProblem(.badRequest, code: InternalCode.invalidRequest, error.message)
        } catch let error as KeyRefusal {
            let isUnknown = if case .unknown = error { true } else { false }
            throw ServiceProblem(
                isUnknown ? .notFound : .conflict, code: isUnknown ? InternalCode.notFound : InternalCode.keyRefused,
                error.description)
        } catch is SQLiteError {
            throw ServiceProblem.unavailable("tokens.sqlite")
        } catch is RedisError, is RedisRevocationFeed.Unexpected {
            throw ServiceProblem.unavailable("Redis, which tells the gateways,")
        }
    }
}
