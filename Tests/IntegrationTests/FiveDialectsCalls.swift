import AuthAPI
import Foundation
import StrictJSON
import TestSupport
import Testing

/// Equivalent requests in the words of five documents.
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

    static let dialects = ["native", "aarokya", "voltyks", "gremlin", "uta"]

    let stack: LatchkeyStack

    /// The host whose requests are a dialect's; nil: it needs none.
    static func host(_ dialect: String) -> String? {
        switch dialect {
        case "voltyks": FiveDialectsPolicy.voltyksHost
        case "uta": FiveDialectsPolicy.utaHost
        default: nil
        }
    }

    static func refreshPath(_ dialect: String) -> String {
        switch dialect {
        case "aarokya": "/auth/token/refresh"
        case "voltyks": VoltyksCalls.refreshPath
        case "gremlin": GremlinCalls.refreshPath
        default: "/auth/refresh"
        }
    }

    /// A path below `place` whose refusals have the dialect's shape.
    static func path(_ place: String, _ trouble: String, in dialect: String) -> String {
        ["native", "gremlin"].contains(dialect) ? "/\(place)/\(dialect)/\(trouble)" : "/\(place)/\(trouble)"
    }

    /// A user with a verified address, a password and a phone: the one kind that every API can sign in.
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
        for dialect in Self.dialects {
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

    func register(_ body: RegisterBody, in dialect: String) async throws -> HTTPAnswer {
        try await patiently { try await post("/auth/register", body, host: Self.host(dialect)) }
    }

    func logIn(_ person: Person, in dialect: String) async throws -> HTTPAnswer {
        let body = LoginBody(email: person.address, password: person.password)
        let path =
            switch dialect {
            case "voltyks": VoltyksCalls.loginPath
            case "gremlin": GremlinCalls.signInPath
            default: "/auth/login"
            }
        return try await patiently { try await post(path, body, host: Self.host(dialect)) }
    }

    func refresh(_ token: String, in dialect: String) async throws -> HTTPAnswer {
        switch dialect {
        case "aarokya": try await AarokyaCalls(stack: stack).refresh(token)
        case "voltyks": try await refresh(bearers: ["Bearer \(token)"])
        default:
            try await post(
                Self.refreshPath(dialect), RefreshBody(refreshToken: token), host: Self.host(dialect))
        }
    }

    /// voltyks', with any headers.
    func refresh(bearers: [String], path: String = VoltyksCalls.refreshPath) async throws -> HTTPAnswer {
        let headers = [("Host", FiveDialectsPolicy.voltyksHost), ("Content-Type", "application/json")]
        return try await stack.gateway.send(
            "POST", path, headers: headers + bearers.map { ("Authorization", $0) })
    }

    /// Asks as one client until it has had enough of the edge's limit, and returns what it is told then.
    func limited(_ method: String, _ path: String, in dialect: String) async throws -> HTTPAnswer {
        // Two windows at most: the clock may turn the hour in the midst.
        for _ in 0..<700 {
            let answer = try await send(method, path, in: dialect, [("X-Forwarded-For", "198.51.100.7")])
            guard answer.status != 429 else { return answer }
        }
        throw NeverLimited()
    }

    private struct NeverLimited: Error {}

    func post(_ path: String, _ body: some Encodable, host: String? = nil) async throws -> HTTPAnswer {
        try await stack.gateway.post(path, encoding: body, headers: host.map { [("Host", $0)] } ?? [])
    }

    /// Without a body, at the dialect's host.
    func send(
        _ method: String, _ path: String, in dialect: String, _ headers: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        let host = Self.host(dialect).map { [("Host", $0)] } ?? []
        return try await stack.gateway.send(method, path, headers: host + headers)
    }
}

/// The shapes of responses.
extension FiveDialectsCalls {
    func refreshed(_ dialect: String) -> AnswerShape {
        switch dialect {
        case "aarokya": AarokyaCalls.refreshed
        case "voltyks": VoltyksCalls.refreshed
        case "gremlin": GremlinCalls.refreshed
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

    /// Returns the response to a refresh of a deactivated user.
    func inactive(_ dialect: String) -> AnswerShape {
        switch dialect {
        case "voltyks": VoltyksCalls.mismatch
        case "gremlin": GremlinCalls.forbidden("ACCOUNT_INACTIVE", isActive: false)
        default: refusal(403, "account_inactive", in: dialect)
        }
    }

    /// Returns a response that no document defines, in the dialect's manner: in voltyks and uta the native problem.
    ///
    /// - Parameter code: as the native API calls it.
    func refusal(_ status: Int, _ code: String, in dialect: String) -> AnswerShape {
        switch dialect {
        case "aarokya":
            return AarokyaCalls.refusal(status, status == 429 ? "RATE_LIMIT_EXCEEDED" : code.uppercased())
        case "gremlin": return GremlinCalls.refusal(status, code.uppercased())
        default:
            let wait = [429, 503].contains(status) ? #""retryAfter":0,"# : ""
            let limit = status == 429 ? #""limit":"requests","# : ""
            // The edge adds the rule that the message broke.
            let detail = code == "body_too_large" ? #""detail":"","# : ""
            return AnswerShape(
                status: status,
                body:
                    #"{"type":"/.well-known/latchkey/problems#\#(code)","title":"","status":\#(status),"code":"\#(code)",\#(detail)\#(wait)\#(limit)"#
                    + #""success":false,"error":"\#(code)"}"#,
                varying: ["title", "detail", "retryAfter"])
        }
    }
}
