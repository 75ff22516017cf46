internal import Hummingbird
internal import InternalAPI
internal import Logging
internal import ServiceKit

/// otp-service's operations over HTTP.
struct OTPRoutes: Sendable {
    let requestCode: RequestCode
    let verifyCode: VerifyCode
    let forgetNetworks: ForgetNetworks

    /// Adds the routes.
    func add(to routes: ServiceRoutes) {
        routes.on(.post, OTPContract.requestPath, from: [.gateway]) { request, context in
            let call = try decodeBody(OTPRequest.self, from: context)
            return try jsonResponse(try await answer(context.logger) { try await requestCode(call) })
        }
        routes.on(.post, OTPContract.verifyPath, from: [.gateway]) { request, context in
            let call = try decodeBody(OTPVerify.self, from: context)
            return try jsonResponse(try await answer(context.logger) { try await verifyCode(call) })
        }
        routes.on(.post, OTPContract.forgetNetworksPath, from: [.user]) { request, context in
            let call = try decodeBody(ForgetNetworksRequest.self, from: context)
            try await answer(context.logger) { try await forgetNetworks(call) }
            return try jsonResponse(Done())
        }
    }

    /// Turns the use cases' errors into problems.
    private func answer<Answer>(_ logger: Logger, _ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch let invalid as InvalidCall {
            throw ServiceProblem(
                .badRequest, code: InternalCode.invalidRequest, "The member \(invalid.member) is not what was agreed")
        } catch let failure as ChallengeStoreFailure {
            logger.warning("otp.store.failed", metadata: ["cause": "\(failure)"])
            throw ServiceProblem(
                .serviceUnavailable, code: "unavailable", "The code store is unavailable",
                retryAfterSeconds: failure.retryAfterSeconds)
        }
    }
}
