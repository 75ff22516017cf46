extension HistoryChecker {
    /// An answered end of a session.
    private struct End {
        let invariant: HistoryFinding.Invariant
        let at: Duration
    }

    /// I-2 and I-3: nothing that begins after an answered end or reuse succeeds.
    func endFindings(_ history: History) -> [HistoryFinding] {
        history.bySession.flatMap { session, indices -> [HistoryFinding] in
            let operations = indices.map { history.operations[$0] }
            guard let end = earliestEnd(of: session, operations, history) else { return [] }
            return operations.filter { outlives(end, $0) }.map {
                .init(
                    end.invariant,
                    "\($0.kind.rawValue) of session \(session) at \($0.invoked) after its end at \(end.at)")
            }
        }
    }

    private func outlives(_ end: End, _ operation: Operation) -> Bool {
        guard operation.outcome.isSuccess else { return false }
        switch operation.kind {
        case .refresh, .signIn: return operation.invoked > end.at
        case .call: return operation.invoked > end.at + rules.accessEndBound
        // An end may be repeated: it is acknowledged whatever the session's state.
        case .endSession, .endUser, .guess, .setPassword, .moveIn: return false
        }
    }

    private func earliestEnd(of session: String, _ operations: [Operation], _ history: History) -> End? {
        var ends = operations.filter { $0.kind == .endSession && $0.outcome.isSuccess }.compactMap(\.completed)
            .map { End(invariant: .endIsFinal, at: $0) }
        ends += userEnds(of: session, operations, history).map { End(invariant: .endIsFinal, at: $0) }
        ends += operations.filter { isAnsweredReuse($0, history) }.compactMap(\.completed)
            .map { End(invariant: .reuseEnds, at: $0) }
        return ends.min { $0.at < $1.at }
    }

    /// Ends of all sessions of the user that began when this one was already open, or void the password that opened it.
    private func userEnds(of session: String, _ operations: [Operation], _ history: History) -> [Duration] {
        let signIns = operations.filter { $0.kind == .signIn }
        guard let user = history.users[session], let opened = signIns.compactMap(\.completed).min() else { return [] }
        return (history.userEnds[user] ?? []).map { history.operations[$0] }.filter { end in
            // One that began after it is a finding of its own.
            let voids = signIns.contains { signIn in
                signIn.password.map { history.isVoid($0, once: end) } ?? false
                    && end.completed.map { signIn.invoked <= $0 } ?? false
            }
            return end.outcome.isSuccess && end.sparedSession != session && (end.invoked > opened || voids)
        }.compactMap(\.completed)
    }

    /// Whether a refused refresh can only mean that a used token was presented, which ends the session.
    ///
    /// The token was answered with a successor elsewhere: so the refusal came after that.
    private func isAnsweredReuse(_ operation: Operation, _ history: History) -> Bool {
        guard operation.kind == .refresh, operation.outcome == .refused, let token = operation.presented,
            !history.rotations(of: token).isEmpty
        else { return false }
        if leadsLateTabs, let page = history.page(of: operation) {
            return !rules.sparesSession && isReuse(operation, of: page)
        }
        return !rules.sparesSession && operation.cookies != .one && !mayBeLateCopy(operation, history)
    }
}
