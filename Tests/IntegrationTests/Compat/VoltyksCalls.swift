import FoundationEssentials
import StrictJSON
import TestSupport

/// The requests of voltyks' document, and the shapes of their answers.
struct VoltyksCalls: Sendable {
    static let refreshPath = "/api/Auth/RefreshToken"
    static let loginPath = "/api/Auth/Login"

    let gateway: TestHTTPClient

    /// The contents of `data` in a login or a refresh.
    struct Tokens: Decodable, Sendable {
        let token: String?
        let accessToken: String?
        let refreshToken: String
        let accessTokenExpiresAt: String
        let refreshTokenExpiresAt: String

        /// Under either name.
        var access: String { token ?? accessToken ?? "" }
    }

    private struct Envelope: Decodable { let data: Tokens }

    func logIn(_ address: String, _ password: String) async throws -> HTTPAnswer {
        try await patiently {
            try await gateway.post(Self.loginPath, encoding: ["email": address, "password": password])
        }
    }

    /// Refreshes as printed: without a body, but with a media type for it.
    func refresh(_ token: String, path: String = refreshPath) async throws -> HTTPAnswer {
        try await refresh(authorization: ["Bearer \(token)"], path: path)
    }

    func refresh(authorization: [String], path: String = refreshPath) async throws -> HTTPAnswer {
        let headers = authorization.map { ("Authorization", $0) } + [("Content-Type", "application/json")]
        return try await gateway.send("POST", path, headers: headers)
    }

    /// Refreshes as printed, and returns what came.
    func refreshed(_ token: String) async throws -> Tokens {
        let answer = try await refresh(token)
        try Self.refreshed.check(answer)
        return try Self.tokens(in: answer)
    }

    func signIn(_ user: PasswordUser) async throws -> Tokens {
        let answer = try await logIn(user.address, user.password)
        try Self.loggedIn.check(answer)
        return try Self.tokens(in: answer)
    }

    static func tokens(in answer: HTTPAnswer) throws -> Tokens { try answer.decoded(Envelope.self).data }
}

/// The shapes of responses.
extension VoltyksCalls {
    static let refreshed = AnswerShape(
        status: 200,
        body: """
            {"status":true,"message":"TokenRefreshedSuccessfully","data":{"accessToken":"","refreshToken":"",\
            "accessTokenExpiresAt":"","refreshTokenExpiresAt":""}}
            """, varying: ["accessToken", "refreshToken", "accessTokenExpiresAt", "refreshTokenExpiresAt"])

    /// The document prints none, but its clients read `status`, `data.token` and `data.refreshToken`.
    static let loggedIn = AnswerShape(
        status: 200,
        body: """
            {"status":true,"message":"","data":{"token":"","refreshToken":"","accessTokenExpiresAt":"",\
            "refreshTokenExpiresAt":""}}
            """, varying: ["message", "token", "refreshToken", "accessTokenExpiresAt", "refreshTokenExpiresAt"])

    static func refusal(_ message: String) -> AnswerShape {
        AnswerShape(status: 401, body: #"{"status":false,"message":"\#(message)","data":null,"errors":null}"#)
    }

    static let mismatch = refusal("RefreshTokenMismatch")
    static let notFound = refusal("Refresh token not found")
    static let badFormat = refusal("Invalid refresh token format")
    static let invalidCredentials = refusal("InvalidCredentials")

    /// A problem of ours, which the printed clients cannot take for an end of the session: its `status` is a number.
    static func expectProblem(_ status: Int, _ answer: HTTPAnswer) throws {
        try hold(answer.status == status, "\(answer.status) is \(status)")
        try hold(answer.headers["content-type"]?.hasPrefix("application/problem+json") == true, "a problem")
        try hold(try answer.json["status"]?.integerValue == Int64(status), "\(answer.text) has its status as a number")
    }

    /// Every change of what the document prints.
    static let spoilings =
        AnswerSpoiling.all(
            200, of: refreshPath,
            [
                "status": "false", "message": "\"Refreshed\"", "data": "null", "accessToken": "\"x\"",
                "refreshToken": "\"555dce3b\"", "accessTokenExpiresAt": "\"2026-01-06T14:18:40Z\"",
                "refreshTokenExpiresAt": "\"2026-01-13 13:48:40\"",
            ])
        + AnswerSpoiling.all(
            200, of: loginPath,
            [
                "status": "false", "message": nil, "data": "null", "token": "\"x\"", "refreshToken": "\"555dce3b\"",
                "accessTokenExpiresAt": "\"2026-01-06T14:18:40Z\"",
                "refreshTokenExpiresAt": "\"2026-01-13 13:48:40\"",
            ])
        + ["RefreshTokenMismatch", "Refresh token not found", "Invalid refresh token format"].flatMap {
            AnswerSpoiling.all(
                401, of: refreshPath, having: $0,
                ["status": "true", "message": "\"Unauthorized\"", "data": "{}", "errors": "[]"])
        }
}
