import InternalAPI

/// The old and the new phone number of a user, or of an invitation and a pending change.
struct Renaming: Sendable {
    let held: HeldNumber
    let to: String

    var old: VerifiedIdentity { .phone(held.number) }
    var new: VerifiedIdentity { .phone(to) }

    var subjects: [UserQuestion.Subject] { [.identity(old), .identity(new)] }

    /// Decides on renamings in their order. Two phone numbers that would become the same collide.
    static func decide(
        _ renamings: [Renaming], _ facts: [UserQuestion.Subject: UserFacts], _ origin: RequestOrigin
    ) -> Verdict<[RenamingVerdict]> {
        var given: [VerifiedIdentity: Renaming] = [:]
        var all = Verdict<[RenamingVerdict]>([])
        for renaming in renamings {
            let (old, new) = (facts[.identity(renaming.old)], facts[.identity(renaming.new)])
            let verdict: RenamingVerdict =
                if let first = given[renaming.new] { .taken(by: first.held.user) } else { renaming.judge(old, new) }
            all.outcome.append(verdict)
            guard verdict == .renamed, let old else { continue }
            given[renaming.new] = renaming
            all.changes += renaming.changes(old, origin)
        }
        return all
    }

    private func judge(_ old: UserFacts?, _ new: UserFacts?) -> RenamingVerdict {
        if let holder = new?.holder { return .taken(by: holder.id) }
        if let user = held.user { return old?.holder?.id == user ? .renamed : .gone }
        guard let old, old.invitation != nil || !old.pending.isEmpty else { return .gone }
        if let pending = new?.pending.first { return .taken(by: pending.user) }
        return new?.invitation == nil ? .renamed : .taken(by: nil)
    }

    private func changes(_ facts: UserFacts, _ origin: RequestOrigin) -> [UserChange] {
        let entry = AuditEntry(
            event: .renumbered, subject: facts.holder?.pseudonym ?? .zero, origin: origin, detail: "phone")
        guard held.user == nil else { return [.renameIdentity(old, to: new), .audit(entry)] }
        return (facts.invitation.map { [.renameInvitation($0, to: new)] } ?? [])
            + facts.pending.map { .renamePending($0, to: new) } + [.audit(entry)]
    }
}

/// The decision about a renaming.
enum RenamingVerdict: Sendable, Equatable {
    /// The phone number gets its new form.
    case renamed
    /// Another user holds the new phone number; `nil` if another person is invited with it.
    case taken(by: UserID?)
    /// The phone number has another holder since it was listed.
    case gone
}
