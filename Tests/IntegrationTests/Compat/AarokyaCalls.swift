import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

/// The requests of aarokya's document, and the shapes of their answers.
struct AarokyaCalls: Sendable {
    /// The fixed code of UAT.
    static let code = "123456"
    static let verifyPath = "/auth/otp/verify"

    let stack: LatchkeyStack

    struct Tokens: Decodable, Sendable {
        let accessToken: String
        let refreshToken: String
        let accessTokenExpiresAt: Int64
        let isNewUser: Bool?

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case refreshToken = "refresh_token"
            case accessTokenExpiresAt = "access_token_expires_at"
            case isNewUser = "is_new_user"
        }
    }

    /// Returns a new Indian mobile number of ten digits.
    static func freshPhone() -> String { "98" + String(Int.random(in: 10_000_000..<100_000_000)) }

    func trigger(_ phone: String) async throws -> HTTPAnswer {
        try await stack.gateway.post("/auth/otp/trigger", #"{"phone": "\#(phone)"}"#)
    }

    func verify(_ phone: String, _ otp: String = Self.code) async throws -> HTTPAnswer {
        try await stack.gateway.post(Self.verifyPath, #"{"phone": "\#(phone)", "otp": "\#(otp)"}"#)
    }

    func refresh(_ token: String) async throws -> HTTPAnswer {
        try await stack.gateway.post("/auth/token/refresh", #"{"refresh_token": "\#(token)"}"#)
    }

    func profile(_ token: String) async throws -> HTTPAnswer {
        try await stack.gateway.get("/user/profile", bearer: token)
    }

    func logOut(_ token: String) async throws -> HTTPAnswer {
        try await stack.gateway.send("POST", "/auth/logout", headers: [("Authorization", "Bearer \(token)")])
    }

    /// Signs in with UAT's code, or with the one that was sent.
    func signIn(_ phone: String = freshPhone(), code: String = Self.code) async throws -> Tokens {
        try Self.success.check(try await trigger(phone))
        let answer = try await verify(phone, code)
        try Self.signedIn(isNew: nil).check(answer)
        return try answer.decoded()
    }

    /// Deactivates or reactivates a user, like the operator.
    func change(_ user: String, isActive: Bool) async throws {
        try await stack.change(user, isActive: isActive)
    }
}

/// The shapes of responses.
extension AarokyaCalls {
    static let success = AnswerShape(status: 200, body: #"{"success":true}"#)

    static let refreshed = AnswerShape(
        status: 200, body: #"{"access_token":"","refresh_token":"","access_token_expires_at":0}"#,
        varying: ["access_token", "refresh_token", "access_token_expires_at"])

    static let profile = AnswerShape(
        status: 200, body: #"{"id":"","phone_number":"","role":"user","created_at":0}"#,
        varying: ["id", "phone_number", "name", "created_at"], additions: ["name", "email"])

    /// - Parameter isNew: nil for either.
    static func signedIn(isNew: Bool?) -> AnswerShape {
        AnswerShape(
            status: 200,
            body:
                #"{"access_token":"","refresh_token":"","access_token_expires_at":0,"is_new_user":\#(isNew ?? true)}"#,
            varying: refreshed.varying.union(isNew == nil ? ["is_new_user"] : []))
    }

    static func refusal(_ status: Int, _ code: String) -> AnswerShape {
        AnswerShape(status: status, body: #"{"error":"\#(code)","message":""}"#, varying: ["message"])
    }

    static let invalidToken = refusal(401, "INVALID_TOKEN")
    static let missingToken = refusal(401, "MISSING_TOKEN")
    static let invalidOTP = refusal(401, "INVALID_OTP")
    static let tooManyAttempts = refusal(429, "TOO_MANY_OTP_ATTEMPTS")
    static let rateLimited = refusal(429, "RATE_LIMIT_EXCEEDED")
    static let invalidRequest = refusal(400, "INVALID_REQUEST")
}

extension HTTPAnswer {
    /// Seconds after which the client may come again.
    var retryAfter: Int { headers["retry-after"].flatMap { Int($0) } ?? 0 }
}
