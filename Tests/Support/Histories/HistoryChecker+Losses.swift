extension HistoryChecker {
    /// I-4: a token that a client was given is refused only for a reason that the history holds.
    func lossFindings(_ history: History) -> [HistoryFinding] {
        history.operations.indices.compactMap { index in
            let operation = history.operations[index]
            guard operation.outcome == .refused, operation.cookies != .one,
                operation.kind == .refresh || operation.kind == .call,
                let token = operation.presented, let completed = operation.completed,
                history.isAcknowledged(token, at: operation.invoked),
                !mayHaveEnded(operation, index, by: completed, history),
                operation.kind == .call || !mayBeUsed(token, index, by: completed, history)
            else { return nil }
            return .init(
                .nothingIsLost, "\(operation.kind.rawValue) with acknowledged \(token) was refused at \(completed)")
        }
    }

    /// Whether something else in the history may have ended the session by `time`, answered or not.
    private func mayHaveEnded(_ operation: Operation, _ index: Int, by time: Duration, _ history: History) -> Bool {
        guard let session = operation.session else { return false }
        let ends = history.users[session].flatMap { history.userEnds[$0] } ?? []
        let mayHaveEnded = ends.map { history.operations[$0] }.contains {
            $0.invoked < time && $0.sparedSession != session
        }
        if mayHaveEnded { return true }
        return (history.bySession[session] ?? []).contains { other in
            let candidate = history.operations[other]
            guard other != index, candidate.invoked < time else { return false }
            return candidate.kind == .endSession || mayBeReuse(candidate, other, by: time, history)
        }
    }

    /// Whether a refresh may have been judged a reuse: its token was presented elsewhere too.
    private func mayBeReuse(_ operation: Operation, _ index: Int, by time: Duration, _ history: History) -> Bool {
        guard operation.kind == .refresh, !operation.outcome.isSuccess, let token = operation.presented else {
            return false
        }
        return operation.cookies != .one && mayBeUsed(token, index, by: time, history)
            && !isLateCopy(operation, history)
    }

    /// Whether another presentation of the token, by `time`, may have used it before the one at `index` was judged.
    private func mayBeUsed(_ token: TokenDigest, _ index: Int, by time: Duration, _ history: History) -> Bool {
        let operation = history.operations[index]
        if leadsLateTabs, let page = history.page(of: operation) { return mayBeReuse(operation, of: page) }
        return (history.refreshes[token] ?? []).contains { other in
            let candidate = history.operations[other]
            guard other != index, candidate.invoked < time, candidate.outcome.isSuccess || candidate.outcome == .unknown
            else { return false }
            return !isRepeat(operation, of: candidate, by: time)
                || history.successorIsPresented(of: token, before: time)
        }
    }

    /// Whether `operation` has a right to the answer of `first`.
    private func isRepeat(_ operation: Operation, of first: Operation, by time: Duration) -> Bool {
        if rules.repeatsUntilUsed { return true }
        guard operation.idempotencyKey == first.idempotencyKey else { return false }
        return operation.idempotencyKey != nil || time - first.invoked < rules.repeatLimitWithoutKey
    }
}
