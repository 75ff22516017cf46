import InternalAPI

/// Sends a sign-in mail.
struct RequestMail: Sendable {
    /// A request for a sign-in mail.
    struct Order: Sendable {
        /// The email address as the client wrote it.
        var email: String
        /// BASE64URL(SHA-256(verifier)), RFC 7636; `nil` for a mail without a link.
        var challenge: String?
        /// Language tags, best first.
        var locales: [String]
        var purpose = Purpose.signIn
        /// The user that the code is bound to, if its purpose is (`Purpose.isBound`).
        var userID: String?
        /// The dialect in which only the code is valid; `nil` means native.
        var dialect: String?
        /// The address of the app to which the link leads, in the dialect `supabase`.
        var redirect: String?
        /// Whether nothing is sent to a person who is not a user.
        var usersOnly = false
    }

    let otp: ServiceClient
    /// The service that knows who is a user.
    let users: ServiceClient

    /// Returns once the mail is on its way, whether the email address has an account or not.
    func callAsFunction(_ order: Order, _ call: ClientCall) async throws(Refusal) {
        let callID = try call.id(OTPOperations.requestMail.path, user: order.userID)
        let request = MailRequest(
            email: order.email, challenge: order.challenge, purpose: order.purpose, userID: order.userID,
            dialect: order.dialect, redirect: order.redirect,
            isUnwelcome: try await isWelcome(order, call) ? nil : true, locales: order.locales, address: call.address,
            callID: callID)
        try await otp.settle(OTPOperations.requestMail, request, for: call)
    }

    private func isWelcome(_ order: Order, _ call: ClientCall) async throws(Refusal) -> Bool {
        guard order.usersOnly else { return true }
        let request = WelcomeRequest(phone: order.email, usersOnly: true)
        return try await users.answer(AccountOperations.welcome, request, for: call).isWelcome
    }
}
