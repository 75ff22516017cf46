import InternalAPI
import Logging
import ServiceHTTP

/// user-service's operations on identities at providers. Each row only translates.
struct IdentityRoutes: Sendable {
    let prove: ProveIdentityToken

    func add(to routes: inout ServiceRoutes) {
        routes.serve(IdentityOperations.prove) { [prove] request, call in
            do {
                return .answer(try await prove(request, requestID: call.requestID))
            } catch let error as ProviderKeys.Unavailable {
                call.logger.warning("identity_tokens.no_keys", metadata: ["provider": "\(error.provider)"])
                throw ServiceProblem.unavailable(
                    "The key set of \(error.provider)", retryAfterSeconds: ProviderKeys.Unavailable.retryAfterSeconds)
            }
        }
    }
}
