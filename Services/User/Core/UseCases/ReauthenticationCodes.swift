import CryptoPrimitives
import InternalAPI
import Policies

/// Codes with which a signed-in user shows again who they are, or that another account is theirs too. They go to the account's own
/// phone number or email address, and are valid for this purpose and user only.
struct ReauthenticationCodes: Sendable {
    let act: AccountAct
    let otpService: ServiceClient
    let attestationKeys: KeyRing
    let userIDPrefix: String

    /// The account that a code is about.
    struct Subject: Sendable {
        /// The user to whose phone number or email address the code goes.
        let owner: User
        /// The user who requests the code, which is bound to them.
        let asker: User
        let purpose: Purpose

        static func own(_ user: User) -> Subject { Subject(owner: user, asker: user, purpose: .reauthentication) }
    }

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
        return .answer(try await send(request, .own(user), requestID: requestID))
    }

    /// Sends a code to the subject's owner.
    func send(
        _ request: ReauthenticationCodeRequest, _ subject: Subject, requestID: String?
    ) async throws -> OTPRequestAnswer {
        guard let recipient = Self.recipient(over: request.channel, of: subject.owner) else {
            return OTPRequestAnswer(.unsupportedChannel)
        }
        let (answer, member) =
            recipient.kind == .email
            ? try await send(mail(to: recipient.value, subject, request), OTPOperations.requestMail, requestID)
            : try await send(text(to: recipient.value, subject, request), OTPOperations.request, requestID)
        guard let answer else { throw InvalidInput("otp-service refuses the request", member: member) }
        return answer.result == .off ? OTPRequestAnswer(.unsupportedChannel) : answer
    }

    /// Has otp-service verify a code, and checks that the proof is the subject's.
    ///
    /// - Parameter facts: the facts of the subject's owner.
    func judge(
        _ request: ReauthenticateRequest, _ subject: Subject, _ facts: UserFacts, _ requestID: String?
    ) async throws -> Reauthenticate.Judgement {
        guard let code = request.code, let recipient = Self.recipient(over: request.channel, of: subject.owner) else {
            return .unjudged(ReauthenticateAnswer(.noRecipient))
        }
        let id = subject.asker.id.text(prefix: userIDPrefix)
        let (answer, member) =
            recipient.kind == .email
            ? try await send(
                MailVerify(
                    email: recipient.value, code: code, purpose: subject.purpose, userID: id, dialect: request.dialect,
                    address: request.address,
                    callID: request.callID), OTPOperations.verifyMail, requestID)
            : try await send(
                OTPVerify(
                    phone: recipient.value, region: nil, code: code, purpose: subject.purpose, userID: id,
                    dialect: request.dialect, address: request.address, callID: request.callID),
                OTPOperations.verify, requestID)
        // The text can be no code, which costs the user no attempt.
        guard let answer else { throw InvalidInput("otp-service refuses the request", member: member) }
        switch answer.result {
        case .approved:
            guard let method = ownMethod(answer.attestation, recipient, subject, facts) else { return .wrong }
            // For the owner of a passkey nothing else shows that the number is still theirs.
            try await act.store.note([.noteUse(recipient, at: act.now())], now: act.now())
            return .right(at: act.now(), AuthenticationFactors(method: method))
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

    /// The method of an attestation that is about the subject's own identity, for this purpose, and not void meanwhile; otherwise
    /// `nil`.
    private func ownMethod(
        _ text: String?, _ recipient: VerifiedIdentity, _ subject: Subject, _ facts: UserFacts
    ) -> String? {
        let attestation: Attestation
        do throws(SealRefusal) {
            attestation = try Attestation.open(text ?? "", with: attestationKeys, now: act.now())
        } catch {
            return nil
        }
        // The code for an app store's reviewers is valid only for accounts that such a code has created.
        let isReview = attestation.method == Attestation.reviewMethod
        let isOwn =
            attestation.purpose == subject.purpose
            && attestation.userID == subject.asker.id.text(prefix: userIDPrefix)
            && attestation.identity == recipient && (!isReview || subject.owner.isForReview)
            && !facts.outdates(codeOf: attestation.challengedAt)
        return isOwn ? attestation.method : nil
    }

    /// The answer of otp-service, or `nil` with the member that it refuses.
    private func send<Request, Answer>(
        _ request: Request, _ operation: InternalOperation<Request, Answer, InvalidRequestOnly>, _ requestID: String?
    ) async throws -> (Answer?, member: String?) {
        let (outcome, member) = try await otpService.callNaming(operation, request, requestID: requestID)
        guard case .answer(let answer) = outcome else { return (nil, member) }
        return (answer, nil)
    }

    private func text(to phone: String, _ subject: Subject, _ request: ReauthenticationCodeRequest) -> OTPRequest {
        OTPRequest(
            phone: phone, region: nil, purpose: subject.purpose, userID: subject.asker.id.text(prefix: userIDPrefix),
            dialect: request.dialect, channel: request.channel, locale: request.locales.first, address: request.address,
            signedInPhone: subject.asker.phone,
            callID: request.callID, appHash: request.appHash)
    }

    private func mail(to address: String, _ subject: Subject, _ request: ReauthenticationCodeRequest) -> MailRequest {
        MailRequest(
            email: address, challenge: nil, purpose: subject.purpose,
            userID: subject.asker.id.text(prefix: userIDPrefix), dialect: request.dialect,
            locales: request.locales, address: request.address, callID: request.callID)
    }
}
