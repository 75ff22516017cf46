internal import AuthAPI
internal import InternalAPI

/// `GET`, `PATCH` and `DELETE /users/me`: the bearer's own profile.
///
/// user-service takes the identity from the access token itself; the gateway has checked that it is not revoked.
struct ProfileEndpoint: NativeEndpoint {
    let services: BackendServices
    let method: InternalRequest.Method

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        var body: [UInt8] = []
        if method == .patch {
            switch ClientBody.decode(UserUpdate.self, request.body) {
            case .success(let update): body = try services.user.encode(update)
            case .failure(let invalid): return invalid.reply
            }
        }
        let internalRequest = InternalRequest(
            method, UserContract.mePath, accessToken: request.bearer, requestID: request.requestID, body: body)
        return method == .delete ? try await delete(internalRequest) : try await profile(internalRequest)
    }

    private func profile(_ request: InternalRequest) async throws(ServiceUnavailable) -> Reply {
        switch try await services.user.send(request, as: UserProfile.self) {
        case .answer(let profile): return NativeReply.ok(profile)
        case .refused(let code): return Self.refusal(code)
        }
    }

    private func delete(_ request: InternalRequest) async throws(ServiceUnavailable) -> Reply {
        switch try await services.user.send(request, as: Done.self) {
        case .answer:
            return NativeReply.ok(
                SuccessReply(message: "Account scheduled for deletion. All sessions have been logged out."))
        case .refused(let code): return Self.refusal(code)
        }
    }

    private static func refusal(_ code: String) -> Reply {
        switch code {
        case InternalCode.invalidToken, InternalCode.notFound:
            NativeReply.unauthorized(code: "invalid_token", "The access token is not valid")
        case InternalCode.accountInactive: NativeReply.inactive()
        default: NativeReply.invalidRequest("A member of the body is not valid")
        }
    }
}
