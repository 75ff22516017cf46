import TestSupport

/// Builds histories by hand; times are milliseconds.
struct HistoryScript {
    private(set) var operations: [Operation] = []

    /// Returns the rules that the checker finds broken in a history.
    static func broken(
        _ rules: HistoryRules = HistoryRules(), _ write: (inout HistoryScript) -> Void
    ) -> Set<HistoryFinding.Invariant> {
        var script = HistoryScript()
        write(&script)
        return Set(HistoryChecker(rules).findings(in: script.operations).map(\.invariant))
    }

    /// The answer that gives a refresh token; its access token bears the same name with a stroke.
    static func issue(_ token: String, session: String = "s") -> Outcome {
        .issued(
            Issue(session: session, refreshToken: TokenDigest(of: token), accessToken: TokenDigest(of: token + "'")))
    }

    mutating func signIn(
        _ times: (Int, Int), gets token: String, session: String = "s", code: String = "code", user: String = "u"
    ) {
        add(.signIn, times, Self.issue(token, session: session)) {
            $0.challenge = code
            $0.user = user
        }
    }

    /// A sign-in by a password.
    mutating func logIn(
        _ times: (Int, Int), _ password: String, gets token: String, session: String = "s", user: String = "u"
    ) {
        add(.signIn, times, Self.issue(token, session: session)) {
            $0.password = TokenDigest(of: password)
            $0.user = user
        }
    }

    /// - Parameter users: new ids by old ones.
    mutating func moveIn(_ times: (Int, Int), _ users: [String: String]) {
        add(.moveIn, times, .movedIn(users)) { _ in }
    }

    /// A login by a password that is refused.
    mutating func refuseLogIn(_ times: (Int, Int), user: String) {
        add(.signIn, times, .refused) { $0.user = user }
    }

    /// - Parameter link: nil for a change at the word of the old one.
    mutating func setPassword(
        _ times: (Int, Int), _ password: String, link: String? = nil, key: String? = nil,
        sparing session: String? = nil,
        _ outcome: Outcome = .accepted
    ) {
        add(.setPassword, times, outcome) {
            $0.user = "u"
            $0.password = TokenDigest(of: password)
            $0.link = link
            $0.idempotencyKey = key
            $0.sparedSession = session
        }
    }

    /// - Parameter times: begin and end; an end of 0 means that no answer came.
    mutating func refresh(
        _ times: (Int, Int), _ token: String, key: String? = nil, session: String = "s",
        cookies: Operation.PageCookies? = nil, _ outcome: Outcome
    ) {
        add(.refresh, times, outcome) {
            $0.session = session
            $0.presented = TokenDigest(of: token)
            $0.idempotencyKey = key
            $0.cookies = cookies
        }
    }

    mutating func call(_ times: (Int, Int), _ token: String?, session: String = "s", _ outcome: Outcome) {
        add(.call, times, outcome) {
            $0.session = session
            $0.presented = token.map { TokenDigest(of: $0 + "'") }
        }
    }

    mutating func logout(_ times: (Int, Int), session: String = "s", _ outcome: Outcome = .accepted) {
        add(.endSession, times, outcome) { $0.session = session }
    }

    mutating func endUser(_ times: (Int, Int), user: String = "u", _ outcome: Outcome = .accepted) {
        add(.endUser, times, outcome) { $0.user = user }
    }

    mutating func guess(_ times: (Int, Int), code: String = "code", _ outcome: Outcome) {
        add(.guess, times, outcome) { $0.challenge = code }
    }

    private mutating func add(
        _ kind: Operation.Kind, _ times: (Int, Int), _ outcome: Outcome, _ change: (inout Operation) -> Void
    ) {
        var operation = Operation(kind, invoked: .milliseconds(times.0))
        operation.outcome = outcome
        if times.1 > 0 { operation.completed = .milliseconds(times.1) } else { operation.outcome = .unknown }
        change(&operation)
        operations.append(operation)
    }
}
