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
    }

    let otp: ServiceClient

    /// Returns once the mail is on its way, whether the email address has an account or not.
    func callAsFunction(_ order: Order, _ call: ClientCall) async throws(Refusal) {
        let request = MailRequest(
            email: order.email, challenge: order.challenge, purpose: order.purpose, userID: order.userID,
            locales: order.locales, address: call.address,
            callID: try call.id(OTPOperations.requestMail.path, user: order.userID))
        try await otp.settle(OTPOperations.requestMail, request, for: call)
    }
}
