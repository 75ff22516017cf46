import InternalAPI

/// A violation in a history of identities, with its details.
package struct IdentityFinding: Sendable, Hashable, CustomStringConvertible {
    /// The invariants of identities.
    package enum Invariant: String, Sendable {
        /// An identity belongs to one user at a time, who keeps what was acknowledged.
        case oneUser = "one user"
        /// An identity that a user has lost signs in to nothing of theirs.
        case lostIsVoid = "lost is void"
        /// A user keeps one identity that signs in.
        case lastIsKept = "last is kept"
        /// A user has one identity of each kind.
        case onePerKind = "one per kind"
        /// A user who was merged into another one never lives again.
        case mergedIsGone = "merged is gone"
        /// A session that an acknowledged change has ended stays so.
        case endIsFinal = "I-3"
        /// A removed passkey signs in to nothing.
        case removedIsVoid = "removed passkey is void"
        /// A passkey signs in to the user who added it.
        case passkeyIsOwn = "passkey is its user's"
        /// An assertion or a code serves one call.
        case servesOnce = "serves once"
    }

    package let invariant: Invariant
    package let detail: String

    package var description: String { "\(invariant.rawValue): \(detail)" }

    init(_ invariant: Invariant, _ detail: String) { (self.invariant, self.detail) = (invariant, detail) }
}

/// Judges what clients were answered about identities; pure, and needs no knowledge of how it was done.
///
/// It assumes nothing of an operation without an answer: a finding means that no way of running the history explains it.
/// Every user of the history begins in it, by a sign-in that creates them.
package struct IdentityChecker: Sendable {
    package init() {}

    /// Returns the violations in the history, each once; empty if there are none.
    package func findings(in operations: [IdentityOperation]) -> [IdentityFinding] {
        let history = IdentityHistory(operations)
        let found =
            operations.flatMap { takenFindings($0, history) + voidFindings($0, history) + lastFindings($0, history) }
            + operations.flatMap { mergeFindings($0, history) + endFindings($0, history) } + censusFindings(history)
            + passkeyFindings(history) + onceFindings(history)
        var seen: Set<IdentityFinding> = []
        return found.filter { seen.insert($0).inserted }
    }

    /// A user gets no identity of another user, unless the other one may have lost it.
    private func takenFindings(_ taking: IdentityOperation, _ history: IdentityHistory) -> [IdentityFinding] {
        guard let identity = taking.identity, let user = taker(taking) else { return [] }
        let others = Set(history.operations.flatMap { [$0.user, $0.reached] }.compactMap { $0 }).subtracting([user])
        return others.filter { other in
            history.holds(other, identity).contains { held in
                held.isBefore(taking.span)
                    && !history.mayHaveLost(other, identity, between: held, and: taking.span)
            }
        }.map { .init(.oneUser, "\(identity.kind) of \($0) went to \(user) at \(taking.invoked)") }
    }

    /// The user who certainly got the identity, or had it.
    private func taker(_ operation: IdentityOperation) -> String? {
        if case .reached(let user, isNew: true) = operation.outcome { return user }
        return operation.kind == .add && operation.outcome == .accepted ? operation.user : nil
    }

    /// A sign-in leads to a user who may have the identity.
    private func voidFindings(_ signIn: IdentityOperation, _ history: IdentityHistory) -> [IdentityFinding] {
        guard case .reached(let user, isNew: false) = signIn.outcome, let identity = signIn.identity,
            !history.mayHold(user, identity, at: signIn.span)
        else { return [] }
        return [.init(.lostIsVoid, "\(identity.kind) signed in to \(user) at \(signIn.invoked)")]
    }

    /// A user who removes an identity may have another one.
    private func lastFindings(_ removal: IdentityOperation, _ history: IdentityHistory) -> [IdentityFinding] {
        guard removal.kind == .remove, removal.outcome == .accepted, let user = removal.user else { return [] }
        let others = Set(history.operations.compactMap(\.identity)).subtracting([removal.identity].compactMap { $0 })
        return others.contains { history.mayHold(user, $0, at: removal.span) }
            ? [] : [.init(.lastIsKept, "\(user) removed the last identity at \(removal.invoked)")]
    }

    /// Nothing leads to a merged user, or is done by them.
    private func mergeFindings(_ merge: IdentityOperation, _ history: IdentityHistory) -> [IdentityFinding] {
        guard merge.kind == .merge, merge.outcome == .accepted, let gone = merge.other else { return [] }
        return history.operations.filter { operation in
            operation.isSuccess && merge.span.isBefore(operation.span) && operation.kind != .leave
                && (operation.user == gone || operation.reached == gone)
        }.map { .init(.mergedIsGone, "\($0.kind) of \(gone) at \($0.invoked), merged at \(merge.invoked)") }
    }

    /// A session that was open when an acknowledged change began, and that the change does not spare, does nothing more of what the
    /// services themselves ask token-service for. The edge refuses the rest.
    private func endFindings(_ end: IdentityOperation, _ history: IdentityHistory) -> [IdentityFinding] {
        guard end.endsSessions, end.outcome == .accepted, let user = end.other ?? end.user else { return [] }
        let opened = history.operations.filter {
            $0.kind == .signIn && $0.reached == user && $0.span.isBefore(end.span)
        }.compactMap(\.session)
        let ended = Set(opened).subtracting(end.other == nil ? [end.session].compactMap { $0 } : [])
        return history.operations.filter { operation in
            [.refresh, .add, .remove, .merge].contains(operation.kind) && operation.isSuccess
                && end.span.isBefore(operation.span)
                && operation.session.map { ended.contains($0) } ?? false
        }.map { .init(.endIsFinal, "\($0.kind) of \(user) at \($0.invoked), ended by \(end.kind) at \(end.invoked)") }
    }

    /// At the end each living user has identities, of each kind one.
    private func censusFindings(_ history: IdentityHistory) -> [IdentityFinding] {
        let census = history.operations.filter(\.isCensus)
        var found: [String: [VerifiedIdentity]] = [:]
        for signIn in census {
            if let user = signIn.reached { found[user, default: []] += [signIn.identity].compactMap { $0 } }
        }
        let doubled = found.filter { Set($0.value.map(\.kind)).count < Set($0.value).count }
        let unclear = census.filter { $0.kind == .signIn && $0.reached == nil }
        let lockedOut = census.filter { refresh in
            guard refresh.kind == .refresh, refresh.isSuccess, let user = refresh.user else { return false }
            let mayBeUnclear = unclear.contains { signIn in
                signIn.identity.map { history.mayHold(user, $0, at: signIn.span) } ?? false
            }
            return found[user] == nil && !mayBeUnclear
        }
        return doubled.map { .init(.onePerKind, "\($0.key) has \($0.value.map(\.kind))") }
            + lockedOut.map { .init(.lastIsKept, "\($0.user ?? "") lives, and nothing signs in") }
    }
}
