package import HTTPTypes
package import Hummingbird
internal import InternalAPI

/// The table of a service's internal routes; a row cannot be written without saying who may call it.
package struct ServiceRoutes {
    package typealias Handler = @Sendable (Request, ServiceRequestContext) async throws -> Response

    private let router: Router<ServiceRequestContext>

    init(_ router: Router<ServiceRequestContext>) { self.router = router }

    /// Adds a route.
    package func on(
        _ method: HTTPRequest.Method, _ path: String, from callers: Set<Caller>, handler: @escaping Handler
    ) {
        router.on(RouterPath(path), method: method) { request, context in
            guard let caller = context.caller, callers.contains(caller) else {
                throw ServiceProblem(
                    .unauthorized, code: InternalCode.assertionRefused, "The caller may not use this route")
            }
            return try await handler(request, context)
        }
    }
}
