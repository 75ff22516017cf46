import InternalAPI
import Logging
import Policies
import ServiceHTTP

/// user-service's operations: each row only translates.
struct UserRoutes: Sendable {
    let parts: UserParts

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        let resolve = ResolveAttestation(
            store: parts.users,
            rule: SignInRule(
                onScheduledDeletion: parts.deletion.onSignIn, newUsers: parts.policy.accounts.newUsers),
            grants: parts.grants, attestationKeys: parts.attestationKeys, proofKeys: parts.proofKeys, now: parts.now)
        routes.serve(UserOperations.resolve) { request, call in
            try Self.outcome(try await resolve(request, requestID: call.requestID), call)
        }
        let readProfile = ReadProfile(
            queries: parts.queries, userIDPrefix: parts.userIDPrefix, attributes: parts.attributes)
        routes.serve(UserOperations.readProfile) { _, call in
            guard let caller = try await parts.authentication.caller(of: call) else { return Self.refusedToken() }
            return Self.outcome(try await readProfile(caller))
        }
        let updateProfile = UpdateProfile(
            store: parts.users, userIDPrefix: parts.userIDPrefix, attributes: parts.attributes, now: parts.now)
        routes.serve(UserOperations.updateProfile) { request, call in
            guard let caller = try await parts.authentication.caller(of: call) else {
                return .refused(.invalidToken, title: RefusalTitle.invalidToken)
            }
            return try Self.outcome(try await updateProfile(caller, request, requestID: call.requestID))
        }
        let deleteOwnAccount = DeleteOwnAccount(
            act: parts.act, hasPasswords: parts.accounts != nil, tokenService: parts.tokenService,
            delete: parts.deleteAccount)
        routes.serve(UserOperations.deleteAccount) { _, call in
            let refused = OperationOutcome<Done, DeleteAccountRefusal>.refused(
                .invalidToken, title: RefusalTitle.invalidToken)
            guard let caller = try await parts.authentication.caller(of: call) else { return refused }
            switch try await deleteOwnAccount(caller, accessToken: call.accessToken, requestID: call.requestID) {
            case .scheduled: return .answer(Done())
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            case .reauthenticationRequired:
                return .refused(.reauthenticationRequired, title: RefusalTitle.reauthenticationRequired)
            case .unknown: return refused
            }
        }
        let deleteByProof = DeleteByProof(
            store: parts.users, delete: parts.deleteAccount, attestationKeys: parts.attestationKeys, now: parts.now)
        routes.serve(UserOperations.deleteByProof) { request, call in
            switch try await deleteByProof(request, requestID: call.requestID) {
            case .answer(let answer): return .answer(answer)
            case .unconfirmed: throw ServiceProblem.unavailable("The token service")
            }
        }
        let listUsers = ListUsersAsAdmin(
            store: parts.users, queries: parts.queries, userIDPrefix: parts.userIDPrefix, attributes: parts.attributes,
            now: parts.now)
        routes.serve(UserOperations.listAsAdmin) { request, call in
            guard let caller = try await parts.authentication.caller(of: call) else {
                return .refused(.invalidToken, title: RefusalTitle.invalidToken)
            }
            return try Self.outcome(try await listUsers(caller, request, requestID: call.requestID))
        }
        OutboxRoutes(store: parts.outbox, userIDPrefix: parts.userIDPrefix, now: parts.now).add(to: &routes)
        SupportRoutes(parts: parts).add(to: &routes)
        AccountRoutes(parts: parts).add(to: &routes)
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
