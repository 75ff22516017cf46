import InternalAPI

/// The store as the request of an administrator uses it.
///
/// A use case that decides or records something through it is refused unless the administrator's own row allows it in the same
/// transaction, so that a role that was just taken has no effect any more. A decision that changes nothing has a record too, since
/// its answer shows something of the user.
struct AdministratorStore: UserStore {
    let store: any UserStore
    let caller: AdminCaller
    /// The role that the caller needs.
    var role = CreateAdmin.role
    /// The versions of the user of the first question of which the current one must be one; `nil` if it may be any.
    var versions: [String]?

    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] { try await store.facts(questions) }

    func confirm() async throws { try await store.confirm() }

    /// - Throws: `AdministratorRefusal`; nothing was changed then.
    func decide<Outcome: Sendable>(
        _ questions: [UserQuestion], now: Int64,
        _ decide: @escaping @Sendable ([UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        let origin = RequestOrigin.byOperator(nil)
        return try await guarded(LastAdministratorStore(store: store), questions, now) { facts in
            let verdict = try decide(facts)
            guard verdict.changes.isEmpty else { return verdict }
            let record = AuditEntry.lookUp("nothing changed", of: facts.first?.holder, origin)
            return Verdict(verdict.outcome, [.audit(record)])
        }
    }

    func note(_ changes: [UserChange], now: Int64) async throws {
        try await guarded(store, [], now) { _ in Verdict((), changes) }
    }

    private func guarded<Outcome: Sendable>(
        _ store: any UserStore, _ questions: [UserQuestion], _ now: Int64,
        _ decide: @escaping @Sendable ([UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        // The changes of the user that wait are part of the version.
        let version = versions == nil ? nil : questions.first?.user.map { UserQuestion(.identities($0), askedAt: now) }
        let own = questions + [version].compactMap(\.self)
        return try await store.decide(own + [UserQuestion(caller.subject, askedAt: now)], now: now) { facts in
            try caller.require(facts.last, role: role)
            let verdict = try decide(Array(facts.prefix(questions.count)))
            if version != nil, facts.count > questions.count {
                try requireVersion(of: facts[questions.count], for: verdict.changes)
            }
            return verdict
        }
    }

    /// Requires that the user was not changed meanwhile. A request whose change was made already is no conflict
    /// (RFC 9110 §13.1.1).
    private func requireVersion(of facts: UserFacts, for changes: [UserChange]) throws(AdministratorRefusal) {
        guard let versions, let user = facts.holder, !changes.allSatisfy(\.isLookUp) else { return }
        guard versions.contains(user.tag(facts.pending)) else { throw AdministratorRefusal(.versionMismatch) }
    }
}

extension UserQuestion {
    /// The user that an administrator changes; `nil` if the query is about no user.
    fileprivate var user: UserID? {
        switch subject {
        case .user(let id), .account(let id), .identities(let id): id
        default: nil
        }
    }
}

extension UserChange {
    /// Whether the change only records that something was read. An end of sessions changes no row of the user's, but has a record.
    fileprivate var isLookUp: Bool { if case .audit(let entry) = self { entry.event == .lookedUp } else { false } }
}
