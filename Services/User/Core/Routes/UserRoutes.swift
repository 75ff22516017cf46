import InternalAPI
import Logging
import ServiceHTTP

/// user-service's operations: each row only translates.
struct UserRoutes: Sendable {
    let bearers: BearerAuthentication
    let resolve: ResolveAttestation
    let readProfile: ReadProfile
    let updateProfile: UpdateProfile
    let deleteOwnAccount: DeleteOwnAccount
    let deleteByProof: DeleteByProof
    let list: ListUsersAsAdmin

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(UserOperations.resolve) { request, call in
            try Self.outcome(try await resolve(request, requestID: call.requestID), call)
        }
        routes.serve(UserOperations.readProfile) { _, call in
            guard let caller = try await bearers.caller(of: call) else { return Self.refusedToken() }
            return Self.outcome(try await readProfile(caller))
        }
        routes.serve(UserOperations.updateProfile) { request, call in
            guard let caller = try await bearers.caller(of: call) else {
                return .refused(.invalidToken, title: RefusalTitle.invalidToken)
            }
            return try Self.outcome(try await updateProfile(caller, request, requestID: call.requestID))
        }
        routes.serve(UserOperations.deleteAccount) { _, call in
            let refused = OperationOutcome<Done, DeleteAccountRefusal>.refused(
                .invalidToken, title: RefusalTitle.invalidToken)
            guard let caller = try await bearers.caller(of: call) else { return refused }
            switch try await deleteOwnAccount(caller, accessToken: call.accessToken, requestID: call.requestID) {
            case .scheduled: return .answer(Done())
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .reauthenticationRequired:
                return .refused(.reauthenticationRequired, title: RefusalTitle.reauthenticationRequired)
            case .unknown: return refused
            }
        }
        routes.serve(UserOperations.deleteByProof) { request, call in
            switch try await deleteByProof(request, requestID: call.requestID) {
            case .answer(let answer): return .answer(answer)
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            }
        }
        routes.serve(UserOperations.listAsAdmin) { request, call in
            guard let caller = try await bearers.caller(of: call) else {
                return .refused(.invalidToken, title: RefusalTitle.invalidToken)
            }
            return try Self.outcome(try await list(caller, request, requestID: call.requestID))
        }
    }

    private static func outcome(
        _ result: ResolveAttestation.Result, _ call: ServiceCall
    ) throws -> OperationOutcome<ResolveAnswer, ResolveRefusal> {
        switch result {
        case .granted(let answer): return .answer(answer)
        case .attestationRefused(let reason):
            call.logger.notice("attestation.refused", metadata: ["reason": "\(reason?.rawValue ?? "spent")"])
            return .refused(.attestationRefused, title: "The attestation is not good")
        case .invalidName:
            throw ServiceProblem(ResolveRefusal.invalidRequest, RefusalTitle.invalidName, member: "name")
        case .inactive: return .refused(.accountInactive, title: RefusalTitle.inactive)
        case .deletionScheduled: return .refused(.deletionScheduled, title: RefusalTitle.deletionScheduled)
        case .notInvited: return .refused(.notInvited, title: RefusalTitle.notInvited)
        }
    }

    private static func outcome(_ result: ListUsersAsAdmin.Result) throws -> OperationOutcome<UserPage, AdminRefusal> {
        switch result {
        case .page(let page): .answer(page)
        case .unknown: .refused(.invalidToken, title: RefusalTitle.invalidToken)
        case .inactive: .refused(.accountInactive, title: RefusalTitle.inactive)
        case .forbidden: .refused(.forbidden, title: RefusalTitle.noAdministrator)
        case .invalid(let member):
            throw ServiceProblem(AdminRefusal.invalidRequest, RefusalTitle.invalidPage, member: member)
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
    ) throws -> OperationOutcome<UserDetails, BearerBodyRefusal> {
        switch result {
        case .profile(.profile(let profile)): .answer(profile)
        case .profile(.inactive): .refused(.accountInactive, title: RefusalTitle.inactive)
        case .profile(.unknown): .refused(.invalidToken, title: RefusalTitle.invalidToken)
        case .invalidName:
            throw ServiceProblem(BearerBodyRefusal.invalidRequest, RefusalTitle.invalidName, member: "name")
        case .invalidAttribute(let name):
            throw ServiceProblem(BearerBodyRefusal.invalidRequest, RefusalTitle.invalidAttribute, member: name)
        }
    }
}
