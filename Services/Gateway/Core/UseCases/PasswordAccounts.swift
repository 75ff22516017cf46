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
        /// The way back to an app of the dialect `supabase`, like the one below; `nil` for any other client.
        var back: MailReturn?
    }

    /// A request for a mail.
    struct MailOrder: Sendable {
        var email: String
        var locales: [String]
        var linkSuffices = false
        var back: MailReturn?
    }

    /// A link's token, or the code beside it, and the password that goes with it, which is `nil` if the client states that the link
    /// suffices.
    struct Link: Sendable {
        /// Empty for a code.
        var token: String
        /// The email address that the mail with the code was sent to.
        var email: String?
        var code: String?
        var password: String?
    }

    let user: ServiceClient
    let signedInUser: SignedInUser

    /// Notes the registration, whether the email address has an account or not; its owner is told by mail.
    func register(_ registration: Registration, _ call: ClientCall) async throws(Refusal) {
        let request = RegisterRequest(
            email: registration.email, password: registration.password, name: registration.name,
            locales: registration.locales, address: call.address,
            callID: try call.id(AccountOperations.register.path, user: nil),
            linkSuffices: registration.linkSuffices ? true : nil, back: registration.back)
        try await user.settle(AccountOperations.register, request, for: call)
    }

    /// Creates the user of a registration.
    func confirm(_ link: Link, _ call: ClientCall) async throws(Refusal) {
        try await user.settle(
            AccountOperations.confirm, try request(link, AccountOperations.confirm.path, call), for: call)
    }

    /// Sends the link of an open registration again. Without one it does nothing, and the response is the same.
    func resendConfirmation(_ order: MailOrder, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.resendConfirmation.path
        try await user.settle(AccountOperations.resendConfirmation, try request(order, path, call), for: call)
    }

    /// Sends a link that sets a password if the email address has an account. Without one the response is the same.
    func forgotPassword(_ order: MailOrder, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.forgotPassword.path
        try await user.settle(AccountOperations.forgotPassword, try request(order, path, call), for: call)
    }

    /// Sets a password, also the first one, and revokes all sessions.
    func resetPassword(_ link: Link, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.resetPassword.path
        try await user.settle(AccountOperations.resetPassword, try request(link, path, call), for: call)
    }

    /// Verifies an email address that the operator gave an account.
    func confirmAddress(_ token: String, _ call: ClientCall) async throws(Refusal) {
        let path = AccountOperations.confirmAddress.path
        try await user.settle(
            AccountOperations.confirmAddress, try request(Link(token: token, password: nil), path, call), for: call)
    }

    /// Returns the secret of the page by which a notice's link reports a change.
    func notMeFormSecret(_ token: String, _ call: ClientCall) async throws(Refusal) -> String {
        let form = try await user.answer(AccountOperations.readNotMeForm, NotMeFormRequest(token: token), for: call)
        guard let secret = form.secret else { throw .invalidLink }
        return secret
    }

    /// Reports that the change of a notice was not the user's.
    func reportNotMe(_ token: String, formSecret: String, _ call: ClientCall) async throws(Refusal) {
        let report = NotMeReport(token: token, formSecret: formSecret)
        try await user.settle(AccountOperations.reportNotMe, report, for: call)
    }

    /// Reads the address that a reset link was mailed to, or returns `nil` if the link sets no password now.
    func resetAddress(_ token: String, _ call: ClientCall) async throws(Refusal) -> String? {
        try await user.answer(AccountOperations.readResetLink, ResetLinkRequest(token: token), for: call).email
    }

    /// Sets another password for the bearer and returns once the sessions that it revokes have ended.
    func changePassword(from old: String, to new: String, _ call: ClientCall) async throws(Refusal) {
        let request = ChangePasswordRequest(
            oldPassword: old, newPassword: new, address: call.address,
            callID: try bearersID(AccountOperations.changePassword.path, call))
        try await user.settle(AccountOperations.changePassword, request, for: call)
    }

    /// Schedules the bearer's account for deletion.
    func delete(password: String, _ call: ClientCall) async throws(Refusal) {
        let request = DeleteByPasswordRequest(
            password: password, address: call.address,
            callID: try bearersID(AccountOperations.deleteByPassword.path, call))
        try await user.settle(AccountOperations.deleteByPassword, request, for: call)
    }

    private func request(
        _ link: Link, _ path: String, _ call: ClientCall
    ) throws(Refusal) -> AccountLinkRequest {
        AccountLinkRequest(
            token: link.token, email: link.email, code: link.code, password: link.password, address: call.address,
            callID: try call.id(path, user: nil))
    }

    private func request(
        _ order: MailOrder, _ path: String, _ call: ClientCall
    ) throws(Refusal) -> AccountMailRequest {
        AccountMailRequest(
            email: order.email, locales: order.locales, address: call.address, callID: try call.id(path, user: nil),
            linkSuffices: order.linkSuffices ? true : nil, back: order.back)
    }

    private func bearersID(_ path: String, _ call: ClientCall) throws(Refusal) -> String {
        try call.id(path, user: try signedInUser.admitted(call))
    }
}
