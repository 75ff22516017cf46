extension HistoryChecker {
    /// an old password opens nothing once the change is answered, and a link has one effect.
    func passwordFindings(_ history: History) -> [HistoryFinding] {
        history.operations.compactMap { oldPassword($0, history) } + linksServedTwice(history)
    }

    private func oldPassword(_ operation: Operation, _ history: History) -> HistoryFinding? {
        guard operation.kind == .signIn, operation.outcome.isSuccess, let password = operation.password,
            let user = operation.user
        else { return nil }
        let change = (history.userEnds[user] ?? []).map { history.operations[$0] }.first { change in
            change.outcome.isSuccess && history.isVoid(password, once: change)
                && change.completed.map { $0 < operation.invoked } ?? false
        }
        return change.map { _ in
            .init(.oldPasswordIsVoid, "\(password) of \(user) signed in at \(operation.invoked), after it was changed")
        }
    }

    /// Repeats of one call are one use.
    private func linksServedTwice(_ history: History) -> [HistoryFinding] {
        let uses = history.operations.filter { $0.kind == .setPassword && $0.outcome.isSuccess && $0.link != nil }
        return Dictionary(grouping: uses) { $0.link ?? "" }.compactMap { link, uses in
            let isOneCall = uses.allSatisfy {
                $0.idempotencyKey != nil && $0.idempotencyKey == uses[0].idempotencyKey
                    && $0.password == uses[0].password
            }
            return uses.count == 1 || isOneCall
                ? nil : .init(.linkServesOnce, "link \(link) served \(uses.count) times")
        }
    }
}

extension History {
    /// Whether a password can be the user's no more once `change` is done: nothing that may have come later set it.
    func isVoid(_ password: TokenDigest, once change: Operation) -> Bool {
        guard change.kind == .setPassword, let new = change.password, new != password else { return false }
        return !operations.contains { other in
            other.kind == .setPassword && other.user == change.user && other.password == password
                && other.completed.map { $0 >= change.invoked } ?? true
        }
    }
}
