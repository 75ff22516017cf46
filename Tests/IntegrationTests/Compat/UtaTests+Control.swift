import TestSupport
import Testing

extension Live.UtaTests.PrintedCode {
    /// The parts that the printed code and its screens read: statuses, the user's members, tokens.
    private static let spoilings: [AnswerSpoiling] = {
        let user: KeyValuePairs<String, String?> = ["id": "\"x\"", "email": "\"x@example.com\"", "name": "\"x\""]
        let tokens: KeyValuePairs<String, String?> = ["tokens": "null", "access": "\"x\"", "refresh": "\"x\""]
        let answers = [("login", user), ("login", tokens), ("refresh", tokens), ("me", user), ("profile", user)]
        // Without another status: 201 is as good to axios.
        return answers.flatMap { AnswerSpoiling.all(200, of: "/auth/\($0)", $1).dropFirst() } + statuses
    }()

    /// Each as another one that would lead an app elsewhere.
    private static let statuses: [AnswerSpoiling] = [
        ("register", 200, 409), ("register", 400, 200), ("verify-email", 200, 400), ("verify-email", 400, 200),
        ("login", 200, 401), ("login", 401, 403), ("me", 401, 403), ("refresh", 200, 503), ("refresh", 401, 503),
        ("profile", 200, 400), ("profile", 400, 200), ("change-password", 200, 400), ("change-password", 400, 200),
        ("forgot-password", 200, 404), ("reset-password", 200, 400), ("reset-password", 400, 200),
        ("logout", 200, 401), ("account", 200, 400), ("account", 400, 200),
    ].map { path, status, other in
        AnswerSpoiling(path: "/auth/\(path)", status: status, having: "", change: .status(other))
    }

    @Test(arguments: spoilings.some(every: 11))
    func `control: a spoiled member or status turns a statement red`(_ spoiling: AnswerSpoiling) async throws {
        try await expectFound(spoiling, before: stack.gateway) {
            try await UtaProgram.life(gateway: $0.base, inbox: stack.inbox.base).failures()
        }
    }
}
