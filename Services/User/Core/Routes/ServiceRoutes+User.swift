import InternalAPI
import Logging
import Passwords
import ServiceHTTP
import Storage

extension ServiceRoutes {
    /// Adds an operation. Invalid input is refused; a fault of a dependency is answered with 503, and its cause is logged.
    mutating func serve<Body, Answer, Refusal>(
        _ operation: InternalOperation<Body, Answer, Refusal>,
        _ act: @escaping @Sendable (Body, ServiceCall) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        on(operation) { body, call in
            do { return try await act(body, call) } catch let invalid as InvalidInput {
                guard let refusal = operation.invalidRequest else { throw invalid }
                throw ServiceProblem(refusal, invalid.message, member: invalid.member)
            } catch let error as StorageError {
                call.logger.error("store.failed", metadata: ["cause": "\(error)"])
                throw ServiceProblem.unavailable("The user store")
            } catch let error as ServiceUnavailable {
                call.logger.warning("service.unavailable", metadata: ["cause": "\(error)"])
                throw ServiceProblem(error)
            } catch is Unconfirmed {
                throw ServiceProblem.unavailable("The token service")
            } catch let error as GuessLimitsFailure {
                call.logger.warning("guess_limits.failed", metadata: ["cause": "\(error)"])
                throw ServiceProblem.unavailable(
                    "The count of guesses", retryAfterSeconds: error.retryAfterSeconds)
            } catch let error as WebSignInNotes.Failure {
                call.logger.warning("web_sign_in.notes_failed", metadata: ["cause": "\(error)"])
                throw ServiceProblem.unavailable("The notes of sign-ins in a browser")
            } catch let error as UsedAssertions.Failure {
                call.logger.warning("client_assertions.not_noted", metadata: ["cause": "\(error)"])
                throw ServiceProblem.unavailable("The notes of used assertions")
            } catch let error as ProviderKeys.Unavailable {
                call.logger.warning("identity_tokens.no_keys", metadata: ["provider": "\(error.provider)"])
                throw ServiceProblem.unavailable(
                    "The key set of \(error.provider)", retryAfterSeconds: ProviderKeys.Unavailable.retryAfterSeconds)
            } catch is PasswordHasher.Busy {
                call.logger.notice("passwords.busy")
                throw ServiceProblem.unavailable("The hashing of passwords")
            }
        }
    }
}

extension ServiceProblem {
    /// Creates the response if another service is unavailable.
    init(_ error: ServiceUnavailable) { self = .unavailable("The \(error.service) service") }
}
