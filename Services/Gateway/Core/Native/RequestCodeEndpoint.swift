internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `POST /auth/otp/request`: sends a one-time code (howru section 3).
struct RequestCodeEndpoint: NativeEndpoint {
    let services: BackendServices
    let signedInUser: SignedInUser

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let body: OTPRequestBody
        switch ClientBody.decode(OTPRequestBody.self, request.body) {
        case .success(let decoded): body = decoded
        case .failure(let invalid): return invalid.reply
        }
        let key = ClientIdempotencyKey(request.head)
        guard key != .malformed else { return ClientIdempotencyKey.refusal }
        let user = signedInUser(request)
        let outcome = try await services.otp.call(
            OTPOperations.request,
            OTPRequest(
                phone: body.phoneNumber, region: body.countryCode, purpose: .signIn, channel: body.channel,
                locale: body.locale, address: request.clientAddress, signedInPhone: user?.phone,
                callID: key.callID(OTPOperations.request.path, user: user?.userID, request)),
            requestID: request.requestID)
        switch outcome {
        case .answer(let answer): return Self.reply(to: answer)
        case .refused: return NativeReply.invalidRequest("The request is not valid")
        }
    }

    private static func reply(to answer: OTPRequestAnswer) -> Reply {
        switch answer.result {
        case .sent, .suppressed:
            NativeReply.ok(OTPRequestReply(success: true, status: "pending", message: "Verification code sent"))
        case .rateLimited: NativeReply.rateLimited(retryAfterSeconds: answer.retryAfterSeconds ?? 60)
        case .invalidPhone: NativeReply.problem(400, "invalid_phone", "The phone number is not valid")
        case .blockedCountry:
            NativeReply.problem(422, "blocked_country", "Codes are not sent to this country")
        case .providerError:
            NativeReply.problem(
                503, "provider_error", "The code could not be sent, try again",
                retryAfterSeconds: answer.retryAfterSeconds ?? 5)
        }
    }
}
