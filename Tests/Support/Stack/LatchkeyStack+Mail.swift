package import AuthAPI
import CryptoPrimitives
import FoundationEssentials

/// A sign-in mail in the inbox, and what its asker kept.
package struct AskedMail: Sendable {
    package let address: String
    /// RFC 7636 §4.1.
    package let verifier: String
    package let message: LatchkeyStack.Message

    /// The token at the end of the link.
    package var token: String { message.link?.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "" }
    /// The request of the client's app after the link has opened it.
    package var byLink: MailVerifyBody { MailVerifyBody(token: token, verifier: verifier) }
    /// The request of the app after the code was entered.
    package var byCode: MailVerifyBody { MailVerifyBody(email: address, code: message.code) }
}

extension LatchkeyStack {
    /// Returns a new email address.
    package static func freshAddress() -> String { "ann.\(UUID().uuidString.lowercased())@example.com" }

    /// Asks for a sign-in mail, as an app that can open links, and waits until the inbox has it.
    package func askForMail(to address: String = freshAddress(), locale: String? = nil) async throws -> AskedMail {
        let verifier = Base64URL.encode(SecureRandom.bytes(32))
        let before = try await messages(to: address).first?.id
        let body = MailRequestBody(
            email: address, challenge: Base64URL.encode(SHA256.hash(Array(verifier.utf8))), locale: locale)
        let answer = try await gateway.post("/auth/magic-link/request", encoding: body)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/magic-link/request", answer) }
        var newest: Message?
        try await eventually("a mail arrives") {
            newest = try await messages(to: address).first
            return newest != nil && newest?.id != before
        }
        guard let newest else { throw UnexpectedAnswer(to: "the inbox", answer) }
        return AskedMail(address: address, verifier: verifier, message: newest)
    }
}
