import InternalAPI
import Logging
import ServiceHTTP

extension ServiceRoutes {
    /// Adds an operation whose only refusal is invalid input.
    mutating func answer<Body, Answer>(
        _ operation: InternalOperation<Body, Answer, InvalidRequestOnly>,
        _ act: @escaping @Sendable (Body) async throws -> Answer
    ) {
        serve(operation) { (body: Body) -> OperationOutcome<Answer, InvalidRequestOnly> in
            .answer(try await act(body))
        }
    }

    /// Adds an operation, and turns its use case's errors into refusals and 503.
    mutating func serve<Body, Answer, Refusal>(
        _ operation: InternalOperation<Body, Answer, Refusal>,
        _ act: @escaping @Sendable (Body) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        on(operation) { body, call in
            do {
                return try await TracedRequest.$id.withValue(call.requestID) { try await act(body) }
            } catch let invalid as InvalidInput {
                guard let refusal = operation.invalidRequest else { throw invalid }
                throw ServiceProblem(refusal, invalid.message, member: invalid.member)
            } catch let undecided as ProviderUndecided {
                throw ServiceProblem.unavailable(
                    "The provider of codes", retryAfterSeconds: undecided.retryAfterSeconds)
            } catch let failure as ChallengeStoreFailure {
                call.logger.warning("otp.store.failed", metadata: ["cause": "\(failure)"])
                throw ServiceProblem.unavailable("The code store", retryAfterSeconds: failure.retryAfterSeconds)
            }
        }
    }
}
