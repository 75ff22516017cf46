import InternalAPI

/// The store as requests use it that must leave the deployment an administrator.
///
/// The administrators are read in the transaction of the change, and locked: of two who give the role up at once, one is refused.
struct LastAdministratorStore: UserStore {
    let store: any UserStore

    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] { try await store.facts(questions) }

    func confirm() async throws { try await store.confirm() }

    func note(_ changes: [UserChange], now: Int64) async throws { try await store.note(changes, now: now) }

    /// - Throws: `AdministratorRefusal`; nothing was changed then.
    func decide<Outcome: Sendable>(
        _ questions: [UserQuestion], now: Int64,
        _ decide: @escaping @Sendable ([UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        try await store.decide(questions + [UserQuestion(.administrators, askedAt: now)], now: now) { facts in
            let verdict = try decide(Array(facts.dropLast()))
            guard !verdict.changes.endLastAdministrator(of: facts.last?.administrators ?? []) else {
                throw AdministratorRefusal(.lastAdministrator)
            }
            return verdict
        }
    }
}

extension [UserChange] {
    /// Whether the changes take the rights of the only administrator.
    ///
    /// - Parameter administrators: two of the administrators before the changes, or all if there are fewer.
    func endLastAdministrator(of administrators: [UserID]) -> Bool {
        contains { change in
            guard case .update(let after) = change else { return false }
            return administrators == [after.id] && !after.isAdministrator
        }
    }
}

/// A use case that decides through a store.
protocol StoreBound {
    var store: any UserStore { get set }
}

extension StoreBound {
    /// The use case through another store.
    func through(_ store: any UserStore) -> Self {
        var bound = self
        bound.store = store
        return bound
    }
}

extension AccountAct: StoreBound {}
extension ChangeUser: StoreBound {}
extension DeleteAccount: StoreBound {}
extension EndUserSessions: StoreBound {}
extension LookUpUsers: StoreBound {}
extension ManageAccountReviews: StoreBound {}
extension PhoneChanges: StoreBound {}
extension RestoreAccount: StoreBound {}
extension SearchUsers: StoreBound {}
