import InternalAPI
import Policies

/// Finds phone numbers that may belong to another person by now, because their users were away for months.
///
/// otp-service recognises a network for 90 days, and `idleMonths` is at least 4, so no network can vouch for such a number. A sign-in
/// that is refused therefore makes none trusted.
struct RecycledNumbers: Sendable {
    private static let monthSeconds: Int64 = 30 * 86_400

    let idleMonths: Int64
    let store: any UserStore
    let tokenService: ServiceClient
    let ways: SignInWays
    let move: IdentityMove
    let notices: AccountNotices
    let delete: DeleteAccount

    /// Returns the number's rule, or `nil` if its user was there recently, or it has none.
    ///
    /// - Throws: `ServiceUnavailable` if token-service does not respond; `StorageError`.
    func suspect(
        _ proof: SignInProof, beginsNewAccount: Bool, _ requestID: String?, now: Int64
    ) async throws -> RecycledNumber? {
        guard let number = proof.identity, number.kind == .phone, !proof.isForReview else { return nil }
        let before = now - idleMonths * Self.monthSeconds
        guard let holder = try await store.facts(UserQuestion(.identity(number), askedAt: now)).holder,
            holder.isActive, holder.deletion == nil, !holder.isForReview
        else { return nil }
        let own = try await store.facts(UserQuestion(.identities(holder.id), askedAt: now))
        guard own.lastUse(of: number, now) < before else { return nil }
        if !own.hasPasskey(now) {
            let request = NewestUseRequest(userID: holder.id.text(prefix: move.userIDPrefix))
            let outcome = try await tokenService.call(TokenOperations.newestUse, request, requestID: requestID)
            guard case .answer(let newest) = outcome else {
                throw ServiceUnavailable(service: "token", reason: "it refused the query")
            }
            guard newest.at.map({ $0 < before }) ?? true else { return nil }
        }
        return RecycledNumber(
            holder: holder.id, number: number, before: before, beginsNewAccount: beginsNewAccount, ways: ways,
            move: move,
            notices: notices, delete: delete)
    }
}

/// Decides on a sign-in with a phone number whose user was away for months.
struct RecycledNumber: Sendable {
    let holder: UserID
    let number: VerifiedIdentity
    /// Unix time in seconds; a user who signed in later was not away.
    let before: Int64
    /// Whether the person wants a new account with the number.
    let beginsNewAccount: Bool
    let ways: SignInWays
    let move: IdentityMove
    let notices: AccountNotices
    let delete: DeleteAccount

    /// Whether the number is still the user's, and the user still away.
    func applies(to user: User, _ own: UserFacts) -> Bool {
        user.id == holder && own.holder?.id == holder && own.lastUse(of: number, own.question.askedAt) < before
    }

    /// The changes by which the user loses the number. An account that has no other way to sign in, not even a passkey, is scheduled for
    /// deletion.
    func losing(
        _ number: VerifiedIdentity, _ user: User, _ own: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> (changes: [UserChange], endsSessions: Bool) {
        let moved = UserChange.audit(AuditEntry(.identityMoved, user, origin))
        let others = own.identities.map(\.identity).filter { $0 != number }
        guard ways.signIn(others, hasPassword: own.password != nil) || own.hasPasskey(now) else {
            return ([moved] + (try delete.schedule(user, origin, now).changes), true)
        }
        var after = user
        after.phone = others.first { $0.kind == .phone }?.value
        after.version += 1
        after.updatedAt = now
        let messages = try move.messages(from: user, to: after, .identityChange)
        let notice = try notices.ofChange(.identityChanged, to: user, now)
        let told = messages.map { UserChange.tell($0, about: user.id, dueAt: now + OutboxLimits.ownAttemptSeconds) }
        return ([moved, .update(after)] + told + notice, false)
    }
}

extension UserFacts {
    /// Unix time in seconds at which the user last signed in, or got an identity or a passkey. Only for `identities`.
    var lastUse: Int64 {
        (identities.map { max($0.usedAt, $0.since) } + passkeys.map { $0.lastUsedAt ?? $0.createdAt }).max() ?? 0
    }

    /// Whether the user has a passkey that can be used. Only for `identities`.
    func hasPasskey(_ now: Int64) -> Bool {
        holder.map { user in passkeys.contains { $0.kind == .passkey && $0.isValid(for: user, now) } } ?? false
    }

    /// The last use that shows that a phone number is still the user's. The owner of a passkey needs no codes, so for them only a code
    /// to the number itself shows it.
    fileprivate func lastUse(of number: VerifiedIdentity, _ now: Int64) -> Int64 {
        guard hasPasskey(now) else { return lastUse }
        return identities.filter { $0.identity == number }.map { max($0.usedAt, $0.since) }.max() ?? 0
    }
}
