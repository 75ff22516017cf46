import CryptoPrimitives
import InternalAPI
import ServiceKit
import TestSupport

/// Acts on one session at the replicas of token-service as the gateway and user-service do, and notes what comes of it.
struct SessionClient: Sendable {
    static let replicas = ["token", "token-2"]
    /// Tries of what is not answered; nothing disturbs the processes but the machine's other work.
    static let triesMax = 200
    static let retryPause = Duration.milliseconds(50)

    /// A session's tokens at one moment.
    struct Tokens: Sendable {
        let access: String
        let refresh: String
    }

    /// How an answer gets lost.
    enum Loss {
        /// The reply is sent, but not read.
        case reply
        /// The connection is closed after this time, whatever the service is doing.
        case connection(Duration)
    }

    /// The outcome of a refresh for the caller.
    struct Answer: Sendable {
        let tokens: Tokens?
        let isRefused: Bool
    }

    /// No answer although nothing disturbs the processes.
    struct NoAnswer: Error {}
    private struct Lost: Error {}

    let stack: LatchkeyStack
    let callers: SessionCallers
    let recorder = HistoryRecorder()
    var rules = HistoryRules()
    private(set) var session = ""
    private(set) var user = ""
    /// Whether the session is a web page's: its tabs present one pair of cookies.
    let isPage: Bool
    private var pageSecret: String?

    init(_ stack: LatchkeyStack, _ callers: SessionCallers, isPage: Bool = false) {
        self.stack = stack
        self.callers = callers
        self.isPage = isPage
    }

    /// Returns the key that the gateway derives for a refresh by cookie; `nil` if the tokens are an app's.
    func cookieKey(of tokens: Tokens) -> String? {
        pageSecret.flatMap(Base64URL.decode).map {
            Base64URL.encode(HMACSHA256(key: $0).authenticate(Array(tokens.refresh.utf8)))
        }
    }

    func replica(using generator: inout SeededGenerator) -> String {
        Self.replicas.randomElement(using: &generator) ?? Self.replicas[0]
    }

    /// Opens the session, of a user of its own.
    mutating func open() async throws -> Tokens {
        for _ in 0..<Self.triesMax {
            if let tokens = await tryToOpen() { return tokens }
            try await Task.sleep(for: Self.retryPause)
        }
        throw NoAnswer()
    }

    private mutating func tryToOpen() async -> Tokens? {
        let user = LatchkeyStack.freshUser()
        var operation = Operation(.signIn)
        operation.user = user
        var opened: TokenSet?
        await recorder.record(operation) {
            let tokens = try await stack.openSession(of: user, isPage: isPage)
            opened = tokens
            return .issued(Issue(tokens))
        }
        guard let opened else { return nil }
        self.user = user
        session = opened.sessionID
        pageSecret = opened.pageSecret
        return Tokens(access: opened.accessToken, refresh: opened.refreshToken)
    }

    /// - Parameter hasPageCookie: whether a page's token comes with the secret of its page.
    func refresh(
        _ tokens: Tokens, key: String?, hasPageCookie: Bool = true, at replica: String, losing loss: Loss?
    ) async -> Answer {
        var operation = begun(.refresh)
        operation.presented = TokenDigest(of: tokens.refresh)
        operation.idempotencyKey = key
        if isPage { operation.cookies = hasPageCookie ? .both : .one }
        var next: Tokens?
        let outcome = await recorder.record(operation) {
            let request = RefreshRequest(
                refreshToken: tokens.refresh, idempotencyKey: key,
                pageSecret: hasPageCookie ? pageSecret : nil)
            let answer = try await losing(loss) {
                try await callers.gateway(replica, TokenOperations.refresh.path, request)
            }
            guard answer.status == 200 else { return Outcome(status: answer.status) }
            let refreshed: RefreshAnswer = try answer.decoded()
            guard let set = refreshed.tokens else { return refreshed.result == .rateLimited ? .limited : .refused }
            next = Tokens(access: set.accessToken, refresh: set.refreshToken)
            return .issued(Issue(set))
        }
        return Answer(tokens: next, isRefused: outcome == .refused)
    }

    /// Signs out with a refresh token, the newest or an older one.
    func logOut(_ tokens: Tokens, at replica: String) async {
        await recorder.record(begun(.endSession)) {
            let request = LogoutRequest(refreshToken: tokens.refresh, accessToken: nil)
            return Outcome(status: try await callers.gateway(replica, TokenOperations.logout.path, request).status)
        }
    }

    func deactivate(at replica: String) async {
        await recorder.record(begun(.endUser)) {
            let request = RevokeUserRequest(userID: user, epoch: 2, reason: .inactive)
            return Outcome(status: try await callers.user(replica, TokenOperations.revokeUser.path, request).status)
        }
    }

    /// Makes a request of the app's API.
    func call(_ tokens: Tokens) async {
        var operation = begun(.call)
        operation.presented = TokenDigest(of: tokens.access)
        await recorder.record(operation) {
            Outcome(status: try await stack.gateway.get("/api/hello", bearer: tokens.access).status)
        }
    }

    private func begun(_ kind: Operation.Kind) -> Operation {
        var operation = Operation(kind)
        operation.session = kind == .endUser ? nil : session
        operation.user = user
        return operation
    }

    private func losing(
        _ loss: Loss?, _ act: @escaping @Sendable () async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
        switch loss {
        case nil: return try await act()
        case .reply:
            _ = try await act()
            throw Lost()
        case .connection(let time):
            return try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                group.addTask { try await act() }
                group.addTask {
                    try await Task.sleep(for: time)
                    throw Lost()
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() else { throw Lost() }
                return answer
            }
        }
    }
}
