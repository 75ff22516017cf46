import CoreMetrics
import InternalAPI
import ServiceHTTP

/// user-service's operations on accounts with a password. Each row only translates.
struct AccountRoutes: Sendable {
    let bearers: BearerAuthentication
    /// The use cases, or `nil` if the policy has no passwords.
    let passwords: PasswordUseCases?
    let welcome: WelcomePhone
    let invite: Invite
    let confirmAddress: ConfirmAddress
    let reportNotMe: ReportNotMe

    /// Adds all operations.
    func add(to routes: inout ServiceRoutes) {
        serve(AccountOperations.register, &routes) { passwords, request, _ in try await passwords.register(request) }
        serve(AccountOperations.confirm, &routes) { passwords, request, call in
            try await passwords.confirm(request, requestID: call.requestID)
        }
        serve(AccountOperations.resendConfirmation, &routes) { passwords, request, _ in
            try await passwords.mailLink.resendConfirmation(request)
        }
        serve(AccountOperations.forgotPassword, &routes) { passwords, request, _ in
            try await passwords.mailLink.forgotPassword(request)
        }
        serve(AccountOperations.prove, &routes) { passwords, request, _ in try await passwords.prove(request) }
        serve(AccountOperations.resetPassword, &routes) { passwords, request, call in
            try await passwords.reset(request, requestID: call.requestID)
        }
        serve(AccountOperations.recover, &routes) { passwords, request, _ in try await passwords.recover(request) }
        serveBearer(AccountOperations.changePassword, &routes) { passwords, caller, request, call in
            try await passwords.change(caller, request, requestID: call.requestID)
        }
        serveBearer(AccountOperations.deleteByPassword, &routes) { passwords, caller, request, call in
            try await passwords.delete(caller, request, requestID: call.requestID)
        }
        routes.serve(AccountOperations.readResetLink) { request, _ in
            .answer(try await passwords?.readResetLink(request) ?? ResetLinkAnswer(email: nil))
        }
        routes.serve(AccountOperations.confirmAddress) { request, call in
            let answer = try await confirmAddress(request, requestID: call.requestID)
            Self.count(answer, AccountOperations.confirmAddress.path)
            return .answer(answer)
        }
        routes.serve(AccountOperations.readNotMeForm) { request, _ in .answer(try await reportNotMe.form(request)) }
        routes.serve(AccountOperations.reportNotMe) { request, call in
            let answer = try await reportNotMe(request, requestID: call.requestID)
            Self.count(answer, AccountOperations.reportNotMe.path)
            return .answer(answer)
        }
        routes.serve(AccountOperations.welcome) { request, _ in .answer(try await welcome(request)) }
        addOperators(&routes)
    }

    private func addOperators(_ routes: inout ServiceRoutes) {
        routes.serve(AccountOperations.createAdmin) { request, call in
            guard let passwords else { return .refused(.noPasswords) }
            return try await passwords.createAdmin(request, requestID: call.requestID)
        }
        routes.serve(AccountOperations.invite) { try await invite($0, requestID: $1.requestID) }
    }

    /// Adds an operation that needs no access token. Without passwords in the policy it is off.
    private func serve<Body>(
        _ operation: InternalOperation<Body, AccountAnswer, InvalidRequestOnly>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (PasswordUseCases, Body, ServiceCall) async throws -> AccountAnswer
    ) {
        routes.serve(operation) { body, call in
            guard let passwords else { return .answer(AccountAnswer(.off)) }
            let answer = try await act(passwords, body, call)
            Self.count(answer, operation.path)
            return .answer(answer)
        }
    }

    /// Adds an operation for signed-in users.
    private func serveBearer<Body>(
        _ operation: InternalOperation<Body, AccountAnswer, BearerBodyRefusal>, _ routes: inout ServiceRoutes,
        _ act:
            @escaping @Sendable (PasswordUseCases, SignedInUser, Body, ServiceCall) async throws ->
            ChangePassword.Outcome
    ) {
        routes.serve(operation) { body, call in
            guard let passwords else { return .answer(AccountAnswer(.off)) }
            guard let caller = try await bearers.caller(of: call) else { return .refused(.invalidToken) }
            let outcome = try await act(passwords, caller, body, call)
            if case .answer(let answer) = outcome { Self.count(answer, operation.path) }
            return outcome
        }
    }

    private static func count(_ answer: AccountAnswer, _ path: String) {
        let act = path.split(separator: "/").last.map(String.init) ?? ""
        Counter(
            label: "auth_password_acts_total", dimensions: [("act", act), ("result", answer.result.rawValue)]
        ).increment()
    }
}
