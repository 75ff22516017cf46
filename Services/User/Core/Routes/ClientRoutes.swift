import InternalAPI
import ServiceHTTP

/// user-service's operations on clients. Each row only translates.
struct ClientRoutes: Sendable {
    let grant: GrantToClient
    let manage: ManageClients

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(ClientOperations.grant) { request, call in
            .answer(try await grant(request, requestID: call.requestID, logger: call.logger))
        }
        routes.serve(ClientOperations.create) { try await manage.create($0, requestID: $1.requestID) }
        routes.serve(ClientOperations.list) { _, _ in .answer(try await manage.list()) }
        routes.serve(ClientOperations.rotate) { try await manage.rotate($0, requestID: $1.requestID) }
        routes.serve(ClientOperations.setKey) { try await manage.setKey($0, requestID: $1.requestID) }
        routes.serve(ClientOperations.end) { try await manage.end($0, requestID: $1.requestID) }
    }
}
