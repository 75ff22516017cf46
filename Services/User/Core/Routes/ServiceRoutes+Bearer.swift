import InternalAPI
import ServiceHTTP

extension ServiceRoutes {
    /// Adds an operation for signed-in users. A request without a valid access token is refused.
    mutating func serve<Body, Answer, Refusal: BearersRefusal>(
        _ operation: InternalOperation<Body, Answer, Refusal>, for bearers: BearerAuthentication,
        _ act: @escaping @Sendable (SignedInUser, Body, ServiceCall) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        serve(operation) { body, call in
            guard let caller = try await bearers.caller(of: call) else { return .refused(.invalidToken) }
            return try await act(caller, body, call)
        }
    }
}
