internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `POST /auth/otp/verify`: exchanges a code for a session (howru section 3).
struct VerifyCodeEndpoint: NativeEndpoint {
    let services: BackendServices
    let signedInUser: SignedInUser

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let body: OTPVerifyBody
        switch ClientBody.decode(OTPVerifyBody.self, request.body) {
        case .success(let decoded): body = decoded
        case .failure(let invalid): return invalid.reply
        }
        // Before the code is spent: token-service would refuse the key when it is too late.
        let key = ClientIdempotencyKey(request.head)
        guard key != .malformed else { return ClientIdempotencyKey.refusal }
        let user = signedInUser(request)
        let outcome = try await services.otp.call(
            OTPOperations.verify,
            OTPVerify(
                phone: body.phoneNumber, region: body.countryCode, code: body.code, purpose: .signIn,
                address: request.clientAddress, signedInPhone: user?.phone,
                callID: key.callID(OTPOperations.verify.path, user: user?.userID, request)),
            requestID: request.requestID)
        guard case .answer(let answer) = outcome else {
            return NativeReply.invalidRequest("The request is not valid")
        }
        guard answer.result == .approved, let attestation = answer.attestation else { return Self.refusal(answer) }
        return try await openSession(attestation, body, key, request)
    }

    private func openSession(
        _ attestation: String, _ body: OTPVerifyBody, _ key: ClientIdempotencyKey, _ request: EndpointRequest
    ) async throws(ServiceUnavailable) -> Reply {
        let session = SignIn.SessionRequest(
            dialect: Native.dialect, name: body.name, deviceName: body.deviceName, userAgent: request.userAgent,
            address: request.clientAddress,
            // Without one of the client's, a key of this call alone.
            idempotencyKey: key.text ?? CallID.random(),
            requestID: request.requestID)
        switch try await SignIn(services: services).open(attestation: attestation, session) {
        case .signedIn(let resolved, let tokens): return Self.signedIn(resolved, tokens)
        case .refused: return NativeReply.invalidCode()
        case .inactive: return NativeReply.inactive()
        case .deletionScheduled: return NativeReply.deletionScheduled()
        case .invalidRequest: return NativeReply.invalidRequest("A member is not valid")
        }
    }

    private static func signedIn(_ resolved: ResolveAnswer, _ tokens: TokenSet) -> Reply {
        NativeReply.ok(
            SignInReply(
                success: true, isNewUser: resolved.isNewUser, user: resolved.user, tokens: TokenReply(tokens),
                restored: resolved.restored ? true : nil))
    }

    private static func refusal(_ answer: OTPVerifyAnswer) -> Reply {
        switch answer.result {
        case .tooManyAttempts: NativeReply.rateLimited(retryAfterSeconds: answer.retryAfterSeconds ?? 3600)
        case .invalidPhone: NativeReply.problem(400, "invalid_phone", "The phone number is not valid")
        case .approved, .wrongCode, .expired, .unknown, .used: NativeReply.invalidCode()
        }
    }
}

extension TokenReply {
    /// What the client sees of a token set.
    init(_ tokens: TokenSet) {
        self.init(
            accessToken: tokens.accessToken, refreshToken: tokens.refreshToken, expiresIn: tokens.expiresIn)
    }
}
