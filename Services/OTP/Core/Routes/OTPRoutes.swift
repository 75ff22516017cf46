import InternalAPI
import Logging
import Policies
import ServiceHTTP

/// otp-service's operations: each row only translates.
struct OTPRoutes: Sendable {
    /// By dialect.
    let codes: [String: DialectCodes]
    /// Nil where nobody signs in by mail.
    let mail: MailCodes?
    let forgetNetworks: ForgetNetworks

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        on(OTPOperations.request, &routes) { try await codes(of: $0.dialect).request($0) }
        on(OTPOperations.verify, &routes) { try await codes(of: $0.dialect).verify($0) }
        on(OTPOperations.requestMail, &routes) { try await mail?.request($0) ?? OTPRequestAnswer(.off) }
        on(OTPOperations.verifyMail, &routes) { try await mail?.verify($0) ?? OTPVerifyAnswer(.off) }
        on(OTPOperations.forgetNetworks, &routes) {
            try await forgetNetworks($0)
            return Done()
        }
    }

    /// - Throws: `InvalidCall` for a dialect that is not on.
    func codes(of dialect: String?) throws(InvalidCall) -> DialectCodes {
        guard let codes = codes[dialect ?? Dialect.native] else { throw InvalidCall(member: "dialect") }
        return codes
    }

    /// Adds an operation, and turns its use case's errors into refusals and 503.
    private func on<Body, Answer>(
        _ operation: InternalOperation<Body, Answer, InvalidRequestOnly>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (Body) async throws -> Answer
    ) {
        routes.on(operation) { body, call in
            do { return .answer(try await act(body)) } catch let invalid as InvalidCall {
                return .refused(.invalidRequest, title: "The member \(invalid.member) is not what was agreed")
            } catch let failure as ChallengeStoreFailure {
                call.logger.warning("otp.store.failed", metadata: ["cause": "\(failure)"])
                throw ServiceProblem.unavailable("The code store", retryAfterSeconds: failure.retryAfterSeconds)
            }
        }
    }
}
