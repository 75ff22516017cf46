/// The tokens of one page's session, whose tabs may skip some of them.
struct PageHistory {
    /// The refreshes with both cookies, in the order of their beginnings.
    let refreshes: [Operation]
    /// By token, when it was first answered.
    private(set) var answered: [TokenDigest: Duration] = [:]
    /// By token, those that were answered to it.
    private var later: [TokenDigest: Set<TokenDigest>] = [:]

    init(_ operations: [Operation]) {
        refreshes = operations.filter { $0.kind == .refresh && $0.cookies == .both }.sorted { $0.invoked < $1.invoked }
        for operation in operations {
            guard let token = operation.outcome.issue?.refreshToken, let completed = operation.completed else {
                continue
            }
            answered[token] = min(answered[token] ?? completed, completed)
            if let presented = operation.presented { later[presented, default: []].insert(token) }
        }
    }

    /// The tokens that refreshes have answered.
    var successors: Set<TokenDigest> { Set(refreshes.compactMap(\.outcome.issue?.refreshToken)) }

    /// Whether answers show that `token` came before `other`.
    func isEarlier(_ token: TokenDigest, than other: TokenDigest) -> Bool { laterTokens(than: token).contains(other) }

    /// Whether a rotation of `token` may have made `other`: one was asked for before `other` was first answered.
    func mayMake(_ token: TokenDigest, _ other: TokenDigest) -> Bool {
        guard token != other, !isEarlier(other, than: token), let answered = answered[other] else { return false }
        return refreshes.contains { $0.presented == token && $0.outcome != .refused && $0.invoked < answered }
    }

    /// Whether `operation` presents a token that was, by any reading of the clock, replaced more than `window` before the newest
    /// rotation, and not answered since.
    func isTooOld(_ operation: Operation, for window: Duration) -> Bool {
        guard let token = operation.presented,
            let replaced = laterTokens(than: token).compactMap({ answered[$0] }).min()
        else { return false }
        let known = answered.filter { $0.value <= operation.invoked }.keys
        return (Array(known) + [operation.outcome.issue?.refreshToken].compactMap { $0 }).contains { newest in
            let made = madeFrom(newest)
            return made - max(replaced, lastRepeat(before: made) ?? .zero) > window
        }
    }

    /// Whether `operation` may present a token that was replaced more than `window` before the newest rotation.
    func mayBeTooOld(_ operation: Operation, for window: Duration) -> Bool {
        guard let first = refreshes.first(where: { $0.presented == operation.presented && $0.outcome != .refused }),
            let completed = operation.completed
        else { return false }
        return completed - first.invoked > window
    }

    /// The earliest time at which a rotation may have made the token.
    private func madeFrom(_ token: TokenDigest) -> Duration {
        refreshes.first { $0.outcome == .unknown || $0.outcome.issue?.refreshToken == token }?.invoked ?? .zero
    }

    /// The last time before `time` at which a tab was answered with a token that was known.
    private func lastRepeat(before time: Duration) -> Duration? {
        refreshes.filter { refresh in
            guard let token = refresh.outcome.issue?.refreshToken, let first = answered[token] else { return false }
            return first < refresh.invoked && refresh.invoked < time
        }.compactMap(\.completed).max()
    }

    private func laterTokens(than token: TokenDigest) -> Set<TokenDigest> {
        var (found, open) = (Set<TokenDigest>(), [token])
        while let next = open.popLast() {
            for token in later[next] ?? [] where found.insert(token).inserted { open.append(token) }
        }
        return found
    }
}
