extension HistoryChecker {
    /// An old id always leads to one new one, which is that user's only, and a user who was imported with a password logs
    /// in by it (I-4).
    ///
    /// In such a history users go by their old ids.
    func movedInFindings(_ history: History) -> [HistoryFinding] {
        let moves = history.operations.compactMap(MoveIn.init)
        guard !moves.isEmpty else { return [] }
        return ambiguous(moves) + refusedThough(moves, history)
    }

    /// Old ids with several new ones, and new ones of several old ones.
    private func ambiguous(_ moves: [MoveIn]) -> [HistoryFinding] {
        var (users, names): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        for (old, new) in moves.flatMap(\.users) {
            users[old, default: []].insert(new)
            names[new, default: []].insert(old)
        }
        return users.filter { $0.value.count > 1 }
            .map { HistoryFinding(.movedInOnce, "\($0.key) is users \($0.value.sorted())") }
            + names.filter { $0.value.count > 1 }
            .map { HistoryFinding(.movedInOnce, "user \($0.key) is \($0.value.sorted())") }
    }

    /// A login begun after the answer that its user is there; no history has other passwords for those.
    private func refusedThough(_ moves: [MoveIn], _ history: History) -> [HistoryFinding] {
        var known: [String: Duration] = [:]
        for move in moves {
            for old in move.users.keys { known[old] = min(known[old] ?? move.completed, move.completed) }
        }
        return history.operations.compactMap { operation in
            guard operation.kind == .signIn, operation.outcome == .refused, let user = operation.user,
                history.userEnds[user] == nil, let since = known[user], since < operation.invoked
            else { return nil }
            return .init(.nothingIsLost, "\(user), who is there since \(since), was refused at \(operation.invoked)")
        }
    }
}

/// An answer that users are there.
private struct MoveIn {
    let users: [String: String]
    let completed: Duration

    init?(_ operation: Operation) {
        guard case .movedIn(let users) = operation.outcome, let completed = operation.completed else { return nil }
        self.users = users
        self.completed = completed
    }
}
