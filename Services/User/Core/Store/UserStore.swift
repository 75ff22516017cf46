package import Storage

/// Users and everything that changes together with them.
///
/// An operation asks a question, decides on the facts, and has its changes applied if the facts still hold. Changes are one
/// transaction and durable when a call returns. Faults are `StorageError`s, and then nothing was changed.
package protocol UserStore: Sendable {
    func facts(_ question: UserQuestion) async throws -> UserFacts

    /// Writes what was decided on `facts`, unless one of them, or the absence of one, has changed since.
    func apply(_ changes: [UserChange], on facts: UserFacts, now: Int64) async throws -> Applied

    /// Writes changes that depend on nothing that is stored.
    func note(_ changes: [UserChange], now: Int64) async throws
}

/// What an operation returns, and what it changes.
struct Outcome<Answer> {
    let answer: Answer
    var changes: [UserChange]

    init(_ answer: Answer, _ changes: [UserChange] = []) { (self.answer, self.changes) = (answer, changes) }

    func map<Other>(_ transform: (Answer) -> Other) -> Outcome<Other> { Outcome<Other>(transform(answer), changes) }
}

extension UserStore {
    /// Decides on what is stored and has it written; decides again while others were faster.
    ///
    /// - Parameters:
    ///   - known: facts that were read for the question a moment ago, for the first decision.
    ///   - decide: a pure function of the facts and the time at which they were asked for, in Unix seconds.
    func decide<Answer>(
        _ question: UserQuestion, on known: UserFacts? = nil,
        _ decide: (UserFacts, _ now: Int64) throws -> Outcome<Answer>
    ) async throws -> Answer {
        var known = known
        return try await Decision.untilItHolds { () async throws -> Attempt<Answer> in
            let facts = if let read = known.take() { read } else { try await self.facts(question) }
            let now = facts.question.askedAt
            let outcome = try decide(facts, now)
            guard !outcome.changes.isEmpty else { return .held(outcome.answer) }
            return try await apply(outcome.changes, on: facts, now: now).yielding(outcome.answer)
        }
    }
}
