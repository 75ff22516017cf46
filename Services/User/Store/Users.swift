import Storage
import UserCore

/// Users, shared with the replicas.
struct Users: UserStore {
    let database: any StorageDatabase
    /// Whether changes add events for the app's back end.
    var writesEvents = false

    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts] {
        try await database.read { try Facts(reader: $0)(questions) }
    }

    func confirm() async throws { try await database.confirm() }

    func decide<Outcome: Sendable>(
        _ questions: [UserQuestion], now: Int64,
        _ decide: @escaping @Sendable ([UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        try await database.write { transaction in
            let read = Facts(reader: transaction)
            // A link is read before the locks for its address, which is locked.
            let links = try read.links(of: questions)
            Locks(questions, links: links.compactMap { $0 }).take(in: transaction)
            let facts = try read(questions, about: links)
            // A merge has moved a link to a user who is not locked. The next try finds it there.
            guard zip(facts, links).allSatisfy({ $0.link == nil || $0.link?.subject == $1?.subject }) else {
                throw StorageError(.busy, "the link has another user since a moment")
            }
            let verdict = try decide(facts)
            try Changes(transaction: transaction, now: now, facts: facts, writesEvents: writesEvents)
                .write(verdict.changes)
            return verdict.outcome
        }
    }

    func note(_ changes: [UserChange], now: Int64) async throws {
        try await database.write {
            try Changes(transaction: $0, now: now, facts: [], writesEvents: writesEvents).write(changes)
        }
    }
}
