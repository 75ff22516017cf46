/// Copies of a request whose answer arrived: their own key proves them for a while, and they end nothing.
extension HistoryChecker {
    /// Times are judged in whole seconds.
    static let clockStep = Duration.seconds(1)

    private var copyLimit: Duration { rules.repeatsUntilUsed ? rules.slowTabLimit : rules.lateCopyLimit }

    /// Whether a refused refresh was a late copy by any reading of the clock: so it ended nothing.
    func isLateCopy(_ operation: Operation, _ history: History) -> Bool {
        guard operation.outcome == .refused, let completed = operation.completed,
            let successors = successorsByOwnKey(of: operation, history)
        else { return false }
        let earliestUse = completed - copyLimit + Self.clockStep
        return successors.allSatisfy { successor in
            !history.isPresented(successor, before: earliestUse)
                && !history.successorIsPresented(of: successor, before: completed)
        }
    }

    /// Whether a refused refresh may have been a late copy: so it need not have ended anything.
    func mayBeLateCopy(_ operation: Operation, _ history: History) -> Bool {
        guard let successors = successorsByOwnKey(of: operation, history) else { return false }
        let latestUse = operation.invoked - copyLimit - Self.clockStep
        return !successors.contains { successor in
            isUsed(successor, before: latestUse, history)
                || history.successors(of: successor).contains { isUsed($0, before: operation.invoked, history) }
        }
    }

    /// The successors of the token that `operation` presents, if its key brought them, or keys do not matter.
    private func successorsByOwnKey(of operation: Operation, _ history: History) -> Set<TokenDigest>? {
        guard let token = operation.presented, operation.idempotencyKey != nil || rules.repeatsUntilUsed else {
            return nil
        }
        let rotations = history.rotations(of: token)
        let isOwn = rotations.allSatisfy { $0.idempotencyKey == operation.idempotencyKey }
        return rotations.isEmpty || !isOwn && !rules.repeatsUntilUsed ? nil : history.successors(of: token)
    }

    private func isUsed(_ token: TokenDigest, before time: Duration, _ history: History) -> Bool {
        history.rotations(of: token).contains { $0.completed.map { $0 < time } ?? false }
    }
}
