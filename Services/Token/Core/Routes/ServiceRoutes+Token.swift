import InternalAPI
import RedisClient
import ServiceHTTP
import Storage

extension ServiceRoutes {
    /// Adds an operation. An error below it becomes a 503, because the credential is not to blame.
    mutating func serve<Body, Answer, Refusal>(
        _ operation: InternalOperation<Body, Answer, Refusal>,
        _ act: @escaping @Sendable (Body, ServiceCall) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        on(operation) { body, call in
            do { return try await act(body, call) } catch let error as InvalidInput {
                guard let refusal = operation.invalidRequest else { throw error }
                throw ServiceProblem(refusal, error.message, member: error.member)
            } catch is StorageError {
                throw ServiceProblem.unavailable("The session store")
            } catch is RedisError, is RedisRevocationFeed.Unexpected {
                throw ServiceProblem.unavailable("Redis, which tells the gateways,")
            }
        }
    }
}
