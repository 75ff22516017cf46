import AccessTokens
import CoreMetrics
import InternalAPI
import Policies

/// Applies an event that Apple reports about one of its accounts. Each notification takes effect once.
struct NoteAppleEvent: Sendable {
    /// The events in the metric.
    static let eventLabels = AppleEvent.Kind.allCases.map(\.rawValue) + [refusedLabel, unknownLabel]
    private static let refusedLabel = "refused"
    private static let unknownLabel = "unknown"

    /// Apple's rule and keys; `nil` if the policy has no sign-in with Apple.
    let provider: IdentityProvider?
    let store: any UserStore
    let delete: DeleteAccount
    let tags: CallTags
    let audit: RefusedTokenAudit
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns once the event's changes are durable. The outbox revokes sessions within seconds.
    ///
    /// - Throws: `ProviderKeys.Unavailable` while Apple's keys are unknown; `StorageError`.
    func callAsFunction(_ notification: AppleNotification, requestID: String?) async throws -> AppleNotificationAnswer {
        guard let provider else { return AppleNotificationAnswer(.off) }
        let event: AppleEvent
        do {
            let token = try IdentityToken(notification.payload)
            event = try await provider.keys.judging(token.keyID) { key throws(IdentityTokenRejection) in
                try provider.rule.event(in: token, key: key, now: now())
            }
        } catch let rejection as IdentityTokenRejection {
            count(Self.refusedLabel)
            try await audit.note(rejection, provider: "apple notification", requestID: requestID)
            return AppleNotificationAnswer(.forged)
        }
        count(event.kind?.rawValue ?? Self.unknownLabel)
        if let kind = event.kind { try await apply(event, kind, requestID) }
        return AppleNotificationAnswer(.noted)
    }

    private func apply(_ event: AppleEvent, _ kind: AppleEvent.Kind, _ requestID: String?) async throws {
        let identity = VerifiedIdentity(kind: .apple, value: event.subject)
        let call = tags.tag(IdentityOperations.noteApple.path, callID: event.id, body: [])
        let question = UserQuestion(.atProvider(identity), call: call, askedAt: now())
        let origin = RequestOrigin(requestID: requestID, method: IdentityProviderPolicy.appleName)
        try await store.decide(question) { facts, now -> Verdict<Void> in
            // A notification may arrive twice, and late: the user may have signed in with Apple again. Our clock may be ahead of Apple's.
            // To sign out a user who has just returned is better than to leave a session without consent.
            let latestUse = event.at + TokenLimits.futureSecondsMax
            guard let user = facts.holder, facts.firstAnswer == nil, facts.usedAt <= latestUse else {
                return Verdict(())
            }
            let noted = FirstAnswer(
                call: call, answer: Array("{}".utf8), user: user.id, endsSessions: false, expiresAt: event.expiresAt)
            return Verdict((), try changes(event, kind, user, facts, origin, now) + [.answer(noted)])
        }
    }

    private func changes(
        _ event: AppleEvent, _ kind: AppleEvent.Kind, _ user: User, _ facts: UserFacts, _ origin: RequestOrigin,
        _ now: Int64
    ) throws -> [UserChange] {
        let identity = VerifiedIdentity(kind: .apple, value: event.subject)
        let forgetting = UserChange.forgetAppleTokens(of: user.id, subject: event.subject)
        switch kind {
        case .emailDisabled, .emailEnabled:
            return [.audit(AuditEntry(.relayChanged, user, origin, detail: kind.rawValue))]
        case .consentRevoked:
            return try ending(user, now) + [
                .audit(AuditEntry(.consentRevoked, user, origin)), forgetting,
                .refuseTokens(of: identity, before: min(event.at, now)),
            ]
        case .accountDeleted, .accountDelete:
            guard facts.hasOtherIdentity else { return try delete.schedule(user, origin, now).changes + [forgetting] }
            return try ending(user, now) + [
                .audit(AuditEntry(.unlinked, user, origin, detail: IdentityProviderPolicy.appleName)), forgetting,
                .endIdentity(identity),
            ] + notes(identity, event, now)
        }
    }

    /// The notes by which tokens from before the end of an identity make no new account.
    private func notes(_ identity: VerifiedIdentity, _ event: AppleEvent, _ now: Int64) -> [UserChange] {
        GivenUpIdentities(tags: tags).notes([identity], givenUpAt: min(event.at, now), now: now)
            .map { .noteGivenUp($0) }
    }

    /// The changes that revoke the user's sessions that began with Apple. Grants that are on their way are refused, and requested
    /// again.
    private func ending(_ user: User, _ now: Int64) throws -> [UserChange] {
        let after = user.endingSessions(at: now)
        let request = RevokeUserRequest(
            userID: user.id.text(prefix: delete.userIDPrefix), epoch: after.epoch, reason: .provider,
            method: IdentityProviderPolicy.appleName)
        return [
            .update(after), .tell(try OutboxMessage(.revokeUser, encoding: request), about: user.id, dueAt: now),
        ]
    }

    private func count(_ event: String) {
        Counter(label: "auth_apple_events_total", dimensions: [("event", event)]).increment()
    }
}
