import AuthAPI
import StrictJSON

/// An answer that no sign-in can go on with; names no number, code or token.
package struct UnexpectedReply: Error, CustomStringConvertible {
    package let description: String
}

/// The ways to sign in.
package enum SignInWay: String, Sendable, CaseIterable {
    case phone, email, apple

    /// The ways in which a code is sent.
    static let byCode: [SignInWay] = [.phone, .email]

    /// The number, the address or Apple's identifier of a user: each index another one.
    func recipient(_ index: Int) -> String {
        switch self {
        case .phone: SignInNumbers.number(index)
        case .email: "user\(index)@example.com"
        case .apple: "000123.\(index)"
        }
    }
}

/// One user: asks for a code, reads the message and signs in, or signs in with a token of Apple's.
package struct SignInClient: Sendable {
    /// How long the request for a code and the sign-in took.
    package struct Latencies: Sendable {
        /// `nil` if no code was needed.
        package let requestMilliseconds: Double?
        package let verifyMilliseconds: Double
    }

    private let hooks: HookReceiver

    private let way: SignInWay

    package init(hooks: HookReceiver, by way: SignInWay = .phone) {
        self.hooks = hooks
        self.way = way
    }

    /// Signs a new user in.
    ///
    /// - Throws: `UnexpectedReply` unless every answer is what the API's document promises.
    package func signIn(_ recipient: String, over connection: LoadConnection) async throws -> Latencies {
        if way == .apple { return try await signInByApple(recipient, connection) }
        let start = ContinuousClock.now
        try await requestCode(recipient, connection)
        let requested = ContinuousClock.now
        guard let code = hooks.takeCode(for: recipient) else {
            throw UnexpectedReply(description: "the message had not arrived when its request was answered")
        }
        _ = try await verify(recipient, code, connection)
        return Latencies(
            requestMilliseconds: (requested - start) / .milliseconds(1),
            verifyMilliseconds: (ContinuousClock.now - requested) / .milliseconds(1))
    }

    /// Signs a new user in and returns the tokens.
    func tokens(_ number: String, over connection: LoadConnection) async throws -> TokenReply {
        try await requestCode(number, connection)
        guard let code = hooks.takeCode(for: number) else {
            throw UnexpectedReply(description: "the message had not arrived when its request was answered")
        }
        return try await verify(number, code, connection).tokens
    }

    /// Signs a new user in as a web page, which gets the tokens in cookies.
    func pageSession(_ number: String, over connection: LoadConnection) async throws -> RefreshableSession {
        try await requestCode(number, connection)
        guard let code = hooks.takeCode(for: number) else {
            throw UnexpectedReply(description: "the message had not arrived when its request was answered")
        }
        let body = OTPVerifyBody(phoneNumber: number, countryCode: "US", code: code, name: "Betty")
        let headers = [("Content-Type", "application/json"), ("Origin", connection.origin)]
        let answer = try await connection.send(
            LoadRequest("POST", "/auth/otp/verify", headers: headers, body: try StrictJSON.encode(body)))
        guard answer.status == 200, let token = answer.cookie("latchkey-refresh"),
            let secret = answer.cookie("latchkey-page")
        else { throw UnexpectedReply(description: "a page's sign-in sets no cookies: \(answer.status)") }
        return RefreshableSession(
            token: String(decoding: token, as: UTF8.self), pageSecret: String(decoding: secret, as: UTF8.self))
    }

    private func signInByApple(_ subject: String, _ connection: LoadConnection) async throws -> Latencies {
        let body = IdentityTokenBody(identityToken: try AppleStandIn.token(of: subject))
        let start = ContinuousClock.now
        let reply = try await post("/auth/apple", body, connection, SignInReply.self)
        let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        guard isNewUser(reply) else {
            throw UnexpectedReply(description: "a valid token is not a new user's sign-in")
        }
        return Latencies(requestMilliseconds: nil, verifyMilliseconds: milliseconds)
    }

    private func isNewUser(_ reply: SignInReply) -> Bool {
        reply.success && reply.isNewUser && reply.tokens.accessToken.split(separator: ".").count == 3
            && !reply.tokens.refreshToken.isEmpty
    }

    private func requestCode(_ recipient: String, _ connection: LoadConnection) async throws {
        let status =
            switch way {
            case .phone, .apple:
                try await post(
                    "/auth/otp/request", OTPRequestBody(phoneNumber: recipient, countryCode: "US"), connection,
                    OTPRequestReply.self
                ).status
            case .email:
                try await post(
                    "/auth/magic-link/request", MailRequestBody(email: recipient), connection, MailRequestReply.self
                ).status
            }
        guard status == "pending" else { throw UnexpectedReply(description: "a request for a code is not pending") }
    }

    private func verify(
        _ recipient: String, _ code: String, _ connection: LoadConnection
    ) async throws -> SignInReply {
        let reply =
            switch way {
            case .phone, .apple:
                try await post(
                    "/auth/otp/verify",
                    OTPVerifyBody(phoneNumber: recipient, countryCode: "US", code: code, name: "Betty"), connection,
                    SignInReply.self)
            case .email:
                try await post(
                    "/auth/magic-link/verify", MailVerifyBody(email: recipient, code: code, name: "Betty"), connection,
                    SignInReply.self)
            }
        guard isNewUser(reply), (reply.user.phoneNumber ?? reply.user.email) == recipient else {
            throw UnexpectedReply(description: "a right code is not a new user's sign-in")
        }
        return reply
    }

    private func post<Reply: Decodable>(
        _ path: String, _ body: some Encodable, _ connection: LoadConnection, _ type: Reply.Type
    ) async throws -> Reply {
        let headers = [("Content-Type", "application/json"), ("User-Agent", "HowRU/2.1 (iPhone; iOS 19.0)")]
        let answer = try await connection.send(
            LoadRequest("POST", path, headers: headers, body: try StrictJSON.encode(body)))
        guard answer.status == 200 else {
            throw UnexpectedReply(description: "POST \(path): \(answer.status) \(Self.code(of: answer.body))")
        }
        return try StrictJSON.decode(Reply.self, from: answer.body, limits: .own)
    }

    /// The stable code of a problem, and nothing else of it.
    private static func code(of body: [UInt8]) -> String {
        // Not a problem of ours: the status has to do.
        do { return try StrictJSON.decode(Refusal.self, from: body, limits: .own).code } catch { return "" }
    }

    private struct Refusal: Decodable {
        let code: String
    }
}
