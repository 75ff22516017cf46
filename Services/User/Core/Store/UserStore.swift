import Storage

/// Storage of users and everything that changes together with them.
///
/// A decision is made inside the transaction that writes its changes, on facts that stay true until it is committed. All is durable
/// when a call returns. Faults are `StorageError`s, and nothing was changed then.
package protocol UserStore: Sendable {
    /// Returns the facts for the queries, in their order, for a first look: no change rests on them.
    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts]

    /// Decides on the facts of the queries, in their order, and writes the verdict's changes.
    ///
    /// `decide` runs while others wait, and runs again after a lost connection, so it is pure and quick: passwords are hashed before.
    /// It writes only what its queries are about, and may add records, messages, results of proofs and ends of links.
    /// - Parameter decide: a pure function; what it throws is thrown, and nothing was changed then.
    func decide<Outcome: Sendable>(
        _ questions: [UserQuestion], now: Int64,
        _ decide: @escaping @Sendable ([UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome

    /// Writes records and messages that depend on no stored facts.
    func note(_ changes: [UserChange], now: Int64) async throws

    /// Returns once all that has been read is durable. A response that repeats an earlier result, or that finds a change made
    /// already, rests on a read; a failover can undo what was read but not yet acknowledged.
    func confirm() async throws
}

extension UserStore {
    func facts(_ question: UserQuestion) async throws -> UserFacts {
        guard let facts = try await facts([question]).first else { throw StorageError(.other, "no facts") }
        return facts
    }
}

/// A decision on facts: the operation's outcome, and the changes to write.
package struct Verdict<Outcome: Sendable>: Sendable {
    package var outcome: Outcome
    package var changes: [UserChange]

    package init(_ outcome: Outcome, _ changes: [UserChange] = []) {
        (self.outcome, self.changes) = (outcome, changes)
    }

    func map<Other>(_ transform: (Outcome) -> Other) -> Verdict<Other> { Verdict<Other>(transform(outcome), changes) }
}

extension UserStore {
    /// Decides on the facts of one query.
    ///
    /// - Parameter decide: a pure function of the facts and the time of the query, in Unix seconds.
    func decide<Outcome: Sendable>(
        _ question: UserQuestion,
        _ decide: @escaping @Sendable (UserFacts, _ now: Int64) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        let now = question.askedAt
        return try await self.decide([question], now: now) { facts in
            guard let facts = facts.first else { throw StorageError(.other, "no facts") }
            return try decide(facts, now)
        }
    }

    /// Decides on the facts of several queries, by their subjects.
    func decideTogether<Outcome: Sendable>(
        _ questions: [UserQuestion], now: Int64,
        _ decide: @escaping @Sendable ([UserQuestion.Subject: UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        try await self.decide(questions, now: now) { try decide($0.bySubject) }
    }
}

extension [UserFacts] {
    /// The facts by the subjects of their queries.
    var bySubject: [UserQuestion.Subject: UserFacts] {
        Dictionary(map { ($0.question.subject, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
