internal import AuthAPI
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

extension SQLiteUserStore {
    func signIn(_ attempt: SignInAttempt, by rule: SignInRule, now: Int64) async throws -> SignInOutcome {
        try await database.write { database in
            try SignInTransaction(database: database, attempt: attempt, rule: rule, now: now).run()
        }
    }
}

/// One sign-in inside its write transaction: reads what the rule asks for, and does what it says.
private struct SignInTransaction {
    let database: Database
    let attempt: SignInAttempt
    let rule: SignInRule
    let now: Int64

    private var users: UserRows { UserRows(database: database) }
    private var identities: IdentityRows { IdentityRows(database: database) }
    private var resolutions: ResolutionRows { ResolutionRows(database: database) }

    func run() throws -> SignInOutcome {
        let facts = try SignInFacts(of: attempt.identity, proofID: attempt.proofID, in: database)
        let holder = try facts.holder.flatMap(users.user)
        switch rule.decide(
            earlier: try earlier(facts), kind: attempt.identity.kind, holder: holder, now: now)
        {
        case .repeated(let resolution, let user): return .admitted(user, resolution, isRepeat: true)
        case .create: return try admit(try insertNewcomer(facts), isNew: true)
        case .admit(let user): return try admit(user)
        case .restore(let user): return try admit(try restore(user), restored: true)
        case .replace(let user):
            try append(.identityMoved, user)
            return try admit(try insertNewcomer(facts), isNew: true)
        case .refuse(let refusal):
            if refusal == .inactive, let holder { try append(.refused, holder, detail: "inactive") }
            return .refused(refusal)
        }
    }

    private func earlier(_ facts: SignInFacts) throws -> (resolution: Resolution, user: User?)? {
        try facts.earlier.map { (resolution: $0, user: try users.user($0.userID)) }
    }

    private func admit(_ user: User, isNew: Bool = false, restored: Bool = false) throws -> SignInOutcome {
        let resolution = Resolution(userID: user.id, isNewUser: isNew, restored: restored)
        try resolutions.insert(
            resolution, proofID: attempt.proofID, proofExpiresAt: attempt.proofExpiresAt)
        if !isNew { try identities.touch(attempt.identity, now: now) }
        return .admitted(user, resolution, isRepeat: false)
    }

    private func insertNewcomer(_ facts: SignInFacts) throws -> User {
        let newcomer = attempt.newcomer
        let user = User(
            id: newcomer.id, pseudonym: newcomer.pseudonym,
            phone: attempt.identity.kind == .phone ? attempt.identity.value : nil, name: newcomer.name?.text,
            attributes: UserAttributes(), role: User.defaultRole, isActive: true, epoch: max(1, facts.epoch),
            version: 1,
            createdAt: now, updatedAt: now)
        try users.insert(user)
        try identities.assign(attempt.identity, to: user.id, now: now)
        try append(.created, user)
        return user
    }

    private func restore(_ user: User) throws -> User {
        var user = user
        user.deletion = nil
        user.updatedAt = now
        try users.update(user)
        try append(.restored, user)
        return user
    }

    private func append(_ event: AuditEntry.Event, _ user: User, detail: String? = nil) throws {
        try AuditRows(database: database).append(
            AuditEntry(event: event, subject: user.pseudonym, origin: attempt.origin, detail: detail), now: now)
    }
}
