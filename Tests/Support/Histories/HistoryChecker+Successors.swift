extension HistoryChecker {
    /// I-1: the tokens of a session are a path.
    func successorFindings(_ history: History) -> [HistoryFinding] {
        history.refreshes.keys.filter { !mayBeSkipped($0, history) }.flatMap { forks(at: $0, history) }
            + merges(history)
    }

    /// Whether the token is a page's, whose tabs are led to the newest token.
    private func mayBeSkipped(_ token: TokenDigest, _ history: History) -> Bool {
        leadsLateTabs && (history.refreshes[token] ?? []).contains { history.operations[$0].cookies != nil }
    }

    private func forks(at token: TokenDigest, _ history: History) -> [HistoryFinding] {
        let rotations = history.rotations(of: token).sorted { $0.invoked < $1.invoked }
        guard let first = rotations.first else { return [] }
        var findings: [HistoryFinding] = []
        if history.successors(of: token).count > 1 {
            findings.append(.init(.oneSuccessor, "\(token) has two successors"))
        }
        for later in rotations.dropFirst() where !mayRepeat(first, later) {
            findings.append(.init(.oneSuccessor, "\(token) was accepted twice without one Idempotency-Key"))
        }
        for later in rotations.dropFirst() where isTooLate(later, after: first) {
            findings.append(.init(.oneSuccessor, "\(token) was accepted again after \(rules.repeatLimitWithoutKey)"))
        }
        for later in rotations where usesSuccessor(of: token, before: later.invoked, history) {
            findings.append(.init(.oneSuccessor, "\(token) was accepted after its successor had been used"))
        }
        for rotation in rotations where rotation.session != rotation.outcome.issue?.session {
            findings.append(.init(.oneSuccessor, "the successor of \(token) is of another session"))
        }
        return findings
    }

    private func mayRepeat(_ first: Operation, _ later: Operation) -> Bool {
        if rules.repeatsUntilUsed { return true }
        guard let key = first.idempotencyKey else {
            return later.idempotencyKey == nil && rules.repeatLimitWithoutKey > .zero
        }
        return key == later.idempotencyKey
    }

    /// Whether a repeat without a key began when the time for it was over, by any reading of the clock in whole seconds.
    private func isTooLate(_ later: Operation, after first: Operation) -> Bool {
        guard later.idempotencyKey == nil, rules.repeatLimitWithoutKey > .zero, !rules.repeatsUntilUsed else {
            return false
        }
        return first.completed.map { later.invoked > $0 + rules.repeatLimitWithoutKey + .seconds(1) } ?? false
    }

    /// Whether the successor was itself answered with a successor before `time`.
    private func usesSuccessor(of token: TokenDigest, before time: Duration, _ history: History) -> Bool {
        history.successors(of: token).contains { successor in
            history.rotations(of: successor).contains { $0.completed.map { $0 < time } ?? false }
        }
    }

    /// A token has one origin: one token before it, or one sign-in.
    private func merges(_ history: History) -> [HistoryFinding] {
        history.issuers.compactMap { token, indices in
            let isPages = indices.contains { history.operations[$0].cookies != nil }
            guard !isPages || !leadsLateTabs else { return nil }
            let origins = Set(
                indices.map { index -> String in
                    let operation = history.operations[index]
                    return operation.presented?.description ?? "sign-in \(operation.challenge ?? "\(index)")"
                })
            return origins.count > 1 ? .init(.oneSuccessor, "\(token) was given for \(origins.sorted())") : nil
        }
    }
}
