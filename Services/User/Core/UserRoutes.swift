internal import AuthAPI
internal import HTTPTypes
internal import Hummingbird
internal import InternalAPI
internal import Logging
package import ServiceKit

/// user-service's internal API; every row only decodes, calls and encodes.
package struct UserRoutes: Sendable {
    let authentication: BearerAuthentication
    let resolve: ResolveAttestation
    let readProfile: ReadProfile
    let updateProfile: UpdateProfile
    let deleteAccount: DeleteAccount
    let support: SupportRoutes

    /// Adds the routes.
    package func add(to routes: ServiceRoutes) {
        routes.on(.post, UserContract.resolvePath, from: [.gateway], handler: storeAnswering(resolve))
        routes.on(.get, UserContract.mePath, from: [.gateway], handler: storeAnswering(me))
        routes.on(.patch, UserContract.mePath, from: [.gateway], handler: storeAnswering(patchMe))
        routes.on(.delete, UserContract.mePath, from: [.gateway], handler: storeAnswering(deleteMe))
        support.add(to: routes)
    }

    private func resolve(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let body = try decodeBody(ResolveRequest.self, from: context)
        switch try await resolve.resolve(body, requestID: request.requestID) {
        case .granted(let answer): return try jsonResponse(answer)
        case .attestationRefused(let reason):
            context.logger.notice("attestation.refused", metadata: ["reason": "\(reason?.rawValue ?? "spent")"])
            throw ServiceProblem(
                .unauthorized, code: InternalCode.attestationRefused, "The attestation is not good")
        case .invalidName: throw UserProblem.invalidName
        case .inactive: throw UserProblem.inactive
        case .deletionScheduled: throw UserProblem.deletionScheduled
        }
    }

    private func me(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        try await response(to: readProfile.read(try await caller(of: request, context)))
    }

    private func patchMe(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await caller(of: request, context)
        let body = try decodeBody(UserUpdate.self, from: context)
        switch try await updateProfile.update(caller, body, requestID: request.requestID) {
        case .invalidName: throw UserProblem.invalidName
        case .profile(let result): return try response(to: result)
        }
    }

    private func deleteMe(_ request: Request, _ context: ServiceRequestContext) async throws -> Response {
        let caller = try await caller(of: request, context)
        switch try await deleteAccount.delete(caller, requestID: request.requestID) {
        case .scheduled: return try jsonResponse(Done())
        case .unconfirmed: throw ServiceProblem.unavailable("The token service")
        case .unknown: throw UserProblem.invalidToken
        }
    }

    private func response(to result: ProfileResult) throws -> Response {
        switch result {
        case .profile(let profile): return try jsonResponse(profile)
        case .inactive: throw UserProblem.inactive
        case .unknown: throw UserProblem.invalidToken
        }
    }

    private func caller(of request: Request, _ context: ServiceRequestContext) async throws -> SignedInUser {
        do throws(AuthenticationFailure) {
            return try await authentication.user(authorization: request.headers[values: .authorization])
        } catch {
            guard error != .keysUnavailable else { throw ServiceProblem.unavailable("The token service") }
            context.logger.notice("access_token.refused", metadata: ["reason": "\(error.reason)"])
            throw UserProblem.invalidToken
        }
    }
}
