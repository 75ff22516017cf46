import FoundationEssentials
import TestSupport

/// The requests of gremlin's document, and the shapes of their answers.
struct GremlinCalls: Sendable {
    static let signInPath = "/api/auth/sign-in-email"
    static let betterAuthPath = "/api/auth/sign-in/email"
    static let refreshPath = "/api/auth/refresh"
    static let usersPath = "/api/admin/users"

    let gateway: TestHTTPClient

    struct User: Decodable, Sendable {
        let id: String
        let email: String
        let role: String
    }

    struct Session: Decodable, Sendable {
        let token: String
        let refreshToken: String
        let expiresAt: String
    }

    struct SignIn: Decodable, Sendable {
        let user: User
        let session: Session
    }

    private struct Refreshed: Decodable { let session: Session }

    func signIn(_ address: String, _ password: String, path: String = signInPath) async throws -> HTTPAnswer {
        try await patiently { try await gateway.post(path, encoding: ["email": address, "password": password]) }
    }

    /// Signs in as printed, and returns what came.
    func signIn(_ user: PasswordUser, path: String = signInPath) async throws -> SignIn {
        let answer = try await signIn(user.address, user.password, path: path)
        try Self.signedIn.check(answer)
        return try answer.decoded()
    }

    func refresh(_ token: String) async throws -> HTTPAnswer {
        try await gateway.post(Self.refreshPath, encoding: ["refreshToken": token])
    }

    func refreshed(_ token: String) async throws -> Session {
        let answer = try await refresh(token)
        try Self.refreshed.check(answer)
        return try answer.decoded(Refreshed.self).session
    }

    func signOut(_ token: String) async throws -> HTTPAnswer {
        try await gateway.send("POST", "/api/auth/sign-out", headers: [("Authorization", "Bearer \(token)")])
    }

    func users(_ token: String?, query: String = "") async throws -> HTTPAnswer {
        try await gateway.get(Self.usersPath + query, bearer: token)
    }
}

/// The shapes of responses.
extension GremlinCalls {
    private static let varying: Set = [
        "id", "email", "name", "role", "token", "refreshToken", "expiresAt", "nextCursor",
    ]

    static let signedIn = AnswerShape(
        status: 200,
        body: """
            {"user":{"id":"","email":"","name":"","role":"","is_active":true},\
            "session":{"token":"","refreshToken":"","expiresAt":""}}
            """, varying: varying)

    static let refreshed = AnswerShape(
        status: 200, body: #"{"session":{"token":"","refreshToken":"","expiresAt":""}}"#, varying: varying)

    /// - Parameter isLast: whether no page comes after.
    static func page(isLast: Bool) -> AnswerShape {
        let next = isLast ? "null" : "\"\""
        return AnswerShape(
            status: 200,
            body: #"{"users":[{"id":"","email":"","role":"","is_active":true}],"nextCursor":\#(next)}"#,
            varying: varying.union(["is_active"]), additions: ["name"])
    }

    static func refusal(_ status: Int, _ code: String) -> AnswerShape {
        AnswerShape(status: status, body: #"{"code":"\#(code)","message":""}"#, varying: ["message"])
    }

    /// Returns the 403 from which a client learns whether the user is active.
    static func forbidden(_ code: String, isActive: Bool) -> AnswerShape {
        AnswerShape(
            status: 403, body: #"{"code":"\#(code)","message":"","is_active":\#(isActive)}"#, varying: ["message"],
            additions: ["required_roles"])
    }

    /// Every change of what the document prints, and of what its words ask for.
    static let spoilings =
        AnswerSpoiling.all(
            200, of: signInPath,
            [
                "user": "{}", "id": "1", "email": "\"x\"", "name": "7", "role": "\"user\"", "is_active": "false",
                "session": "null", "token": "\"x\"", "refreshToken": "7", "expiresAt": "\"2026-04-13T16:00:00\"",
            ])
        + AnswerSpoiling.all(
            200, of: refreshPath,
            ["session": "null", "token": "\"x\"", "refreshToken": "7", "expiresAt": "\"2026-04-13T16:00:00\""])
        + AnswerSpoiling.all(
            200, of: usersPath,
            ["users": "{}", "id": "7", "email": "7", "role": "7", "is_active": "7", "nextCursor": "7"])
        + AnswerSpoiling.all(401, of: usersPath, ["code": "\"NO\"", "message": "7"])
        + AnswerSpoiling.all(403, of: usersPath, ["code": "\"NO\"", "message": "7", "is_active": "false"])
}
