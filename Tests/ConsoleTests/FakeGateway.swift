import AuthAPI
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceCalls
import Synchronization
import Testing

@testable import ConsoleCore

/// The gateway, as the console calls it: a test says what it answers.
final class FakeGateway: ProviderExchange {
    struct Silent: Error {}

    private let answers: @Sendable (ProviderRequest) async -> ProviderAnswer?
    private let sent = Mutex<[ProviderRequest]>([])

    /// - Parameter answers: returns the response to a request, or `nil` for none.
    init(_ answers: @escaping @Sendable (ProviderRequest) async -> ProviderAnswer?) { self.answers = answers }

    var requests: [ProviderRequest] { sent.withLock { $0 } }

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        sent.withLock { $0.append(request) }
        guard let answer = await answers(request) else { throw Silent() }
        return answer
    }

    static func json(_ text: String, status: Int = 200) -> ProviderAnswer {
        ProviderAnswer(status: status, body: Array(text.utf8))
    }

    static func problem(_ status: Int, _ code: String) -> ProviderAnswer {
        json(
            #"{"type":"/problems","title":"t","status":\#(status),"code":"\#(code)","success":false,"error":"\#(code)"}"#,
            status: status)
    }

    static let tokens = #"{"accessToken":"a1","refreshToken":"r1","expiresIn":900}"#

    static func person(_ name: String = "Ann", id: String = "usr_1", version: String = "v1") -> String {
        #"{"id":"\#(id)","phoneNumber":"+15551234567","name":"\#(name)","role":"user","isActive":true,"attributes":{},"#
            + #""createdAt":1700000000,"lastSignInAt":1700000500,"version":"\#(version)","pending":[]}"#
    }

    /// Answers as a deployment does in which all is well, for administrators with the access token `a1` or later ones.
    static func usual(_ request: ProviderRequest, name: String = "Ann") -> ProviderAnswer? {
        let path = String(request.url.dropFirst("http://gateway".count))
        switch (request.method, path.prefix { $0 != "?" }) {
        case (.get, "/admin/users"): return json(#"{"users":[\#(person(name))],"nextCursor":null}"#)
        case (.get, "/admin/users/usr_1"): return json(person(name))
        case (.get, "/admin/users/usr_1/sessions"):
            return json(
                #"{"sessions":[{"id":"s1","deviceName":"\#(name)","createdAt":1700000000,"lastUsedAt":1700000500,"#
                    + #""address":"192.0.2.0/24","current":false}]}"#)
        case (.get, "/admin/users/usr_1/story"):
            return json(
                #"{"story":[{"at":1700000500,"sentence":"signed in: \#(name)"}],"liveSessions":[],"nextCursor":"n1"}"#)
        case (.get, "/admin/audit"):
            return json(
                #"{"records":[{"service":"user","number":1,"at":1700000500,"event":"user.created","subject":"usr_1","#
                    + #""method":"administrator:x","detail":"\#(name)"}],"nextCursor":"n1"}"#)
        case (.get, "/admin/keys"): return json(#"{"keys":[]}"#)
        case (.get, "/admin/reviews"):
            return json(#"{"reviews":[{"userId":"usr_1","since":1700000000,"openedAt":1700000000}],"nextCursor":null}"#)
        case (.get, "/admin/trace"):
            return json(
                #"{"entries":[{"at":1700000500,"count":2,"kind":"tried","requestId":"q1","details":["sms","\#(name)"]}]}"#
            )
        case (.get, "/admin/spend"):
            return json(
                #"{"mode":"enforce","currency":"USD","rows":[{"row":"total","sends":3,"approved":2,"spent":12345,"#
                    + #""refused":1,"spentThisHour":0,"spentToday":12345,"dayBudget":50000}]}"#)
        case (.post, "/auth/otp/request"), (.post, "/auth/reauthenticate/request"), (.post, "/auth/logout"),
            (.post, "/auth/reauthenticate"):
            return json(#"{"success":true}"#)
        case (.post, "/admin/unlock"): return json(#"{"wasLocked":true}"#)
        case (.get, "/admin/review-access"): return json(#"{"open":[{"label":"+1…67","until":1700086400}]}"#)
        case (.post, "/auth/refresh"): return json(tokens)
        default: return problem(404, "not_found")
        }
    }
}

/// A browser at the console's own port, with the headers that the gateway adds.
struct ConsoleBrowser: Sendable {
    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let text: String

        var location: String? { headers[.location] }
    }

    let site: ConsoleSite
    var language = "en"
    var cookie: String?
    /// The text of the session's forms.
    var guardText = ""

    init(_ gateway: FakeGateway, allowsPlain: Bool = false, sessions: AdminSessions = AdminSessions()) {
        site = ConsoleSite(
            sessions: sessions, calls: GatewayCalls(exchange: gateway, base: "http://gateway"), appName: "Acme",
            allowsPlain: allowsPlain, clock: { 1_700_000_600 })
    }

    /// Signs in without the forms.
    mutating func signIn(_ reply: String = FakeGateway.tokens) throws {
        let tokens = try #require(GatewayCalls.decoded(TokenReply.self, Array(reply.utf8)))
        let session = AdminSession(tokens, calls: site.calls)
        cookie = "__Host-latchkey-console=" + site.sessions.open(session)
        guardText = session.guardText
    }

    /// Submits the code for the task that a page of the proof shows.
    func prove(_ page: Answer, code: String) async throws -> Answer {
        let task = page.text.split(separator: "name=\"task\" value=\"").last?.prefix { $0 != "\"" }
        return try await post("/prove", ["code": code, "task": String(task ?? "")])
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send(.get, path, headers: headers)
    }

    /// Sends a form of the session.
    func post(_ path: String, _ fields: [String: String] = [:]) async throws -> Answer {
        let all = ["guard": guardText].merging(fields) { $1 }
        return try await send(
            .post, path, headers: ["Content-Type": FormText.mediaType],
            body: FormText.encode(all.map { ($0.key, $0.value) }))
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: [String: String] = [:], body: String = ""
    ) async throws -> Answer {
        var lines = ["Latchkey-Console": "ticket", "X-Forwarded-Proto": "https", "Accept-Language": language]
        if let cookie { lines["Cookie"] = cookie }
        lines.merge(headers) { $1 }
        var fields = HTTPFields()
        for (name, value) in lines where !value.isEmpty { fields[try #require(HTTPField.Name(name))] = value }
        return try await Application(router: ConsoleService.router(site)).test(.router) { [fields] client in
            try await client.execute(
                uri: "/console" + path, method: method, headers: fields, body: ByteBuffer(string: body)
            ) { Answer(status: $0.status.code, headers: $0.headers, text: String(buffer: $0.body)) }
        }
    }
}
