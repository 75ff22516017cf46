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
            .answer(
                Self.counted(
                    try await confirmAddress(request, requestID: call.requestID), AccountOperations.confirmAddress.path)
            )
        }
        routes.serve(AccountOperations.welcome) { request, _ in .answer(try await welcome(request)) }
        addOperators(&routes)
    }

    private func addOperators(_ routes: inout ServiceRoutes) {
        routes.serve(AccountOperations.createAdmin) { request, call in
            guard let passwords else { return .refused(.noPasswords, title: RefusalTitle.noPasswords) }
            return switch try await passwords.createAdmin(request, requestID: call.requestID) {
            case .created(let user): .answer(user)
            case .weakPassword: .refused(.weakPassword, title: RefusalTitle.weakPassword)
            case .addressTaken: .refused(.addressTaken, title: RefusalTitle.addressTaken)
            }
        }
        routes.serve(AccountOperations.invite) { request, call in
            switch try await invite(request, requestID: call.requestID) {
            case .invited(let answer): .answer(answer)
            case .alreadyUser: .refused(.alreadyUser, title: RefusalTitle.alreadyUser)
            }
        }
    }

    /// Adds an operation that needs no access token. Without passwords in the policy it is off.
    private func serve<Body>(
        _ operation: InternalOperation<Body, AccountAnswer, InvalidRequestOnly>, _ routes: inout ServiceRoutes,
        _ act: @escaping @Sendable (PasswordUseCases, Body, ServiceCall) async throws -> AccountAnswer
    ) {
        routes.serve(operation) { body, call in
            guard let passwords else { return .answer(AccountAnswer(.off)) }
            return .answer(Self.counted(try await act(passwords, body, call), operation.path))
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
            guard let caller = try await bearers.caller(of: call) else { return .invalidToken }
            return switch try await act(passwords, caller, body, call) {
            case .answer(let answer): .answer(Self.counted(answer, operation.path))
            case .inactive: .inactive
            case .unknown: .invalidToken
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
