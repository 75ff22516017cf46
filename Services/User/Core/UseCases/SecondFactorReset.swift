import CryptoPrimitives
import InternalAPI

/// Begins to remove the second factors of a user who has lost them, on request of the operator, or ends that.
struct SecondFactorResets: Sendable {
    let store: any UserStore
    let seal: PendingSeal
    /// The time in which the user may object, in seconds.
    let delaySeconds: Int64
    let userIDPrefix: String
    let notices: AccountNotices
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(
        _ request: ResetSecondFactorRequest, requestID: String?
    ) async throws -> OperationOutcome<Done, UserRefusal> {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .refused(.notFound) }
        let origin = RequestOrigin.byOperator(requestID)
        let question = UserQuestion(.identities(id), askedAt: now())
        return try await store.decide(question) { facts, now in
            guard let user = facts.holder else { return Verdict(.refused(.notFound)) }
            let ending = facts.ending(.secondFactor, request.cancels ? "cancelled" : "begun again", origin)
            guard !request.cancels else {
                return ending.isEmpty
                    ? Verdict(.refused(.notFound, title: "No reset of the user's second factor has begun"))
                    : Verdict(.answer(Done()), ending)
            }
            guard let factor = facts.secondFactor, factor.activatedAt != nil || factor.isRequired else {
                return Verdict(.refused(.notFound, title: "The user has no second factor"))
            }
            let content = SecondFactorReset.Content(startedBy: origin.method)
            let change = PendingChange(
                id: UUIDText.random(), kind: .secondFactor, user: id,
                sealed: try seal.seal(content, .secondFactor, of: id), createdAt: now, movesAt: now + delaySeconds)
            return Verdict(
                .answer(Done()),
                ending + [.addPending(change), .audit(AuditEntry(.resetBegun, user, origin))]
                    + (try notices.ofFactors(to: user, at: change.movesAt, now)))
        }
    }
}

/// Removes the second factors of a user unless there was an objection, and ends all sessions.
struct SecondFactorReset: PendingChangeRule {
    let move: IdentityMove
    let seal: PendingSeal
    let notices: AccountNotices

    /// The content of the change.
    struct Content: Codable, Sendable {
        /// The operator, as the audit has them.
        let startedBy: String?
    }

    func subjects(of change: PendingChange) -> [UserQuestion.Subject] { [] }

    func decide(
        _ change: PendingChange, _ own: UserFacts, _ others: [UserFacts], obstacle: String?, _ now: Int64
    ) throws -> [UserChange] {
        guard let user = own.holder else { return [] }
        let origin = RequestOrigin(method: seal.open(Content.self, of: change)?.startedBy)
        guard user.isActive, user.deletion == nil else {
            return [.audit(AuditEntry(.resetEnded, user, origin, detail: "account not active"))]
        }
        let after = user.endingSessions(at: now)
        let messages = try move.messages(from: user, to: after, .identityChange)
        return [
            .endSecondFactor(of: user.id), .update(after), .audit(AuditEntry(.secondFactorOff, user, origin)),
        ] + messages.map { .tell($0, about: user.id, dueAt: now) } + (try notices.ofFactors(to: user, now))
    }
}
