import InternalAPI
import Storage
import StrictJSON

/// Carries out an operation on an account once for each call: a repeat gets the first response, whichever replica it reaches.
///
/// The response to an operation that revokes sessions, or to a repeat of one, is `done` only once token-service has confirmed.
struct AccountAct: Sendable {
    /// How many seconds a repeat of a call is recognised.
    static let answerSeconds: Int64 = 120

    var store: any UserStore
    let courier: OutboxCourier
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func facts(_ subject: UserQuestion.Subject, _ call: CallTag?) async throws -> UserFacts {
        try await store.facts(UserQuestion(subject, call: call, askedAt: now()))
    }

    /// Returns the facts of a signed-in user's account; those of an account that may not be used are durable.
    func facts(of caller: SignedInUser, _ call: CallTag?) async throws -> UserFacts {
        let facts = try await facts(.account(caller.id), call)
        if let user = facts.holder, user.isActive, user.deletion == nil { return facts }
        return try await store.decide(facts.question) { facts, _ in Verdict(facts) }
    }

    /// The first response to the call, or `nil` if the call is new.
    func repeated(_ facts: UserFacts) async throws -> AccountAnswer? {
        guard let first = facts.firstAnswer else { return nil }
        try await store.confirm()
        return try await confirmed(try AccountReply(first, facts))
    }

    /// Decides on the stored facts, and stores the response with the changes.
    ///
    /// - Parameters:
    ///   - call: the call's tag, or `nil` if a repeat may change data again; the response is not stored then.
    ///   - keptSeconds: how long the response is repeated.
    func callAsFunction(
        _ subject: UserQuestion.Subject, _ call: CallTag?, keptSeconds: Int64 = Self.answerSeconds,
        _ decide: @escaping @Sendable (UserFacts, _ now: Int64) throws -> Verdict<AccountReply>
    ) async throws -> AccountAnswer {
        try await self([UserQuestion(subject, call: call, askedAt: now())], keptSeconds: keptSeconds) { facts, now in
            guard let facts = facts.first else { throw StorageError(.other, "no facts") }
            return try decide(facts, now)
        }
    }

    /// Decides on the facts of several queries, in their order. The first one has the call.
    func callAsFunction(
        _ questions: [UserQuestion], keptSeconds: Int64 = Self.answerSeconds,
        _ decide: @escaping @Sendable ([UserFacts], _ now: Int64) throws -> Verdict<AccountReply>
    ) async throws -> AccountAnswer {
        try await confirmed(try await reply(questions, keptSeconds: keptSeconds, decide))
    }

    /// Decides as above, and returns the response with the user that it concerns. Sessions that it revokes are not awaited.
    func reply(
        _ questions: [UserQuestion], keptSeconds: Int64 = Self.answerSeconds,
        _ decide: @escaping @Sendable ([UserFacts], _ now: Int64) throws -> Verdict<AccountReply>
    ) async throws -> AccountReply {
        let (now, call) = (now(), questions.first?.call)
        return try await store.decide(questions, now: now) { facts in
            if let own = facts.first, let first = own.firstAnswer { return Verdict(try AccountReply(first, own)) }
            var verdict = try decide(facts, now)
            if let call, verdict.outcome.isKept {
                verdict.changes.append(.answer(try verdict.outcome.kept(for: call, until: now + keptSeconds)))
            }
            return verdict
        }
    }

    private func confirmed(_ reply: AccountReply) async throws -> AccountAnswer {
        guard let user = reply.endedSessionsOf, reply.answer.result == .done else { return reply.answer }
        return try await courier.deliverPending(about: user) ? reply.answer : AccountAnswer(.changePending)
    }
}

/// The response to an operation on an account.
struct AccountReply: Sendable {
    let answer: AccountAnswer
    /// Whether a repeat of the call gets the same response; otherwise it is decided again.
    var isKept = true
    /// The user that the response concerns.
    var user: UserID?
    /// Whether the user's sessions are revoked.
    var endsSessions = false

    fileprivate var endedSessionsOf: UserID? { endsSessions ? user : nil }
}

extension AccountReply {
    /// Decodes the response that was stored for repeats of a call. A merge that no longer waits is refused.
    fileprivate init(_ first: FirstAnswer, _ facts: UserFacts) throws {
        let stored: AccountAnswer
        do { stored = try StrictJSON.decode(AccountAnswer.self, from: first.answer, limits: .own) } catch {
            throw StorageError(.corrupt, "a stored first response does not decode")
        }
        let waits = facts.pending.contains { $0.kind == .merge && $0.movesAt == stored.movesAt }
        answer = stored.result == .mergeWaits && !waits ? AccountAnswer(.mergeRefused) : stored
        (user, endsSessions) = (first.user, first.endsSessions)
    }

    fileprivate func kept(for call: CallTag, until expiresAt: Int64) throws -> FirstAnswer {
        var kept = answer
        // A grant expires soon, so a repeat of the call gets another one.
        kept.resolved = nil
        return FirstAnswer(
            call: call, answer: try StrictJSON.encode(kept), user: user, endsSessions: endsSessions,
            expiresAt: expiresAt)
    }
}

extension Verdict<AccountReply> {
    /// A refusal, which changes nothing but the audit.
    static func refused(_ result: AccountAnswer.Result, _ audit: [UserChange] = []) -> Self {
        Verdict(AccountReply(answer: AccountAnswer(result), isKept: false), audit)
    }

    /// - Parameters:
    ///   - user: the user whose messages token-service has to confirm.
    ///   - endsOwn: whether the session of the call ends.
    static func done(
        _ changes: [UserChange], endingSessionsOf user: UserID? = nil, endsOwn: Bool = false
    ) -> Self {
        let answer = AccountAnswer(.done, endsOwnSession: endsOwn)
        return Verdict(AccountReply(answer: answer, user: user, endsSessions: user != nil), changes)
    }
}
