package import Storage

/// Storage of users and everything that changes together with them.
///
/// An operation queries facts, decides on them, and has its changes applied if the facts have not changed. Changes are one
/// transaction and durable when a call returns. Faults are `StorageError`s, and nothing was changed then.
package protocol UserStore: Sendable {
    /// Returns the facts for the queries, in their order.
    func facts(_ questions: [UserQuestion]) async throws -> [UserFacts]

    /// Writes the changes that were decided on `facts`, unless one of the facts, or the absence of one, has changed since.
    func apply(_ changes: [UserChange], on facts: [UserFacts], now: Int64) async throws -> Applied

    /// Returns once all that has been read is durable. A response that repeats an earlier result, or that finds a change made
    /// already, rests on a read; a failover can undo what was read but not yet acknowledged.
    func confirm() async throws

    /// Confirms the facts of a decision that changes nothing: they are durable, and were true together.
    func confirm(_ facts: [UserFacts]) async throws -> Applied
}

extension UserStore {
    /// Returns at once, for storage in which only durable changes can be read.
    package func confirm() async throws {}

    /// Returns at once, for storage that reads all facts of a call from one snapshot.
    package func confirm(_ facts: [UserFacts]) async throws -> Applied { .applied }

    func facts(_ question: UserQuestion) async throws -> UserFacts {
        guard let facts = try await facts([question]).first else { throw StorageError(.other, "no facts") }
        return facts
    }

    func apply(_ changes: [UserChange], on facts: UserFacts, now: Int64) async throws -> Applied {
        try await apply(changes, on: [facts], now: now)
    }

    /// Writes changes that depend on no stored facts.
    func note(_ changes: [UserChange], now: Int64) async throws { _ = try await apply(changes, on: [], now: now) }
}

/// A decision on facts: the operation's outcome, and the changes to write.
struct Verdict<Outcome> {
    var outcome: Outcome
    var changes: [UserChange]

    init(_ outcome: Outcome, _ changes: [UserChange] = []) { (self.outcome, self.changes) = (outcome, changes) }

    func map<Other>(_ transform: (Outcome) -> Other) -> Verdict<Other> { Verdict<Other>(transform(outcome), changes) }
}

extension UserStore {
    /// Decides on the stored facts and writes the changes. If the facts have changed meanwhile, it decides again.
    ///
    /// - Parameters:
    ///   - known: facts that were read for the query a moment ago, for the first decision.
    ///   - decide: a pure function of the facts and the time of the query, in Unix seconds.
    func decide<Outcome>(
        _ question: UserQuestion, on known: UserFacts? = nil,
        _ decide: (UserFacts, _ now: Int64) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        var known = known
        return try await Decision.untilItHolds { () async throws -> Attempt<Outcome> in
            let facts = if let read = known.take() { read } else { try await self.facts(question) }
            let now = facts.question.askedAt
            return try await write(try decide(facts, now), on: [facts], now)
        }
    }

    /// Decides on the facts of several queries, as they are when the changes are written.
    func decide<Outcome>(
        _ questions: [UserQuestion], now: Int64,
        _ decide: ([UserQuestion.Subject: UserFacts]) throws -> Verdict<Outcome>
    ) async throws -> Outcome {
        try await Decision.untilItHolds { () async throws -> Attempt<Outcome> in
            let facts = try await self.facts(questions)
            return try await write(try decide(facts.bySubject), on: facts, now)
        }
    }

    private func write<Outcome>(
        _ verdict: Verdict<Outcome>, on facts: [UserFacts], _ now: Int64
    ) async throws -> Attempt<Outcome> {
        guard !verdict.changes.isEmpty else {
            return try await confirm(facts).yielding(verdict.outcome)
        }
        return try await apply(verdict.changes, on: facts, now: now).yielding(verdict.outcome)
    }
}

extension [UserFacts] {
    /// The facts by the subjects of their queries.
    var bySubject: [UserQuestion.Subject: UserFacts] {
        Dictionary(map { ($0.question.subject, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
