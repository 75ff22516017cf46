import AuthAPI
import Foundation
import StrictJSON
import TestSupport
import Testing

/// The same requests in the words of five documents.
struct FiveDialectsCalls: Sendable {
    /// Somebody with an address, a password and perhaps a phone.
    struct Person: Sendable {
        let address: String
        let password: String
        /// Ten digits of an Indian number.
        var phone = ""
    }

    struct Session: Sendable {
        let access: String
        let refresh: String
    }

    /// bcrypt of `movedPassword`.
    private static let hash = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
    private static let movedPassword = "abc"

    let stack: LatchkeyStack

    /// A user with a proved address, a password and a phone: the one kind that every API can sign in.
    func movedIn() async throws -> Person {
        let person = Person(
            address: LatchkeyStack.freshAddress(), password: Self.movedPassword, phone: AarokyaCalls.freshPhone())
        let line =
            #"{"email":"\#(person.address)","emailVerified":true,"phone":"+91\#(person.phone)","#
            + #""passwordHash":"\#(Self.hash)"}"#
        let file = stack.dataDirectory + "/import-\(UUID().uuidString).jsonl"
        try Data(line.utf8).write(to: URL(filePath: file))
        let outcome = try await stack.control("users import '\(file)'")
        try #require(outcome.isSuccess, "\(outcome)")
        return person
    }

    func signInEverywhere(_ person: Person) async throws -> [String: Session] {
        var sessions: [String: Session] = [:]
        for dialect in ["native", "aarokya", "voltyks", "gremlin", "uta"] {
            sessions[dialect] = try await session(of: person, in: dialect)
        }
        return sessions
    }

    func session(of person: Person, in dialect: String) async throws -> Session {
        switch dialect {
        case "native":
            let tokens = try await stack.signIn(phone: "+91" + person.phone).tokens
            return Session(access: tokens.accessToken, refresh: tokens.refreshToken)
        case "aarokya":
            let tokens = try await AarokyaCalls(stack: stack).signIn(person.phone)
            return Session(access: tokens.accessToken, refresh: tokens.refreshToken)
        default:
            let answer = try await logIn(person, in: dialect)
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "login in \(dialect)", answer) }
            let (place, access, refresh) = Self.tokenMembers(dialect)
            let tokens = try answer.json[place]
            return Session(
                access: try #require(tokens?[access]?.stringValue), refresh: try #require(tokens?[refresh]?.stringValue)
            )
        }
    }

    private static func tokenMembers(_ dialect: String) -> (place: String, access: String, refresh: String) {
        switch dialect {
        case "voltyks": ("data", "token", "refreshToken")
        case "gremlin": ("session", "token", "refreshToken")
        default: ("tokens", "access", "refresh")
        }
    }

    func logIn(_ person: Person, in dialect: String) async throws -> HTTPAnswer {
        let body = LoginBody(email: person.address, password: person.password)
        return switch dialect {
        case "voltyks": try await post("/api/Auth/Login", body, host: FiveDialectsPolicy.voltyksHost)
        case "gremlin": try await post("/api/auth/sign-in-email", body)
        case "uta": try await post("/auth/login", body, host: FiveDialectsPolicy.utaHost)
        default: try await post("/auth/login", body)
        }
    }

    func refresh(_ token: String, in dialect: String) async throws -> HTTPAnswer {
        switch dialect {
        case "aarokya": try await AarokyaCalls(stack: stack).refresh(token)
        case "voltyks":
            try await stack.gateway.send(
                "POST", "/api/Auth/RefreshToken",
                headers: [
                    ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"),
                    ("Host", FiveDialectsPolicy.voltyksHost),
                ])
        case "gremlin": try await post("/api/auth/refresh", RefreshBody(refreshToken: token))
        case "uta":
            try await post("/auth/refresh", RefreshBody(refreshToken: token), host: FiveDialectsPolicy.utaHost)
        default: try await post("/auth/refresh", RefreshBody(refreshToken: token))
        }
    }

    func post(_ path: String, _ body: some Encodable, host: String? = nil) async throws -> HTTPAnswer {
        try await stack.gateway.post(path, encoding: body, headers: host.map { [("Host", $0)] } ?? [])
    }

    func get(_ path: String, host: String?) async throws -> HTTPAnswer {
        try await stack.gateway.send("GET", path, headers: host.map { [("Host", $0)] } ?? [])
    }
}

/// What answers look like.
extension FiveDialectsCalls {
    func refreshed(_ dialect: String) -> AnswerShape {
        switch dialect {
        case "aarokya": AarokyaCalls.refreshed
        case "voltyks":
            AnswerShape(
                status: 200,
                body:
                    #"{"status":true,"message":"TokenRefreshedSuccessfully","data":{"accessToken":"","refreshToken":"","#
                    + #""accessTokenExpiresAt":"","refreshTokenExpiresAt":""}}"#,
                varying: ["accessToken", "refreshToken", "accessTokenExpiresAt", "refreshTokenExpiresAt"])
        case "gremlin":
            AnswerShape(
                status: 200, body: #"{"session":{"token":"","refreshToken":"","expiresAt":""}}"#,
                varying: ["token", "refreshToken", "expiresAt"])
        case "uta":
            AnswerShape(
                status: 200,
                body: #"{"accessToken":"","refreshToken":"","expiresIn":0,"tokens":{"access":"","refresh":""}}"#,
                varying: ["accessToken", "refreshToken", "expiresIn", "access", "refresh"])
        default:
            AnswerShape(
                status: 200, body: #"{"accessToken":"","refreshToken":"","expiresIn":0}"#,
                varying: ["accessToken", "refreshToken", "expiresIn"])
        }
    }

    /// What a refresh of somebody who is deactivated is told.
    func inactive(_ dialect: String) -> AnswerShape {
        switch dialect {
        case "aarokya": AarokyaCalls.refusal(403, "ACCOUNT_INACTIVE")
        case "voltyks": Self.envelope("RefreshTokenMismatch")
        case "gremlin": Self.forbidden("ACCOUNT_INACTIVE", isActive: false)
        default:
            AnswerShape(
                status: 403,
                body: #"{"type":"about:blank","title":"","status":403,"code":"account_inactive","success":false,"#
                    + #""error":"account_inactive"}"#,
                varying: ["title"])
        }
    }

    static func envelope(_ message: String) -> AnswerShape {
        AnswerShape(status: 401, body: #"{"status":false,"message":"\#(message)","data":null,"errors":null}"#)
    }

    static func coded(_ status: Int, _ code: String) -> AnswerShape {
        AnswerShape(status: status, body: #"{"code":"\#(code)","message":""}"#, varying: ["message"])
    }

    static func forbidden(_ code: String, isActive: Bool) -> AnswerShape {
        AnswerShape(
            status: 403, body: #"{"code":"\#(code)","message":"","is_active":\#(isActive)}"#, varying: ["message"])
    }
}
