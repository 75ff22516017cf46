import InternalAPI

/// Ends a pending change on objection of one of its users. Their session needs no recent proof: nothing gets less safe.
struct Objection: Sendable {
    let store: any UserStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(
        to kind: PendingChange.Kind, _ caller: SignedInUser, requestID: String?
    ) async throws -> OperationOutcome<Done, BearerRefusal> {
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        let question = UserQuestion(.identities(caller.id), askedAt: now())
        return try await store.decide(question) { facts, _ in
            guard let user = facts.holder, user.deletion == nil else { return Verdict(.refused(.invalidToken)) }
            guard user.isActive else { return Verdict(.refused(.accountInactive)) }
            return Verdict(.answer(Done()), facts.ending(kind, "objection", origin))
        }
    }
}

extension UserFacts {
    /// The changes that end the user's pending changes of a kind; none if there is no such change.
    func ending(_ kind: PendingChange.Kind, _ reason: String, _ origin: RequestOrigin) -> [UserChange] {
        guard let holder, pending.contains(where: { $0.kind == kind }) else { return [] }
        return [.endPending(of: holder.id, kind), .audit(AuditEntry(kind.ended, holder, origin, detail: reason))]
    }
}

extension PendingChange.Kind {
    /// The event of a change that does not happen.
    var ended: AuditEntry.Event {
        switch self {
        case .phone: .phoneChangeEnded
        case .merge: .mergeEnded
        case .secondFactor: .resetEnded
        case .inactivity: .inactivityEnded
        }
    }
}
