import InternalAPI

/// The operations on accounts with an email address and a password, which user-service carries out.
struct PasswordAccounts: Sendable {
    /// A request for a new account.
    struct Registration: Sendable {
        /// The email address as the client wrote it, like those below.
        var email: String
        var password: String
        var name: String?
        /// Language tags, best first.
        var locales: [String]
        /// Whether the mailed link confirms it without the password, like the one below.
        var linkSuffices = false
    }

    /// A request for a mail.
    struct MailOrder: Sendable {
        var email: String
        var locales: [String]
        var linkSuffices = false
    }

    /// A link's token, and the password that goes with it, which is `nil` if the client states that the link suffices.
    struct Link: Sendable {
        var token: String
        var password: String?
    }

    private static let limitSeconds: Int64 = 60
    /// The seconds after which the client tries again. By then the outbox has ended the sessions, unless token-service is away for
    /// longer.
    private static let changeSeconds: Int64 = 5

    let user: ServiceClient
    let signedInUser: SignedInUser

    /// Notes the registration, whether the email address has an account or not; its owner is told by mail.
    func register(_ registration: Registration, _ call: ClientCall) async throws(Refusal) {
        let request = RegisterRequest(
            email: registration.email, password: registration.password, name: registration.name,
            locales: registration.locales, address: call.address,
            callID: try call.id(AccountOperations.register.path, user: nil),
            linkSuffices: registration.linkSuffices ? true : nil)
        try await settle(AccountOperations.register, request, call)
    }

    /// Creates the user of a registration.
    func confirm(_ link: Link, _ call: ClientCall) async throws(Refusal) {
        try await settle(AccountOperations.confirm, try request(link, AccountOperations.confirm.path, call), call)
    }

    /// Sends the link of an open registration again. Without one it does nothing, and the response is the same.
    func resendConfirmation(_ order: MailOrder, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.resendConfirmation.path
        try await settle(AccountOperations.resendConfirmation, try request(order, path, call), call)
    }

    /// Sends a link that sets a password if the email address has an account. Without one the response is the same.
    func forgotPassword(_ order: MailOrder, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.forgotPassword.path
        try await settle(AccountOperations.forgotPassword, try request(order, path, call), call)
    }

    /// Sets a password, also the first one, and revokes all sessions.
    func resetPassword(_ link: Link, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.resetPassword.path
        try await settle(AccountOperations.resetPassword, try request(link, path, call), call)
    }

    /// Verifies an email address that the operator gave an account.
    func confirmAddress(_ token: String, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.confirmAddress.path
        try await settle(
            AccountOperations.confirmAddress, try request(Link(token: token, password: nil), path, call), call)
    }

    /// Reads the address that a reset link was mailed to, or returns `nil` if the link sets no password now.
    func resetAddress(_ token: String, _ call: ClientCall) async throws(Refusal) -> String? {
        let request = ResetLinkRequest(token: token)
        guard case .answer(let answer) = try await user.ask(AccountOperations.readResetLink, request, for: call) else {
            throw .invalidMember
        }
        return answer.email
    }

    /// Sets another password for the bearer and returns once the sessions that it revokes have ended.
    func changePassword(from old: String, to new: String, _ call: ClientCall) async throws(Refusal) {
        let request = ChangePasswordRequest(
            oldPassword: old, newPassword: new, address: call.address,
            callID: try bearersID(AccountOperations.changePassword.path, call))
        try await settle(AccountOperations.changePassword, request, call)
    }

    /// Schedules the bearer's account for deletion.
    func delete(password: String, _ call: ClientCall) async throws(Refusal) {
        let request = DeleteByPasswordRequest(
            password: password, address: call.address,
            callID: try bearersID(AccountOperations.deleteByPassword.path, call))
        try await settle(AccountOperations.deleteByPassword, request, call)
    }

    private func request(
        _ link: Link, _ path: String, _ call: ClientCall
    ) throws(Refusal) -> AccountLinkRequest {
        AccountLinkRequest(
            token: link.token, password: link.password, address: call.address, callID: try call.id(path, user: nil))
    }

    private func request(
        _ order: MailOrder, _ path: String, _ call: ClientCall
    ) throws(Refusal) -> AccountMailRequest {
        AccountMailRequest(
            email: order.email, locales: order.locales, address: call.address, callID: try call.id(path, user: nil),
            linkSuffices: order.linkSuffices ? true : nil)
    }

    private func bearersID(_ path: String, _ call: ClientCall) throws(Refusal) -> String {
        try call.id(path, user: signedInUser(call.credential)?.userID)
    }

    private func settle<Request>(
        _ operation: InternalOperation<Request, AccountAnswer, InvalidRequestOnly>, _ request: Request,
        _ call: ClientCall
    ) async throws(Refusal) {
        guard case .answer(let answer) = try await user.ask(operation, request, for: call) else { throw .invalidMember }
        if let refusal = Self.refusal(of: answer) { throw refusal }
    }

    private func settle<Request>(
        _ operation: InternalOperation<Request, AccountAnswer, BearerBodyRefusal>, _ request: Request,
        _ call: ClientCall
    ) async throws(Refusal) {
        switch try await user.ask(operation, request, for: call) {
        case .answer(let answer): if let refusal = Self.refusal(of: answer) { throw refusal }
        case .refused(.invalidRequest, _): throw .invalidMember
        case .refused(.invalidToken, _): throw .accessTokenInvalid
        case .refused(.accountInactive, _): throw .accountInactive
        }
    }

    /// Returns the refusal that an answer states, or `nil` if it states none.
    static func refusal(of answer: AccountAnswer) -> Refusal? {
        switch answer.result {
        case .done, .proved: nil
        case .invalidEmail: .invalidEmail
        case .invalidName: .invalid(member: "name")
        case .weakPassword: .weakPassword
        case .registrationClosed: .registrationClosed
        case .invalidLink: .invalidLink
        case .wrongPassword: .wrongPassword
        case .invalidCredentials: .invalidCredentials
        case .accountInactive: .accountInactive
        case .noPassword: .noPassword
        case .rateLimited:
            .tooMany(answer.limit ?? .requests, retryAfterSeconds: answer.retryAfterSeconds ?? limitSeconds)
        case .changePending: .changePending(retryAfterSeconds: answer.retryAfterSeconds ?? changeSeconds)
        case .off: .notFound
        }
    }
}
