import InternalAPI

/// Merges an account of which the user verified only a part, unless there was an objection meanwhile, or the session has ended that
/// requested it.
struct WaitingMerge: PendingChangeRule {
    let merges: AccountMerges
    let seal: PendingSeal
    let tokenService: ServiceClient

    /// The content of the change.
    struct Content: Codable, Sendable, Equatable {
        let offer: MergeOffer
        let keepsOtherPhone: Bool
        /// The session that requested the merge.
        let sessionID: String
        /// Both accounts as they were then. If one of them is another by now, the change has no effect.
        let own: IdentityState
        let other: IdentityState
        /// The id of the other account from before a migration.
        let legacyID: String?
    }

    func subjects(of change: PendingChange) -> [UserQuestion.Subject] {
        guard let content = seal.open(Content.self, of: change) else { return [] }
        return [.identities(content.offer.other)] + content.other.identities.map { .identity($0) }
            + (content.legacyID.map { [.legacyID($0)] } ?? [])
    }

    func obstacle(to change: PendingChange) async throws -> String? {
        guard let content = seal.open(Content.self, of: change) else { return nil }
        let request = LiveSessionRequest(sessionID: content.sessionID)
        let outcome = try await tokenService.call(TokenOperations.liveSession, request, requestID: nil)
        guard case .answer(let session) = outcome else {
            throw ServiceUnavailable(service: "token", reason: "it refused the query")
        }
        return session.userID == change.user.text(prefix: merges.move.userIDPrefix) ? nil : "session ended"
    }

    func decide(
        _ change: PendingChange, _ own: UserFacts, _ others: [UserFacts], obstacle: String?, _ now: Int64
    ) throws -> [UserChange] {
        guard let user = own.holder else { return [] }
        func ended(_ reason: String) -> [UserChange] {
            [user, others.first?.holder].compactMap { $0 }.map {
                .audit(AuditEntry(.mergeEnded, $0, RequestOrigin(), detail: reason))
            }
        }
        if let obstacle { return ended(obstacle) }
        guard let content = seal.open(Content.self, of: change), let other = others.first else {
            return ended("not readable")
        }
        guard AccountMerge.permits(content.offer, other, into: own, waited: true) else {
            return ended("not allowed any more")
        }
        guard content.own == IdentityState(own), content.other == IdentityState(other),
            content.legacyID == other.holder?.legacyID
        else {
            return ended("account changed meanwhile")
        }
        let merge = merges(
            of: content.sessionID, RequestOrigin(sessionID: content.sessionID),
            keepsOtherPhone: content.keepsOtherPhone)
        let found = others.bySubject
        let moving = merge.moving(other, to: own).compactMap { found[.identity($0.identity)] }
        return try merge.merge(other, into: own, moving, now).changes
    }
}
