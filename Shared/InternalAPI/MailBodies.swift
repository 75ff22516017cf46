/// Asks for a sign-in mail.
package struct MailRequest: Codable, Sendable, Equatable {
    /// As the client wrote it; otp-service makes the one spelling of it.
    package var email: String
    /// BASE64URL(SHA-256(verifier)), RFC 7636; without it the mail has a code and no link.
    package var challenge: String?
    package var purpose: Purpose
    /// The languages that the client asks for, best first.
    package var locales: [String]
    /// The client's address, for limits; text form of IPv4 or IPv6.
    package var address: String
    /// Makes a repeat of this very call harmless: neither counted nor sent twice.
    package var callID: String

    package init(
        email: String, challenge: String?, purpose: Purpose, locales: [String], address: String, callID: String
    ) {
        self.email = email
        self.challenge = challenge
        self.purpose = purpose
        self.locales = locales
        self.address = address
        self.callID = callID
    }
}

/// Presents what came by mail: a code with its address, or a link's token with the asker's verifier.
package struct MailVerify: Codable, Sendable, Equatable {
    package var email: String?
    package var code: String?
    package var token: String?
    package var verifier: String?
    package var purpose: Purpose
    package var address: String
    /// As in `MailRequest`.
    package var callID: String

    package init(
        email: String? = nil, code: String? = nil, token: String? = nil, verifier: String? = nil, purpose: Purpose,
        address: String, callID: String
    ) {
        self.email = email
        self.code = code
        self.token = token
        self.verifier = verifier
        self.purpose = purpose
        self.address = address
        self.callID = callID
    }
}
