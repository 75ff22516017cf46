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
    /// Nil where nobody signs in by phone.
    let clearNumber: ClearNumber?
    /// Nil where Twilio is not asked to tell what became of messages.
    let noteMessageFate: NoteMessageFate?
    let tendReviews: TendReviews
    /// Nil where nobody signs in by phone.
    let sendTestMessage: SendTestMessage?
    /// Nil where nothing is kept.
    let readTrace: ReadTrace?
    /// Nil where nothing is guarded.
    let reportSpending: ReportSpending?

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        on(OTPOperations.request, &routes) { try await codes(of: $0.dialect).request($0) }
        on(OTPOperations.verify, &routes) { try await codes(of: $0.dialect).verify($0) }
        on(OTPOperations.requestMail, &routes) { try await mail?.request($0) ?? OTPRequestAnswer(.off) }
        on(OTPOperations.verifyMail, &routes) { try await mail?.verify($0) ?? OTPVerifyAnswer(.off) }
        on(OTPOperations.resendWebhook, &routes) { try await noteMailFate?($0) ?? MailWebhookAnswer(.off) }
        on(OTPOperations.twilioCallback, &routes) { await noteMessageFate?($0) ?? TwilioCallbackAnswer(.off) }
        on(OTPOperations.sendNotice, &routes) { notice in
            // Without mail nobody waits for one.
            switch try await sendNotice?(notice) ?? .done {
            case .done: .answer(Done())
            case .failed: .refused(.providerError, title: "The mail provider did not take it")
            }
        }
        on(OTPOperations.sendTest, &routes) { request in
            guard request.to.contains("@") else { return try await sendTestMessage?(request) ?? TestMailAnswer() }
            return try await tendMail?.sendTest(request) ?? TestMailAnswer()
        }
        on(OTPOperations.clearAddress, &routes) {
            // Every address has one, and no number.
            guard $0.to.contains("@") else {
                return try await clearNumber?($0) ?? ClearedAddress(wasBarred: false)
            }
            return try await tendMail?.clear($0) ?? ClearedAddress(wasBarred: false)
        }
        on(OTPOperations.mailStanding, &routes) { try await tendMail?.standing($0) ?? MailStanding() }
        on(OTPOperations.forgetNetworks, &routes) {
            try await forgetNetworks($0)
            return Done()
        }
        addReviews(to: &routes)
    }

    private func addReviews(to routes: inout ServiceRoutes) {
        on(OTPOperations.openReview, &routes) { request in
            switch try await tendReviews.open(request) {
            case .opened(let access): .answer(access)
            case .refused(let refusal): .refused(refusal, title: Self.title(refusal))
            }
        }
        on(OTPOperations.endReview, &routes) { try await tendReviews.end($0) }
        on(OTPOperations.guardReport, &routes) { try await reportSpending?($0) ?? GuardReport() }
        on(OTPOperations.trace, &routes) { try await readTrace?($0) ?? TraceAnswer(entries: []) }
        on(OTPOperations.openReviews, &routes) { _ in .answer(try await tendReviews.list()) }
    }

    private static func title(_ refusal: ReviewRefusal) -> String {
        switch refusal {
        case .invalidRequest: "This is no number with its calling code"
        case .noCodes: "The policy sends no codes to phones (otp: none)"
        case .invalidEnd: "The end lies in the past, or more than \(TendReviews.secondsMax / 86_400) days away"
        case .blockedCountry: "The policy's countries do not hold this number"
        case .tooMany: "\(ReviewChange.openMax) are open; one of them has to end first"
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
    private func on<Body, Answer, Refusal>(
        _ operation: InternalOperation<Body, Answer, Refusal>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (Body) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        routes.on(operation) { body, call in
            do {
                return try await TracedRequest.$id.withValue(call.requestID) { try await act(body) }
            } catch let invalid as InvalidCall {
                guard let refusal = operation.invalidRequest else { throw invalid }
                throw ServiceProblem(
                    refusal, "The member \(invalid.member) is not what was agreed", member: invalid.member)
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
