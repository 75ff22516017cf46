extension IdentityChecker {
    /// After the acknowledged removal of a passkey it signs in no more, and neither do the sessions live that it opened. Until then it
    /// leads to the user who added it.
    func passkeyFindings(_ history: IdentityHistory) -> [IdentityFinding] {
        let removals = history.operations.filter { $0.kind == .removePasskey && $0.outcome == .accepted }
        return removals.flatMap { uses(of: $0, history) } + foreignSignIns(history)
    }

    private func uses(of removal: IdentityOperation, _ history: IdentityHistory) -> [IdentityFinding] {
        let signIns = history.operations.filter {
            $0.kind == .signIn && $0.passkey != nil && $0.passkey == removal.passkey && $0.isSuccess
        }
        let ended = Set(signIns.filter { $0.span.isBefore(removal.span) }.compactMap(\.session))
        let late = signIns.filter { removal.span.isBefore($0.span) }
        let alive = history.operations.filter { operation in
            operation.kind == .refresh && operation.isSuccess && removal.span.isBefore(operation.span)
                && operation.session.map { ended.contains($0) } ?? false
        }
        return late.map {
            .init(.removedIsVoid, "a passkey signed in at \($0.invoked), removed at \(removal.invoked)")
        }
            + alive.map {
                .init(.endIsFinal, "a refresh at \($0.invoked), whose passkey was removed at \(removal.invoked)")
            }
    }

    private func foreignSignIns(_ history: IdentityHistory) -> [IdentityFinding] {
        history.operations.compactMap { signIn in
            guard let passkey = signIn.passkey, let user = signIn.reached else { return nil }
            let isOwn = history.operations.contains {
                $0.kind == .addPasskey && $0.passkey == passkey && $0.user == user && $0.mayHaveHappened
            }
            return isOwn ? nil : .init(.passkeyIsOwn, "a passkey signed in to \(user) at \(signIn.invoked)")
        }
    }

    /// An operation ends with the repeats of its call, so that two that succeed are two calls.
    func onceFindings(_ history: IdentityHistory) -> [IdentityFinding] {
        let uses = history.operations.filter { $0.credential != nil && $0.isSuccess }
        return Dictionary(grouping: uses) { $0.credential ?? "" }.filter { $0.value.count > 1 }
            .map { .init(.servesOnce, "\($0.value.map(\.kind)) by one credential at \($0.value.map(\.invoked))") }
    }
}
