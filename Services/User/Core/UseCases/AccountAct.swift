import InternalAPI
import Storage
import StrictJSON

/// Does an act about an account once for each call: a repeat has the first answer, whichever replica it reaches.
///
/// What ends sessions is answered `done` only once token-service has confirmed it, to a repeat too.
struct AccountAct: Sendable {
    /// How long a call is known by its name.
    static let answerSeconds: Int64 = 120

    let store: any AccountStore
    let courier: OutboxCourier
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// What an act comes to.
    struct Outcome: Sendable {
        let answer: AccountAnswer
        /// Written together with the answer, where that is kept; nil: neither is, and the next call is judged anew.
        let changes: [AccountChange]?
        /// Whom the answer is about.
        var user: UserID?
        /// Whether his sessions end.
        var endsSessions = false

        /// Nothing was done.
        static func refused(_ result: AccountAnswer.Result) -> Outcome {
            Outcome(answer: AccountAnswer(result), changes: nil)
        }

        static func done(_ changes: [AccountChange], endingSessionsOf user: UserID? = nil) -> Outcome {
            Outcome(answer: AccountAnswer(.done), changes: changes, user: user, endsSessions: user != nil)
        }

        /// What is kept for repeats of the call.
        fileprivate func answer(of call: CallTag, until expiresAt: Int64) throws -> FirstAnswer {
            var kept = answer
            // A grant is for now: whoever repeats the call has another one made.
            kept.resolved = nil
            return FirstAnswer(
                call: call, answer: try StrictJSON.encode(kept), user: user, endsSessions: endsSessions,
                expiresAt: expiresAt)
        }
    }

    func facts(_ subject: AccountQuestion.Subject, _ call: CallTag?) async throws -> AccountFacts {
        try await store.accountFacts(AccountQuestion(subject, call: call, askedAt: now()))
    }

    /// What the call was answered before; nil for a new one.
    func repeated(_ facts: AccountFacts) async throws -> AccountAnswer? {
        guard let first = facts.firstAnswer else { return nil }
        let answer: AccountAnswer
        do { answer = try StrictJSON.decode(AccountAnswer.self, from: first.answer, limits: .own) } catch {
            throw StorageError(.corrupt, "a first answer does not decode")
        }
        return try await confirmed(answer, first.endsSessions ? first.user : nil)
    }

    /// Decides by what is stored, and again while another act was faster.
    ///
    /// - Parameters:
    ///   - call: nil for one whose repeat may act again: its answer is not kept.
    ///   - known: what was read for the same question a moment ago; what is written is held against what is stored then.
    ///   - keptSeconds: how long the answer is the call's.
    func callAsFunction(
        _ subject: AccountQuestion.Subject, _ call: CallTag?, by known: AccountFacts? = nil,
        keptSeconds: Int64 = Self.answerSeconds, _ decide: (AccountFacts, Int64) throws -> Outcome
    ) async throws -> AccountAnswer {
        var known = known
        let outcome = try await Decision.untilItHolds { () async throws -> Attempt<Outcome> in
            let facts = if let read = known.take() { read } else { try await facts(subject, call) }
            if let first = try await repeated(facts) { return .held(Outcome(answer: first, changes: nil)) }
            let now = facts.question.askedAt
            let outcome = try decide(facts, now)
            guard var changes = outcome.changes else { return .held(outcome) }
            if let call { changes.append(.answer(try outcome.answer(of: call, until: now + keptSeconds))) }
            guard !changes.isEmpty else { return .held(outcome) }
            return try await store.apply(changes, on: facts, now: now).yielding(outcome)
        }
        return try await confirmed(outcome.answer, outcome.endsSessions ? outcome.user : nil)
    }

    /// - Parameter user: whose sessions end.
    private func confirmed(_ answer: AccountAnswer, _ user: UserID?) async throws -> AccountAnswer {
        guard let user, answer.result == .done else { return answer }
        return try await courier.deliverPending(about: user) ? answer : AccountAnswer(.changePending)
    }
}
