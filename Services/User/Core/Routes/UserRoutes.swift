import InternalAPI
import Logging
package import ServiceHTTP

/// user-service's operations: each row only translates.
package struct UserRoutes: Sendable {
    let authentication: BearerAuthentication
    let resolve: ResolveAttestation
    let readProfile: ReadProfile
    let updateProfile: UpdateProfile
    let deleteAccount: DeleteAccount
    let support: SupportRoutes

    /// The whole table.
    package func add(to routes: inout ServiceRoutes) {
        routes.serve(UserOperations.resolve) { try await resolve($0, $1) }
        routes.serve(UserOperations.readProfile) { _, call in
            guard let caller = try await caller(of: call) else { return Self.refusedToken() }
            return Self.outcome(try await readProfile(caller))
        }
        routes.serve(UserOperations.updateProfile) { request, call in
            guard let caller = try await caller(of: call) else {
                return .refused(.invalidToken, title: RefusalTitle.invalidToken)
            }
            return Self.outcome(try await updateProfile(caller, request, requestID: call.requestID))
        }
        routes.serve(UserOperations.deleteAccount) { _, call in
            guard let caller = try await caller(of: call) else { return Self.refusedToken() }
            switch try await deleteAccount(caller, requestID: call.requestID) {
            case .scheduled: return .answer(Done())
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .unknown: return Self.refusedToken()
            }
        }
        support.add(to: &routes)
    }

    private func resolve(
        _ request: ResolveRequest, _ call: ServiceCall
    ) async throws -> OperationOutcome<ResolveAnswer, ResolveRefusal> {
        switch try await resolve(request, requestID: call.requestID) {
        case .granted(let answer): return .answer(answer)
        case .attestationRefused(let reason):
            call.logger.notice("attestation.refused", metadata: ["reason": "\(reason?.rawValue ?? "spent")"])
            return .refused(.attestationRefused, title: "The attestation is not good")
        case .invalidName: return .refused(.invalidRequest, title: RefusalTitle.invalidName)
        case .inactive: return .refused(.accountInactive, title: RefusalTitle.inactive)
        case .deletionScheduled: return .refused(.deletionScheduled, title: RefusalTitle.deletionScheduled)
        }
    }

    /// Who asks; nil when the access token does not say so.
    private func caller(of call: ServiceCall) async throws -> SignedInUser? {
        do throws(AuthenticationFailure) {
            return try await authentication.user(accessToken: call.accessToken)
        } catch {
            guard error != .keysUnavailable else { throw ServiceProblem.unavailable("The token service") }
            call.logger.notice("access_token.refused", metadata: ["reason": "\(error.reason)"])
            return nil
        }
    }

    private static func refusedToken<Answer>() -> OperationOutcome<Answer, BearerRefusal> {
        .refused(.invalidToken, title: RefusalTitle.invalidToken)
    }

    private static func outcome(_ result: ProfileResult) -> OperationOutcome<UserDetails, BearerRefusal> {
        switch result {
        case .profile(let profile): .answer(profile)
        case .inactive: .refused(.accountInactive, title: RefusalTitle.inactive)
        case .unknown: .refused(.invalidToken, title: RefusalTitle.invalidToken)
        }
    }

    private static func outcome(
        _ result: UpdateProfile.Result
    ) -> OperationOutcome<UserDetails, UpdateProfileRefusal> {
        switch result {
        case .profile(.profile(let profile)): .answer(profile)
        case .profile(.inactive): .refused(.accountInactive, title: RefusalTitle.inactive)
        case .profile(.unknown): .refused(.invalidToken, title: RefusalTitle.invalidToken)
        case .invalidName: .refused(.invalidRequest, title: RefusalTitle.invalidName)
        case .invalidAttribute: .refused(.invalidRequest, title: RefusalTitle.invalidAttribute)
        }
    }
}
