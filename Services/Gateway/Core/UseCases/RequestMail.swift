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
    }

    private static let limitSeconds: Int64 = 60
    private static let providerSeconds: Int64 = 5

    let otp: ServiceClient

    /// Returns once the mail is on its way, whether the email address has an account or not.
    func callAsFunction(_ order: Order, _ call: ClientCall) async throws(Refusal) {
        let request = MailRequest(
            email: order.email, challenge: order.challenge, purpose: order.purpose, locales: order.locales,
            address: call.address, callID: try call.id(OTPOperations.requestMail.path, user: nil))
        guard case .answer(let answer) = try await otp.ask(OTPOperations.requestMail, request, for: call) else {
            throw .invalidMember
        }
        switch answer.result {
        case .sent, .suppressed: return
        case .rateLimited:
            throw .tooMany(answer.limit ?? .sends, retryAfterSeconds: answer.retryAfterSeconds ?? Self.limitSeconds)
        case .invalidEmail, .invalidPhone, .blockedCountry, .unsupportedChannel: throw .invalidEmail
        case .providerError: throw .codeNotSent(retryAfterSeconds: answer.retryAfterSeconds ?? Self.providerSeconds)
        case .undeliverable, .optedOut: throw .undeliverableEmail
        case .off: throw .notFound
        }
    }
}
