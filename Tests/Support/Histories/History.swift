/// A history, indexed by what its rules ask for.
struct History {
    let operations: [Operation]
    /// By token, the refreshes that present it, as indices.
    private(set) var refreshes: [TokenDigest: [Int]] = [:]
    /// By token, the operations whose answers give it.
    private(set) var issuers: [TokenDigest: [Int]] = [:]
    /// By session, all operations that name it or open it.
    private(set) var bySession: [String: [Int]] = [:]
    /// By session, the users who opened it.
    private(set) var users: [String: String] = [:]
    /// By user, the ends of all sessions, other passwords among them.
    private(set) var userEnds: [String: [Int]] = [:]
    /// By challenge, the codes presented for it.
    private(set) var byChallenge: [String: [Int]] = [:]
    /// By session, the refreshes of pages.
    private(set) var pages: [String: PageHistory] = [:]

    init(_ operations: [Operation]) {
        self.operations = operations
        for (index, operation) in operations.enumerated() { add(operation, index) }
        let pageSessions = Set(operations.compactMap { $0.cookies == nil ? nil : $0.session })
        for session in pageSessions {
            pages[session] = PageHistory((bySession[session] ?? []).map { operations[$0] })
        }
    }

    /// The history of the page that made a refresh; nil if it is an app's.
    func page(of operation: Operation) -> PageHistory? {
        operation.cookies == nil ? nil : operation.session.flatMap { pages[$0] }
    }

    private mutating func add(_ operation: Operation, _ index: Int) {
        if operation.kind == .refresh, let token = operation.presented { refreshes[token, default: []].append(index) }
        if operation.kind == .endUser || operation.kind == .setPassword, let user = operation.user {
            userEnds[user, default: []].append(index)
        }
        if let challenge = operation.challenge { byChallenge[challenge, default: []].append(index) }
        if let issue = operation.outcome.issue {
            issuers[issue.refreshToken, default: []].append(index)
            issuers[issue.accessToken, default: []].append(index)
            if let user = operation.user { users[issue.session] = user }
        }
        if let session = operation.session ?? operation.outcome.issue?.session {
            bySession[session, default: []].append(index)
        }
    }

    /// The refreshes of a token that were answered with a successor.
    func rotations(of token: TokenDigest) -> [Operation] {
        (refreshes[token] ?? []).map { operations[$0] }.filter { $0.outcome.issue != nil }
    }

    /// The tokens that are known to follow a token directly.
    func successors(of token: TokenDigest) -> Set<TokenDigest> {
        Set(rotations(of: token).compactMap(\.outcome.issue?.refreshToken))
    }

    /// Whether a client has presented a token that follows `token`, before `time`.
    func successorIsPresented(of token: TokenDigest, before time: Duration) -> Bool {
        successors(of: token).contains { isPresented($0, before: time) }
    }

    /// Whether a client has presented the token to be rotated, before `time`.
    func isPresented(_ token: TokenDigest, before time: Duration) -> Bool {
        (refreshes[token] ?? []).contains { operations[$0].invoked < time }
    }

    /// Whether a token was in a client's hands at `time`.
    func isAcknowledged(_ token: TokenDigest, at time: Duration) -> Bool {
        (issuers[token] ?? []).contains { operations[$0].completed.map { $0 <= time } ?? false }
    }
}
