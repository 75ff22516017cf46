package import AuthAPI

/// `latchkey-fakes` of a stack that runs with `LATCHKEY_FAKES=1`.
package struct FakeProviders: Sendable {
    /// A mail that a provider has taken.
    package struct Mail: Decodable, Sendable {
        package let from, subject: String
        package let text, source: String?
    }

    /// A text message or a call that Twilio has taken.
    package struct PhoneMessage: Decodable, Sendable {
        package let id, provider, channel, to, text: String
        package let code: String?
        package let fields: [String: String]
    }

    /// A token of Apple's or an OpenID Connect provider's.
    package struct IdentityToken: Decodable, Sendable {
        package let identityToken: String
        /// The token with another valid signature; only with ES256.
        package let twin: String?
        /// The authorization code that came with it; only of Apple's.
        package let authorizationCode: String?
    }

    /// A refresh token that Apple has issued.
    package struct AppleToken: Decodable, Sendable {
        package let token, subject, clientID: String
        package let revocations: Int
    }

    private let http: TestHTTPClient

    package init(of stack: LatchkeyStack) throws { http = try stack.service("fakes") }

    /// Says what the next calls of a provider come to, as a JSON list of steps.
    package func script(_ steps: String) async throws { try await done("POST", "/fakes/script", steps) }
    /// The number of steps that calls have used since the script was cleared.
    package func usedSteps() async throws -> Int {
        try await http.get("/fakes/script").decoded([String: Int].self)["used"] ?? 0
    }
    /// Lets the providers do again what they do by themselves.
    package func clearScript() async throws { try await done("DELETE", "/fakes/script") }
    /// Has Resend call its webhook.
    package func tell(_ event: String) async throws { try await done("POST", "/fakes/events", event) }
    /// Returns a valid token of a provider of the policy, as the lines that `deploy/run` prints request it.
    package func identityToken(ofProvider name: String, nonce: String) async throws -> String {
        let answer = try await http.get("/fakes/identity-token?provider=\(name)&subject=betty&nonce=\(nonce)")
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "GET /fakes/identity-token", answer) }
        return answer.text
    }

    /// An identity token by a wish as JSON, and its twin.
    package func identityToken(_ wish: String = "{}") async throws -> IdentityToken {
        let answer = try await http.post("/fakes/identity-token", wish)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /fakes/identity-token", answer) }
        return try answer.decoded()
    }

    /// The refresh tokens that Apple has issued for a subject.
    package func appleTokens(of subject: String) async throws -> [AppleToken] {
        struct Ledger: Decodable { let tokens: [AppleToken] }
        return try await http.get("/fakes/apple").decoded(Ledger.self).tokens.filter { $0.subject == subject }
    }

    /// A signed notification of Apple's, by a wish as JSON.
    package func appleNotification(_ wish: String) async throws -> String {
        let answer = try await http.post("/fakes/apple/notification", wish)
        guard answer.status == 200, let payload = try answer.decoded([String: String].self)["payload"] else {
            throw UnexpectedAnswer(to: "POST /fakes/apple/notification", answer)
        }
        return payload
    }

    /// How often the keys of `apple`, `oidc` or `fpnv` were fetched.
    package func keyFetches(of issuer: String) async throws -> Int {
        try await http.get("/fakes/identity-keys").decoded([String: Int].self)[issuer] ?? 0
    }

    /// Returns the mails accepted for an address, newest first.
    package func mails(to address: String) async throws -> [Mail] {
        try await http.get("/fakes/mails?to=\(address)").decoded()
    }

    /// Returns the messages that Twilio has accepted for a phone number, newest first.
    package func messages(to number: String) async throws -> [PhoneMessage] {
        try await http.get("/fakes/messages?to=\(number.replacing("+", with: "%2B"))").decoded()
    }
    /// Has Twilio tell what became of a message.
    package func tellTwilio(_ wish: String) async throws { try await done("POST", "/fakes/twilio", wish) }

    private func done(_ method: String, _ path: String, _ body: String = "") async throws {
        let answer = try await http.send(method, path, body: Array(body.utf8))
        guard answer.status == 204 else { throw UnexpectedAnswer(to: "\(method) \(path)", answer) }
    }
}

extension LatchkeyStack {
    /// Asks for a mail without a link.
    package func requestMail(_ address: String) async throws -> HTTPAnswer {
        try await gateway.post("/auth/magic-link/request", encoding: MailRequestBody(email: address))
    }

    /// Signs in with the code of a mail that a fake provider has taken.
    package func signInByMail(_ address: String, through fakes: FakeProviders) async throws -> SignInReply {
        let asked = try await requestMail(address)
        guard asked.status == 200, let mail = try await fakes.mails(to: address).first else {
            throw UnexpectedAnswer(to: "POST /auth/magic-link/request", asked)
        }
        let body = MailVerifyBody(email: address, code: String(mail.subject.prefix(6)))
        let answer = try await gateway.post("/auth/magic-link/verify", encoding: body)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/magic-link/verify", answer) }
        return try answer.decoded()
    }
}
