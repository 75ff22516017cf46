import InternalAPI
import ServiceHTTP

/// The operations on signing keys for the operator; user-service lists the keys for an administrator. Each row only translates.
struct KeyRoutes: Sendable {
    let rotation: KeyRotation
    let noteLookUp: NoteLookUp

    /// Adds all routes.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(KeyOperations.list) { _, call in
            // user-service has the record that names the administrator.
            try await noteLookUp(call.caller == .user ? "keys for an administrator" : "keys")
            return .answer(try await rotation.list())
        }
        on(KeyOperations.rotate, &routes, rotation.rotate)
        on(KeyOperations.retire, &routes, rotation.retire)
        on(KeyOperations.importKey, &routes, rotation.importKey)
    }

    private func on<Body>(
        _ operation: InternalOperation<Body, Done, KeyOperationRefusal>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (Body) async throws -> Void
    ) {
        routes.serve(operation) { body, _ in
            do { try await act(body) } catch let error as KeyRefusal {
                let isUnknown = if case .unknown = error { true } else { false }
                return .refused(isUnknown ? .notFound : .keyRefused, title: error.description)
            }
            return .answer(Done())
        }
    }
}
