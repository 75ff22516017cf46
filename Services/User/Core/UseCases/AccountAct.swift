import InternalAPI
import Storage
import StrictJSON

/// Carries out an operation on an account once for each call: a repeat gets the first response, whichever replica it reaches.
///
/// An operation that ends sessions is answered `done` only once token-service has confirmed it, to a repeat too.
struct AccountAct: Sendable {
    /// How long a call is known by its name.
    static let answerSeconds: Int64 = 120

    let store: any UserStore
    let courier: OutboxCourier
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func facts(_ subject: UserQuestion.Subject, _ call: CallTag?) async throws -> UserFacts {
        try await store.facts(UserQuestion(subject, call: call, askedAt: now()))
    }

    /// What the call was answered before; `nil` for a new one.
    func repeated(_ facts: UserFacts) async throws -> AccountAnswer? {
        guard let first = facts.firstAnswer else { return nil }
        return try await confirmed(try AccountReply(first))
    }

    /// Decides on what is stored, and keeps the reply with the changes.
    ///
    /// - Parameters:
    ///   - call: `nil` for a call whose repeat may act again: its reply is not kept.
    ///   - known: what was read for the same question a moment ago.
    ///   - keptSeconds: how long the reply is the call's.
    func callAsFunction(
        _ subject: UserQuestion.Subject, _ call: CallTag?, by known: UserFacts? = nil,
        keptSeconds: Int64 = Self.answerSeconds,
        _ decide: (UserFacts, _ now: Int64) throws -> Verdict<AccountReply>
    ) async throws -> AccountAnswer {
        let question = known?.question ?? UserQuestion(subject, call: call, askedAt: now())
        let reply = try await store.decide(question, on: known) { facts, now in
            if let first = facts.firstAnswer { return Verdict(try AccountReply(first)) }
            var verdict = try decide(facts, now)
            if let call, verdict.outcome.isKept {
                verdict.changes.append(.answer(try verdict.outcome.kept(for: call, until: now + keptSeconds)))
            }
            return verdict
        }
        return try await confirmed(reply)
    }

    private func confirmed(_ reply: AccountReply) async throws -> AccountAnswer {
        guard let user = reply.endedSessionsOf, reply.answer.result == .done else { return reply.answer }
        return try await courier.deliverPending(about: user) ? reply.answer : AccountAnswer(.changePending)
    }
}

/// What an operation on an account is answered.
struct AccountReply: Sendable {
    let answer: AccountAnswer
    /// Whether a repeat of the call gets the same answer; otherwise it is decided again.
    var isKept = true
    /// The user whom the answer is about.
    var user: UserID?
    /// Whether the user's sessions end.
    var endsSessions = false

    fileprivate var endedSessionsOf: UserID? { endsSessions ? user : nil }
}

extension AccountReply {
    /// The reply that was kept for repeats of a call.
    fileprivate init(_ first: FirstAnswer) throws {
        do { answer = try StrictJSON.decode(AccountAnswer.self, from: first.answer, limits: .own) } catch {
            throw StorageError(.corrupt, "a first answer does not decode")
        }
        (user, endsSessions) = (first.user, first.endsSessions)
    }

    fileprivate func kept(for call: CallTag, until expiresAt: Int64) throws -> FirstAnswer {
        var kept = answer
        // A grant is for now: a repeat of the call has another one made.
        kept.resolved = nil
        return FirstAnswer(
            call: call, answer: try StrictJSON.encode(kept), user: user, endsSessions: endsSessions,
            expiresAt: expiresAt)
    }
}

extension Verdict<AccountReply> {
    /// Nothing was done.
    static func refused(_ result: AccountAnswer.Result) -> Self {
        Verdict(AccountReply(answer: AccountAnswer(result), isKept: false))
    }

    static func done(_ changes: [UserChange], endingSessionsOf user: UserID? = nil) -> Self {
        Verdict(AccountReply(answer: AccountAnswer(.done), user: user, endsSessions: user != nil), changes)
    }
}
