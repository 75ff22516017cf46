import InternalAPI
import Logging
import ServiceHTTP

/// user-service's operations on identities at providers. Each row only translates.
struct IdentityRoutes: Sendable {
    let prove: ProveIdentityToken
    let noteApple: NoteAppleEvent

    func add(to routes: inout ServiceRoutes) {
        routes.serve(IdentityOperations.prove) { [prove] request, call in
            try await Self.withKeys(call) { .answer(try await prove(request, requestID: call.requestID)) }
        }
        routes.serve(IdentityOperations.noteApple) { [noteApple] request, call in
            try await Self.withKeys(call) { .answer(try await noteApple(request, requestID: call.requestID)) }
        }
    }

    /// Answers 503 while a provider's keys are unknown.
    private static func withKeys<Answer>(_ call: ServiceCall, _ act: () async throws -> Answer) async throws -> Answer {
        do { return try await act() } catch let error as ProviderKeys.Unavailable {
            call.logger.warning("identity_tokens.no_keys", metadata: ["provider": "\(error.provider)"])
            throw ServiceProblem.unavailable(
                "The key set of \(error.provider)", retryAfterSeconds: ProviderKeys.Unavailable.retryAfterSeconds)
        }
    }
}
