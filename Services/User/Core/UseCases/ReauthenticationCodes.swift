import CryptoPrimitives
import InternalAPI
import Policies

/// Codes with which a signed-in user shows again who they are. They go to the user's own phone number or email address, and are
/// valid for this purpose and user only.
struct ReauthenticationCodes: Sendable {
    let act: AccountAct
    let otpService: ServiceClient
    let attestationKeys: KeyRing
    let userIDPrefix: String

    typealias Outcome = OperationOutcome<OTPRequestAnswer, BearerBodyRefusal>

    /// Sends a code.
    ///
    /// - Throws: `ServiceUnavailable` without otp-service; `InvalidInput`; `StorageError`.
    func request(
        _ caller: SignedInUser, _ request: ReauthenticationCodeRequest, requestID: String?
    ) async throws -> Outcome {
        let facts = try await act.facts(of: caller, nil)
        guard let user = facts.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        guard let recipient = Self.recipient(over: request.channel, of: user) else {
            return .answer(OTPRequestAnswer(.unsupportedChannel))
        }
        let (answer, member) =
            recipient.kind == .email
            ? try await send(mail(to: recipient.value, user, request), OTPOperations.requestMail, requestID)
            : try await send(text(to: recipient.value, user, request), OTPOperations.request, requestID)
        guard let answer else { throw InvalidInput("otp-service refuses the request", member: member) }
        return .answer(answer.result == .off ? OTPRequestAnswer(.unsupportedChannel) : answer)
    }

    /// Has otp-service verify a code, and checks that the proof is the user's own.
    func judge(
        _ request: ReauthenticateRequest, _ user: User, _ facts: UserFacts, _ requestID: String?
    ) async throws -> Reauthenticate.Judgement {
        guard let code = request.code, let recipient = Self.recipient(over: request.channel, of: user) else {
            return .unjudged(ReauthenticateAnswer(.noRecipient))
        }
        let id = user.id.text(prefix: userIDPrefix)
        let (answer, member) =
            recipient.kind == .email
            ? try await send(
                MailVerify(
                    email: recipient.value, code: code, purpose: .reauthentication, userID: id,
                    address: request.address,
                    callID: request.callID), OTPOperations.verifyMail, requestID)
            : try await send(
                OTPVerify(
                    phone: recipient.value, region: nil, code: code, purpose: .reauthentication, userID: id,
                    address: request.address, callID: request.callID), OTPOperations.verify, requestID)
        // The text can be no code, which costs the user no attempt.
        guard let answer else { throw InvalidInput("otp-service refuses the request", member: member) }
        switch answer.result {
        case .approved: return isOwn(answer.attestation, recipient, user, facts) ? .right(at: act.now()) : .wrong
        case .wrongCode, .unknown, .used, .expired: return .wrong
        case .tooManyAttempts:
            return .unjudged(ReauthenticateAnswer(.rateLimited, retryAfterSeconds: answer.retryAfterSeconds))
        case .invalidPhone, .invalidEmail, .off: return .unjudged(ReauthenticateAnswer(.noRecipient))
        }
    }

    /// The user's own phone number or email address to which a channel leads, or `nil` if the user has none.
    static func recipient(over channel: String?, of user: User) -> VerifiedIdentity? {
        let phone = user.phone.map { VerifiedIdentity.phone($0) }
        let email = user.email.map { VerifiedIdentity.email($0) }
        guard let channel else { return phone ?? email }
        return channel == SignInMethod.email ? email : phone
    }

    /// Whether an attestation is about the user's own identity, for this purpose, and not void meanwhile.
    private func isOwn(
        _ text: String?, _ recipient: VerifiedIdentity, _ user: User, _ facts: UserFacts
    ) -> Bool {
        let attestation: Attestation
        do throws(SealRefusal) {
            attestation = try Attestation.open(text ?? "", with: attestationKeys, now: act.now())
        } catch {
            return false
        }
        // The code for an app store's reviewers is valid only for accounts that such a code has created.
        let isReview = attestation.method == Attestation.reviewMethod
        return attestation.purpose == .reauthentication && attestation.userID == user.id.text(prefix: userIDPrefix)
            && attestation.identity == recipient && (!isReview || user.isForReview)
            && !facts.outdates(codeOf: attestation.challengedAt)
    }

    /// The answer of otp-service, or `nil` with the member that it refuses.
    private func send<Request, Answer>(
        _ request: Request, _ operation: InternalOperation<Request, Answer, InvalidRequestOnly>, _ requestID: String?
    ) async throws -> (Answer?, member: String?) {
        let (outcome, member) = try await otpService.callNaming(operation, request, requestID: requestID)
        guard case .answer(let answer) = outcome else { return (nil, member) }
        return (answer, nil)
    }

    private func text(to phone: String, _ user: User, _ request: ReauthenticationCodeRequest) -> OTPRequest {
        OTPRequest(
            phone: phone, region: nil, purpose: .reauthentication, userID: user.id.text(prefix: userIDPrefix),
            channel: request.channel, locale: request.locales.first, address: request.address, signedInPhone: phone,
            callID: request.callID, appHash: request.appHash)
    }

    private func mail(to address: String, _ user: User, _ request: ReauthenticationCodeRequest) -> MailRequest {
        MailRequest(
            email: address, challenge: nil, purpose: .reauthentication, userID: user.id.text(prefix: userIDPrefix),
            locales: request.locales, address: request.address, callID: request.callID)
    }
}
