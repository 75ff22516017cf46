internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `GET`, `PATCH` and `DELETE /users/me`: the bearer's own profile.
///
/// user-service takes the identity from the access token itself; the gateway has checked that it is not revoked.
struct ProfileEndpoint: NativeEndpoint {
    enum Operation: Sendable { case read, update, delete }

    let services: BackendServices
    let operation: Operation

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        switch operation {
        case .read: try await read(request)
        case .update: try await update(request)
        case .delete: try await delete(request)
        }
    }

    private func read(_ request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let outcome = try await services.user.call(
            UserOperations.readProfile, accessToken: request.bearer, requestID: request.requestID)
        switch outcome {
        case .answer(let profile): return NativeReply.ok(profile)
        case .refused(let refusal, _): return SessionReply.refusal(refusal)
        }
    }

    private func update(_ request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let update: UserUpdate
        switch ClientBody.decode(UserUpdate.self, request.body) {
        case .success(let decoded): update = decoded
        case .failure(let invalid): return invalid.reply
        }
        let outcome = try await services.user.call(
            UserOperations.updateProfile, update, accessToken: request.bearer, requestID: request.requestID)
        switch outcome {
        case .answer(let profile): return NativeReply.ok(profile)
        case .refused(.invalidToken, _): return SessionReply.invalidToken
        case .refused(.accountInactive, _): return NativeReply.inactive()
        case .refused(.invalidRequest, _): return NativeReply.invalidRequest("A member of the body is not valid")
        }
    }

    private func delete(_ request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let outcome = try await services.user.call(
            UserOperations.deleteAccount, accessToken: request.bearer, requestID: request.requestID)
        switch outcome {
        case .answer:
            return NativeReply.ok(
                SuccessReply(message: "Account scheduled for deletion. All sessions have been logged out."))
        case .refused(let refusal, _): return SessionReply.refusal(refusal)
        }
    }
}
