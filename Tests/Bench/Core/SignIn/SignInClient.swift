import AuthAPI
import StrictJSON

/// The ways to sign in.
enum SignInWay: String, Sendable, CaseIterable {
    case phone, email, apple, passkey

    /// The number, the address or Apple's identifier of a user: each index another one.
    func recipient(_ index: Int) -> String {
        switch self {
        case .phone, .passkey: SignInNumbers.number(index)
        case .email: "user\(index)@example.com"
        case .apple: "000123.\(index)"
        }
    }
}

/// Phone numbers for a load: each index another one, all possible, spread over many prefixes.
enum SignInNumbers {
    /// Area codes of +1 (200 to 899), none of which the policies block.
    static let areas = 200..<900
    private static let perArea = 10_000_000
    /// How many different numbers there are.
    static let countMax = areas.count * perArea

    /// E.164; neighbours lie in different areas, since limits may count by prefix.
    static func number(_ index: Int) -> String {
        let place = ((index % countMax) + countMax) % countMax
        let (rest, area) = place.quotientAndRemainder(dividingBy: areas.count)
        let digits = String(rest)
        return "+1\(areas.lowerBound + area)" + String(repeating: "0", count: 7 - digits.count) + digits
    }
}

/// One user: asks for a code, reads the message and signs in, or signs in with a token of Apple's.
struct SignInClient: Sendable {
    /// How long the request for a code and the sign-in took.
    struct Latencies: Sendable {
        /// `nil` if no code was needed.
        let requestMilliseconds: Double?
        let verifyMilliseconds: Double
    }

    private let hooks: HookReceiver
    private let way: SignInWay
    private let isNew: Bool

    /// - Parameter isNew: whether the users have no account yet.
    init(hooks: HookReceiver, by way: SignInWay = .phone, isNew: Bool = true) {
        self.hooks = hooks
        self.way = way
        self.isNew = isNew
    }

    /// Signs a user in.
    ///
    /// - Throws: `UnexpectedReply` unless every answer is what the API's document promises.
    func signIn(_ recipient: String, over connection: LoadConnection) async throws -> Latencies {
        let start = ContinuousClock.now
        let request =
            way == .apple
            ? try Self.appleSignIn(recipient) : try await codeAndVerification(recipient, connection)
        let requested = ContinuousClock.now
        _ = try reply(to: request, try await connection.send(request), recipient)
        return Latencies(
            requestMilliseconds: way == .apple ? nil : (requested - start) / .milliseconds(1),
            verifyMilliseconds: (ContinuousClock.now - requested) / .milliseconds(1))
    }

    /// Signs a new user in and returns the tokens.
    func tokens(_ recipient: String, over connection: LoadConnection) async throws -> TokenReply {
        let request = try await codeAndVerification(recipient, connection)
        return try reply(to: request, try await connection.send(request), recipient).tokens
    }

    /// Signs a new user in as a web page, which gets the tokens in cookies.
    func pageSession(_ number: String, over connection: LoadConnection) async throws -> RefreshableSession {
        let request = try await codeAndVerification(number, connection, headers: [("Origin", connection.origin)])
        let answer = try await connection.send(request)
        guard answer.status == 200, let token = answer.cookie("latchkey-refresh"),
            let secret = answer.cookie("latchkey-page")
        else { throw UnexpectedReply(description: "a page's sign-in sets no cookies: \(answer.status)") }
        return RefreshableSession(token: token, pageSecret: secret)
    }

    private static func appleSignIn(_ subject: String) throws -> LoadRequest {
        try .post("/auth/apple", IdentityTokenBody(identityToken: try AppleTokens.token(of: subject)))
    }

    /// Requests a code, and returns the request that signs in with the code that was sent.
    private func codeAndVerification(
        _ recipient: String, _ connection: LoadConnection, headers: [(String, String)] = []
    ) async throws -> LoadRequest {
        let isMail = way == .email
        let request: LoadRequest =
            isMail
            ? try .post("/auth/magic-link/request", MailRequestBody(email: recipient)) : .codeRequest(recipient)
        let pending = try await connection.send(request).decoded(PendingReply.self, of: request.path)
        guard pending.status == "pending", let code = hooks.takeCode(for: recipient) else {
            throw UnexpectedReply(description: "the message had not arrived when its request was answered")
        }
        return isMail
            ? try .post("/auth/magic-link/verify", MailVerifyBody(email: recipient, code: code, name: "Betty"))
            : try .post(
                "/auth/otp/verify", OTPVerifyBody(phoneNumber: recipient, countryCode: "US", code: code, name: "Betty"),
                headers: headers)
    }

    private func reply(to request: LoadRequest, _ answer: LoadAnswer, _ recipient: String) throws -> SignInReply {
        let reply = try answer.decoded(SignInReply.self, of: request.path)
        let isSame = way == .apple || (reply.user.phoneNumber ?? reply.user.email) == recipient
        guard reply.success, reply.isNewUser == isNew, isSame, !reply.tokens.refreshToken.isEmpty,
            reply.tokens.accessToken.split(separator: ".").count == 3
        else { throw UnexpectedReply(description: "\(request.path) is not the expected user's sign-in") }
        return reply
    }

    private struct PendingReply: Decodable {
        let status: String
    }
}

extension LoadRequest {
    static func codeRequest(_ number: String) -> LoadRequest {
        LoadRequest(
            "POST", "/auth/otp/request", headers: app,
            body: Array(#"{"phoneNumber":"\#(number)","countryCode":"US"}"#.utf8))
    }

    static func guess(_ number: String, _ code: String) -> LoadRequest {
        LoadRequest(
            "POST", "/auth/otp/verify", headers: app,
            body: Array(#"{"phoneNumber":"\#(number)","countryCode":"US","code":"\#(code)"}"#.utf8))
    }
}
