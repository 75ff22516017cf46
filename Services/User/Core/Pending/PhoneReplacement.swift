import InternalAPI

/// Replaces the phone number of a user who has lost it, unless there was an objection after the user had verified the new one.
struct PhoneReplacement: PendingChangeRule {
    let move: IdentityMove
    let seal: PendingSeal
    let notices: AccountNotices

    /// The content of the change.
    struct Content: Codable, Sendable {
        /// The number that the user had at the start. If they have another one by then, the change has no effect.
        let replaced: String?
        /// The operator, as the audit has them.
        let startedBy: String?
    }

    func subjects(of change: PendingChange) -> [UserQuestion.Subject] {
        change.number.map { [.identity(.phone($0))] } ?? []
    }

    func decide(
        _ change: PendingChange, _ own: UserFacts, _ others: [UserFacts], obstacle: String?, _ now: Int64
    ) throws -> [UserChange] {
        guard let user = own.holder else { return [] }
        let content = seal.open(Content.self, of: change)
        let origin = RequestOrigin(method: content?.startedBy)
        func ended(_ reason: String) -> [UserChange] {
            [.audit(AuditEntry(.phoneChangeEnded, user, origin, detail: reason))]
        }
        if let obstacle { return ended(obstacle) }
        guard let content, let found = others.first, let number = found.identity else { return ended("not readable") }
        guard user.isActive, user.deletion == nil else { return ended("account not active") }
        guard user.phone == content.replaced else { return ended("number changed meanwhile") }
        guard found.holder == nil else { return ended("number in use") }
        return try moving(user, to: number, own, found, origin, now)
    }

    private func moving(
        _ user: User, to number: VerifiedIdentity, _ own: UserFacts, _ found: UserFacts, _ origin: RequestOrigin,
        _ now: Int64
    ) throws -> [UserChange] {
        var after = user.endingSessions(at: now)
        after.phone = number.value
        after.version += 1
        let old = own.identities.map(\.identity).filter { $0.kind == .phone }
        // The sessions end before their tokens get the new claims.
        let messages = try move.messages(from: user, to: after, .identityChange).reversed()
        let notice = try notices.ofChange(.identityChanged, to: user, now)
        return try move.giving(number, to: user.id, replacing: old, found, origin)
            + [
                .endLinks(of: user.id), .update(after),
                .audit(AuditEntry(.identityReplaced, user, origin, detail: number.kind.rawValue)),
            ] + messages.map { .tell($0, about: user.id, dueAt: now) } + notice
    }
}
