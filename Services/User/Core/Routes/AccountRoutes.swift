import CoreMetrics
import InternalAPI
import ServiceHTTP

/// user-service's operations on accounts with a password: each row only translates.
struct AccountRoutes: Sendable {
    let parts: UserParts

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        serve(AccountOperations.register, &routes) { accounts, request, _ in
            try await Register(accounts: accounts)(request)
        }
        serve(AccountOperations.confirm, &routes) { accounts, request, call in
            try await ConfirmRegistration(accounts: accounts)(request, requestID: call.requestID)
        }
        serve(AccountOperations.resendConfirmation, &routes) { accounts, request, _ in
            try await MailAccountLink(accounts: accounts).resendConfirmation(request)
        }
        serve(AccountOperations.forgotPassword, &routes) { accounts, request, _ in
            try await MailAccountLink(accounts: accounts).forgotPassword(request)
        }
        serve(AccountOperations.prove, &routes) {
            [grants = parts.grants, times = parts.signInTimes] accounts, request, _ in
            try await ProvePassword(accounts: accounts, grants: grants, times: times)(request)
        }
        serve(AccountOperations.resetPassword, &routes) { accounts, request, call in
            try await ResetPassword(accounts: accounts)(request, requestID: call.requestID)
        }
        routes.serve(AccountOperations.readResetLink) { [accounts = parts.accounts] request, _ in
            guard let accounts else { return .answer(ResetLinkAnswer(email: nil)) }
            return .answer(try await ReadResetLink(accounts: accounts)(request))
        }
        serveBearer(AccountOperations.changePassword, &routes) { accounts, caller, request, call in
            try await ChangePassword(accounts: accounts)(caller, request, requestID: call.requestID)
        }
        let delete = parts.deleteAccount
        serveBearer(AccountOperations.deleteByPassword, &routes) { accounts, caller, request, call in
            try await DeleteByPassword(accounts: accounts, delete: delete)(caller, request, requestID: call.requestID)
        }
        let welcome = WelcomePhone(queries: parts.queries, policy: parts.policy, now: parts.now)
        routes.serve(AccountOperations.welcome) { request, _ in .answer(try await welcome(request)) }
        addOperators(&routes)
    }

    private func addOperators(_ routes: inout ServiceRoutes) {
        routes.serve(AccountOperations.createAdmin) { [accounts = parts.accounts] request, call in
            guard let accounts else { return .refused(.noPasswords, title: RefusalTitle.noPasswords) }
            return switch try await CreateAdmin(accounts: accounts)(request, requestID: call.requestID) {
            case .created(let user): .answer(user)
            case .weakPassword: .refused(.weakPassword, title: RefusalTitle.weakPassword)
            case .addressTaken: .refused(.addressTaken, title: RefusalTitle.addressTaken)
            case .invalid: .refused(.invalidRequest, title: RefusalTitle.invalidAddress)
            }
        }
        let invite = Invite(
            act: parts.act, notices: parts.accounts?.notices, tags: parts.tags, defaultRegion: parts.defaultRegion)
        routes.serve(AccountOperations.invite) { request, call in
            switch try await invite(request, requestID: call.requestID) {
            case .invited(let answer): .answer(answer)
            case .alreadyUser: .refused(.alreadyUser, title: RefusalTitle.alreadyUser)
            case .invalid: .refused(.invalidRequest, title: RefusalTitle.invalidInvitation)
            }
        }
    }

    /// Adds an operation that anybody may ask for; without passwords it is off.
    private func serve<Body>(
        _ operation: InternalOperation<Body, AccountAnswer, InvalidRequestOnly>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (AccountParts, Body, ServiceCall) async throws -> AccountAnswer
    ) {
        routes.serve(operation) { [accounts = parts.accounts] body, call in
            guard let accounts else { return .answer(AccountAnswer(.off)) }
            return .answer(Self.counted(try await act(accounts, body, call), operation.path))
        }
    }

    /// Adds an operation for whoever is signed in.
    private func serveBearer<Body>(
        _ operation: InternalOperation<Body, AccountAnswer, BearerBodyRefusal>, _ routes: inout ServiceRoutes,
        _ act:
            @escaping @Sendable (AccountParts, SignedInUser, Body, ServiceCall) async throws ->
            ChangePassword.Result
    ) {
        routes.serve(operation) { [parts] body, call in
            guard let accounts = parts.accounts else { return .answer(AccountAnswer(.off)) }
            guard let caller = try await parts.authentication.caller(of: call) else {
                return .refused(.invalidToken, title: RefusalTitle.invalidToken)
            }
            return switch try await act(accounts, caller, body, call) {
            case .answer(let answer): .answer(Self.counted(answer, operation.path))
            case .inactive: .refused(.accountInactive, title: RefusalTitle.inactive)
            case .unknown: .refused(.invalidToken, title: RefusalTitle.invalidToken)
            }
        }
    }

    private static func counted(_ answer: AccountAnswer, _ path: String) -> AccountAnswer {
        let act = path.split(separator: "/").last.map(String.init) ?? ""
        Counter(
            label: "auth_password_acts_total", dimensions: [("act", act), ("result", answer.result.rawValue)]
        ).increment()
        return answer
    }
}
