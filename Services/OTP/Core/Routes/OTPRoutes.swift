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
    /// Nil where no provider tells what became of mails.
    let noteMailFate: NoteMailFate?
    /// Nil where no mail goes out.
    let sendNotice: SendNotice?
    /// Nil where the policy has no mail.
    let tendMail: TendMail?
    let forgetNetworks: ForgetNetworks

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        on(OTPOperations.request, &routes) { try await codes(of: $0.dialect).request($0) }
        on(OTPOperations.verify, &routes) { try await codes(of: $0.dialect).verify($0) }
        on(OTPOperations.requestMail, &routes) { try await mail?.request($0) ?? OTPRequestAnswer(.off) }
        on(OTPOperations.verifyMail, &routes) { try await mail?.verify($0) ?? OTPVerifyAnswer(.off) }
        on(OTPOperations.resendWebhook, &routes) { try await noteMailFate?($0) ?? MailWebhookAnswer(.off) }
        on(OTPOperations.sendNotice, &routes) { notice in
            // Without mail nobody waits for one.
            switch try await sendNotice?(notice) ?? .done {
            case .done: .answer(Done())
            case .failed: .refused(.providerError, title: "The mail provider did not take it")
            }
        }
        on(OTPOperations.sendTest, &routes) { try await tendMail?.sendTest($0) ?? TestMailAnswer() }
        on(OTPOperations.clearAddress, &routes) {
            try await tendMail?.clear($0) ?? ClearedAddress(wasBarred: false)
        }
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

    /// Adds an operation that refuses nothing but what it cannot read.
    private func on<Body, Answer>(
        _ operation: InternalOperation<Body, Answer, InvalidRequestOnly>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (Body) async throws -> Answer
    ) {
        on(operation, &routes) { (body: Body) -> OperationOutcome<Answer, InvalidRequestOnly> in
            .answer(try await act(body))
        }
    }

    /// Adds an operation, and turns its use case's errors into refusals and 503.
    private func on<Body, Answer, Refusal: RequestBodyRefusal>(
        _ operation: InternalOperation<Body, Answer, Refusal>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (Body) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        routes.on(operation) { body, call in
            do { return try await act(body) } catch let invalid as InvalidCall {
                return .refused(.invalidRequest, title: "The member \(invalid.member) is not what was agreed")
            } catch let failure as ChallengeStoreFailure {
                call.logger.warning("otp.store.failed", metadata: ["cause": "\(failure)"])
                throw ServiceProblem.unavailable("The code store", retryAfterSeconds: failure.retryAfterSeconds)
            }
        }
    }
}
