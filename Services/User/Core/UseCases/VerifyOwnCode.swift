import InternalAPI

/// A code for a phone number or an email address that a signed-in user adds.
protocol OwnCode: Codable, Sendable {
    var recipient: String { get }
    var typed: String { get }
    var purpose: Purpose { get }
    var userID: String? { get }
    var callID: String { get }
}

extension OTPVerify: OwnCode {
    var recipient: String { phone }
    var typed: String { code }
}

extension MailVerify: OwnCode {
    var recipient: String { email ?? "" }
    var typed: String { code ?? "" }
}

/// Has otp-service verify a code for a phone number or an email address that a signed-in user adds.
///
/// A wrong code counts for the user before it is judged, as other proofs of theirs do, and in the limits of the number or address. A
/// right one does not show that the bearer is the user, so that earlier wrong proofs are not forgotten.
struct VerifyOwnCode: Sendable {
    let own: ChangeOwnIdentities
    let lock: ProofLock
    let otpService: ServiceClient

    typealias Outcome = OperationOutcome<OTPVerifyAnswer, IdentityChangeRefusal>

    /// - Throws: `InvalidInput` for a code of another purpose or user; as `Reauthenticate`; the code does not count then.
    func callAsFunction<Request: OwnCode>(
        _ request: Request, by operation: InternalOperation<Request, OTPVerifyAnswer, InvalidRequestOnly>,
        _ caller: ChangeOwnIdentities.Caller
    ) async throws -> Outcome {
        let user = caller.user.id
        guard request.purpose == .identity else { throw InvalidInput(member: "purpose") }
        guard request.userID == user.text(prefix: own.move.userIDPrefix) else { throw InvalidInput(member: "userID") }
        if case .refused(let refusal) = try await own.admit(caller, nil) { return .refused(refusal) }
        let call = [operation.path, request.recipient, request.typed, request.callID]
        let proof: ProofLock.Admitted
        switch try await lock.admit(user, call: call, now: own.act.now()) {
        case .admitted(let admitted): proof = admitted
        case .limited(let seconds):
            return .answer(OTPVerifyAnswer(.tooManyAttempts, limit: .lockout, retryAfterSeconds: seconds))
        }
        do {
            let answer = try await verified(request, by: operation, caller.requestID)
            if ![.wrongCode, .unknown, .used, .expired].contains(answer.result) { try await lock.giveBack(proof) }
            return .answer(answer)
        } catch {
            try await lock.giveBack(proof)
            throw error
        }
    }

    private func verified<Request>(
        _ request: Request, by operation: InternalOperation<Request, OTPVerifyAnswer, InvalidRequestOnly>,
        _ requestID: String?
    ) async throws -> OTPVerifyAnswer {
        let (outcome, member) = try await otpService.callNaming(operation, request, requestID: requestID)
        guard case .answer(let answer) = outcome else {
            throw InvalidInput("otp-service refuses the request", member: member)
        }
        return answer
    }
}
