import InternalAPI
import Logging
import ServiceHTTP

/// user-service's operations on users. Each row only translates.
struct UserRoutes: Sendable {
    let bearers: BearerAuthentication
    let resolve: ResolveAttestation
    let readProfile: ReadProfile
    let updateProfile: UpdateProfile
    let deleteOwnAccount: DeleteOwnAccount
    let deleteByProof: DeleteByProof
    let list: ListUsersAsAdmin

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(UserOperations.resolve) { request, call in
            try Self.outcome(try await resolve(request, requestID: call.requestID), call)
        }
        routes.serve(UserOperations.readProfile, for: bearers) { caller, _, _ in .init(try await readProfile(caller)) }
        routes.serve(UserOperations.updateProfile, for: bearers) { caller, request, call in
            .init(try await updateProfile(caller, request, requestID: call.requestID))
        }
        routes.serve(UserOperations.deleteAccount, for: bearers) { caller, _, call in
            switch try await deleteOwnAccount(caller, accessToken: call.accessToken, requestID: call.requestID) {
            case .scheduled: .answer(Done())
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .reauthenticationRequired:
                .refused(.reauthenticationRequired, title: RefusalTitle.reauthenticationRequired)
            case .unknown: .invalidToken
            }
        }
        routes.serve(UserOperations.deleteByProof) { request, call in
            switch try await deleteByProof(request, requestID: call.requestID) {
            case .answer(let answer): .answer(answer)
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            }
        }
        routes.serve(UserOperations.listAsAdmin, for: bearers) { caller, request, call in
            switch try await list(caller, request, requestID: call.requestID) {
            case .page(let page): .answer(page)
            case .unknown: .invalidToken
            case .inactive: .inactive
            case .forbidden: .refused(.forbidden, title: RefusalTitle.noAdministrator)
            }
        }
    }

    private static func outcome(
        _ outcome: ResolveAttestation.Outcome, _ call: ServiceCall
    ) throws -> OperationOutcome<ResolveAnswer, ResolveRefusal> {
        switch outcome {
        case .granted(let answer): return .answer(answer)
        case .attestationRefused(let reason):
            call.logger.notice("attestation.refused", metadata: ["reason": "\(reason?.rawValue ?? "spent")"])
            return .refused(.attestationRefused, title: "The attestation is invalid, expired or already used")
        case .inactive: return .refused(.accountInactive, title: RefusalTitle.inactive)
        case .deletionScheduled: return .refused(.deletionScheduled, title: RefusalTitle.deletionScheduled)
        case .notInvited: return .refused(.notInvited, title: RefusalTitle.notInvited)
        case .unconfirmed: throw ServiceProblem.unavailable("The token service")
        }
    }
}
